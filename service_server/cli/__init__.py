"""The command `service-server`."""

from service_server.cli.main import main

__all__ = ["main"]
