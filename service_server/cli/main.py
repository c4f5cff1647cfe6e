"""
The command line: every command, thin.

A command's module is imported when it is used: all of them take longer to import than most of them to run.
"""

import gc
import sys
from importlib import import_module

import click

from service_server.cli.logs import configure_logging

# The module of `service_server.cli` that holds a command, and its name there.
_COMMANDS = {
    "serve": ("serve", "serve_cli"),
    "demo": ("demo", "demo_cli"),
    "mcp": ("mcp", "mcp_cli"),
    "call": ("call", "call_cli"),
    "calls": ("calls", "calls_cli"),
    "functions": ("functions", "functions_cli"),
    "accounts": ("accounts", "accounts_cli"),
    "users": ("users", "users_cli"),
    "check": ("check", "check_cli"),
    "predict": ("prediction", "predict_cli"),
    "application": ("applications", "application_cli"),
    "app": ("apps", "app_cli"),
    "operator": ("operators", "operator_cli"),
    "admin-key": ("admin_keys", "admin_key_cli"),
    "audit": ("audit", "audit_cli"),
    "webhook": ("webhooks", "webhook_cli"),
    "connector": ("connectors", "connector_cli"),
    "db": ("database", "db_cli"),
    "model": ("models", "model_cli"),
    "vault": ("vault", "vault_cli"),
    "backup": ("backups", "backup_cli"),
    "restore": ("backups", "restore_cli"),
}


class _ImportedWhenUsed(click.Group):
    """The commands by their names, which is all that is known of them before."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every command, in the order of the help."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in _COMMANDS:
            return None
        module, name = _COMMANDS[cmd_name]
        # What is imported stays; looking through it for garbage over and over takes a tenth of a command's time.
        gc.disable()
        command: click.Command = getattr(import_module(f"service_server.cli.{module}"), name)
        gc.freeze()
        gc.enable()
        return command


def _tell_version(context: click.Context, _: click.Parameter, is_asked: bool) -> None:
    if is_asked and not context.resilient_parsing:
        from service_client import __version__

        click.echo(__version__)
        context.exit()


@click.group("service-server", cls=_ImportedWhenUsed, context_settings={"show_default": True, "max_content_width": 100})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    show_default=False,
    callback=_tell_version,
    help="Print the version and exit.",
)
def cli() -> None:
    """Run and set up the service."""


def main() -> None:
    """Run a command; what the user can mend is said in one line, without a traceback."""
    configure_logging("warning", lasts=False)  # to standard error, so that it doesn't mix with what a command prints
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
