"""What goes wrong in a command and its user can mend: said in one line, without a traceback."""

import re

from service_server.administration.failures import AdministrationError
from service_server.backup.manifest import BackupError
from service_server.catalog.problems import CatalogError
from service_server.cli.prediction import UnreadableLine
from service_server.cli.workers import WorkersFailed
from service_server.predict.encoder.manifest import InstallFailed, ModelUnusable
from service_server.settings import InvalidSetting
from service_server.store import DatabaseAway
from service_server.store.migrations import DatabaseUnusable
from service_server.vault import VaultKeyError

_IN_THEIR_OWN_WORDS = (
    AdministrationError,
    BackupError,
    CatalogError,
    DatabaseUnusable,
    InstallFailed,
    InvalidSetting,
    ModelUnusable,
    UnreadableLine,
    VaultKeyError,
    WorkersFailed,
)

# How Python hands on a byte that is none of UTF-8.
_NO_TEXT = re.compile("[\udc80-\udcff]")


def told(error: Exception) -> str | None:
    """What to say of an error; None for a defect, which is shown with its traceback."""
    if isinstance(error, _IN_THEIR_OWN_WORDS):
        return str(error)
    if isinstance(error, DatabaseAway):
        return f"The database could not carry it out: {error}."  # it may be there, and the disk full or rights missing
    if isinstance(error, OSError):  # a file, folder or address that the system refuses
        return f"{error.filename}: {error.strerror}" if error.filename else str(error)
    if isinstance(error, UnicodeEncodeError) and _NO_TEXT.search(error.object):
        return "Something on the command line, or in a variable, is not text in UTF-8."
    return None
