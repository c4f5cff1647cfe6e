"""
The command line: every command, thin.

A command's module is imported when it is used: all of them take longer to import than most of them to run.
"""

import gc
import sys
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_group

from service_server.cli.logs import configure_logging

# The module of `service_server.cli` that holds a command, and the Typer application in it.
_GROUPS = {
    "application": ("applications", "application_cli"),
    "app": ("apps", "app_cli"),
    "operator": ("operators", "operator_cli"),
    "connector": ("connectors", "connector_cli"),
    "db": ("database", "db_cli"),
    "model": ("models", "model_cli"),
    "vault": ("vault", "vault_cli"),
}
_COMMANDS = {
    "serve": ("serve", "serve_cli"),
    "demo": ("demo", "demo_cli"),
    "predict": ("prediction", "predict_cli"),
}


class _ImportedWhenUsed(TyperGroup):
    """The commands by their names, which is all that is known of them before."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = dict.fromkeys([*_COMMANDS, *_GROUPS], TyperCommand(name=None))

    def list_commands(self, ctx: Any) -> list[str]:
        """Every command, in the order of the help."""
        return list(self.commands)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import a command."""
        if cmd_name not in self.commands:
            return None
        module, name = _COMMANDS.get(cmd_name) or _GROUPS[cmd_name]
        # What is imported stays; to look through it for garbage again and again takes a tenth of a command's time.
        gc.disable()
        application = getattr(import_module(f"service_server.cli.{module}"), name)
        gc.freeze()
        gc.enable()
        made = get_command(application) if cmd_name in _COMMANDS else get_group(application)
        made.name = cmd_name
        return made


cli = typer.Typer(cls=_ImportedWhenUsed, no_args_is_help=True, pretty_exceptions_enable=False)


@cli.callback()
def service_server() -> None:
    """Run and set up the service."""


def main() -> None:
    """Run a command; what the user can mend is said in one line, without a traceback."""
    configure_logging("warning", lasts=False)  # to standard error, so that what a command prints stays its own
    try:
        cli()
    except Exception as error:
        from rich.console import Console

        from service_server.cli.failures import told

        message = told(error)
        if message is None:
            raise
        Console(stderr=True, soft_wrap=True).print(message, style="red", highlight=False, markup=False)
        sys.exit(1)
