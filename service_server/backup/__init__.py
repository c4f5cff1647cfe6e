"""Backups: one file with all that a service keeps, taken while it runs, and restored to a service again."""

from service_server.backup.manifest import BackupError, Manifest
from service_server.backup.restoring import Restored, check, restore
from service_server.backup.taking import take

__all__ = ["BackupError", "Manifest", "Restored", "check", "restore", "take"]
