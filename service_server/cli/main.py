"""The command line: every command, thin."""

import asyncio
import json
import sys
from datetime import datetime
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from attrs import evolve
from rich.console import Console

from service_server.administration import AdministrationError
from service_server.catalog.load import SHIPPED, load_catalog
from service_server.catalog.problems import CatalogError
from service_server.catalog.values import Connector
from service_server.cli.administration import administration, find_connector, upgrade_database
from service_server.cli.applications import application_cli
from service_server.cli.callback import callback_told
from service_server.cli.connectors import connector_cli
from service_server.cli.demo import SANDBOX_APP, demo_ports, run_demo
from service_server.cli.models import model_cli
from service_server.cli.options import (
    DEFAULT_DATA_DIRECTORY,
    DEFAULT_KEEP_ALIVE,
    DEFAULT_MODEL_DIRECTORY,
    LIMITS_HELP,
    AllowHosts,
    ConnectorDirectories,
    DatabaseUrl,
    DataDirectory,
    KeepAlive,
    ModelDirectory,
    PublicUrl,
    TrustedProxies,
    public_url_or_default,
    settings_for,
    trusted_proxies,
)
from service_server.cli.prediction import (
    UnreadableLine,
    answer_cases,
    model_or_words,
    read_catalogue,
    show_prediction,
)
from service_server.cli.serving import LOG_LEVELS, configure_logging, free_port, listening_problem, run_event_loop
from service_server.cli.serving import serve as serve_until_stopped
from service_server.cli.vault import vault_cli
from service_server.predict import Predictor
from service_server.predict.encoder.manifest import InstallFailed, ModelUnusable
from service_server.prediction import predictor_of
from service_server.settings import InvalidSetting, Settings
from service_server.store import DatabaseAway
from service_server.store.migrations import DatabaseUnusable
from service_server.vault import VaultKeyError

cli = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, help="Run and set up the service.")
app_cli = typer.Typer(no_args_is_help=True, help="Third-party apps of the catalogue.")
operator_cli = typer.Typer(no_args_is_help=True, help="People who may sign in to the console.")
db_cli = typer.Typer(no_args_is_help=True, help="The database.")
cli.add_typer(application_cli, name="application")
cli.add_typer(app_cli, name="app")
cli.add_typer(operator_cli, name="operator")
cli.add_typer(connector_cli, name="connector")
cli.add_typer(db_cli, name="db")
cli.add_typer(model_cli, name="model")
cli.add_typer(vault_cli, name="vault")

_errors = Console(stderr=True, soft_wrap=True)
Host = Annotated[str, typer.Option("--host", envvar="SERVICE_HOST")]
Port = Annotated[int, typer.Option("--port", envvar="SERVICE_PORT", min=0, max=65535, help="0 takes a free one.")]
LogLevel = Annotated[str, typer.Option("--log-level", envvar="SERVICE_LOG_LEVEL", help=", ".join(LOG_LEVELS))]


def main() -> None:
    """Run a command; what the user can mend is said in one line, without a traceback."""
    configure_logging("warning", lasts=False)  # to standard error, so that what a command prints stays its own
    try:
        cli()
    except (
        AdministrationError,
        CatalogError,
        DatabaseUnusable,
        InstallFailed,
        InvalidSetting,
        ModelUnusable,
        UnreadableLine,
        VaultKeyError,
    ) as error:
        _fail(str(error))
    except DatabaseAway as error:
        _fail(f"The database is away: {error}.")
    except OSError as error:  # a file, folder or address that the system refuses
        _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))


@cli.command(epilog=LIMITS_HELP)
def serve(
    data_dir: DataDirectory = DEFAULT_DATA_DIRECTORY,
    database: DatabaseUrl = None,
    host: Host = "127.0.0.1",
    port: Port = 8000,
    public_url: PublicUrl = None,
    connectors: ConnectorDirectories = None,
    allow_host: AllowHosts = None,
    model_dir: ModelDirectory = DEFAULT_MODEL_DIRECTORY,
    trusted_proxy: TrustedProxies = None,
    keep_alive: KeepAlive = DEFAULT_KEEP_ALIVE,
    log_level: LogLevel = "info",
) -> None:
    """Run the service."""
    configure_logging(_level(log_level))
    if problem := listening_problem(host, port):
        _fail(f"Cannot listen on port {port} of {host}: {problem}. Choose others with --port and --host.")
    port = port or free_port(host=host)
    url = public_url or f"http://{f'[{host}]' if ':' in host else host}:{port}"
    settings = evolve(
        settings_for(data_dir, database, url, connectors, allow_host, model_directory=model_dir),
        keep_alive_seconds=keep_alive,
        trusted_proxies=trusted_proxies(trusted_proxy),
    )
    upgrade_database(settings)
    typer.echo(json.dumps({"url": settings.public_url}))
    run_event_loop(serve_until_stopped(settings, host, port))


@cli.command()
def demo(
    data_dir: DataDirectory = DEFAULT_DATA_DIRECTORY,
    database: DatabaseUrl = None,
    host: Host = "127.0.0.1",
    port: Port = 8000,
    public_url: PublicUrl = None,
    connectors: ConnectorDirectories = None,
    allow_host: AllowHosts = None,
    model_dir: ModelDirectory = DEFAULT_MODEL_DIRECTORY,
    log_level: LogLevel = "warning",
) -> None:
    """Run the service with a sandbox app and a host page to try it with."""
    configure_logging(_level(log_level))
    ports = demo_ports(host, port)
    settings = settings_for(
        data_dir,
        database,
        public_url or f"http://{host}:{ports.service}",
        connectors,
        [*(allow_host or ()), f"{SANDBOX_APP}={host}:{ports.sandbox}"],
        allow_local_origins=True,
        model_directory=model_dir,
    )
    run_demo(settings, host, ports)


@app_cli.command("configure")
def configure_app(
    name: str,
    client_id: Annotated[str | None, typer.Option("--client-id")] = None,
    client_secret_file: Annotated[
        Path | None, typer.Option("--client-secret-file", help="A file with the secret; - reads standard input.")
    ] = None,
    var: Annotated[list[str] | None, typer.Option("--var", help="NAME=VALUE of an operator's variable.")] = None,
    data_dir: DataDirectory = DEFAULT_DATA_DIRECTORY,
    database: DatabaseUrl = None,
    connectors: ConnectorDirectories = None,
    public_url: PublicUrl = None,
) -> None:
    """
    Set the OAuth2 client of an app and the variables of its deployment.

    Tells the callback URL, under which this service has to be registered with the app.
    """
    variables = {}
    for pair in var or ():
        variable, separator, value = pair.partition("=")
        if not separator:
            _fail(f"--var takes NAME=VALUE, not {pair}.")
        variables[variable] = value
    secret = None
    if client_secret_file is not None:
        secret = _read_secret(client_secret_file)
        if not secret:
            _fail("The client secret is empty.")

    async def configure(settings: Settings, connector: Connector) -> None:
        async with administration(settings) as admin:
            await admin.configure_app(connector, client_id=client_id, client_secret=secret, variables=variables)

    settings = settings_for(data_dir, database, public_url_or_default(public_url), connectors)
    connector = find_connector(settings, name)
    upgrade_database(settings)
    asyncio.run(configure(settings, connector))
    typer.echo(f"Configured {name}.")
    if (told := callback_told(connector, settings.public_url)) is not None:
        typer.echo(told)


@operator_cli.command("create")
def create_operator(
    name: str,
    password_file: Annotated[
        Path | None,
        typer.Option("--password-file", help="A file with the password; - reads standard input (default: ask)."),
    ] = None,
    data_dir: DataDirectory = DEFAULT_DATA_DIRECTORY,
    database: DatabaseUrl = None,
) -> None:
    """Add someone who may sign in to the console, or set a new password."""
    if password_file is not None:
        password = _read_secret(password_file)
    else:
        password = typer.prompt("Password", hide_input=True, confirmation_prompt=True)

    async def create(settings: Settings) -> None:
        async with administration(settings) as admin:
            await admin.create_operator(name, password)

    settings = settings_for(data_dir, database)
    upgrade_database(settings)
    asyncio.run(create(settings))
    typer.echo(f"{name} may sign in to the console.")


@cli.command()
def predict(
    prompt: Annotated[str | None, typer.Argument(help="What to do. Without it, cases are read as JSON lines.")] = None,
    connectors: ConnectorDirectories = None,
    catalogue: Annotated[
        Path | None,
        typer.Option(
            "--catalogue", help="Functions as JSON lines, instead of those of the connectors.", dir_okay=False
        ),
    ] = None,
    arguments: Annotated[bool, typer.Option("--arguments", help="Fill in the arguments of cases too.")] = False,
    model_dir: ModelDirectory = DEFAULT_MODEL_DIRECTORY,
    without_model: Annotated[bool, typer.Option("--without-model", help="Go by words alone.")] = False,
) -> None:
    """
    Show which function a prompt asks for, and with which arguments.

    Without a prompt, standard input holds cases as JSON lines (`{"id", "prompt", "candidates": [names] | null, "now":
    ISO date | null}`), each of which is answered by a line on standard output.
    """
    model = None if without_model else model_or_words(model_dir)
    if catalogue is not None:
        predictor = Predictor(read_catalogue(catalogue), reader=model.reader if model is not None else None)
    else:
        predictor = predictor_of(load_catalog([SHIPPED, *(connectors or ())]), model)
    if prompt is None:
        answer_cases(predictor, sys.stdin, with_arguments=arguments)
    else:
        show_prediction(predictor, prompt, datetime.now().astimezone())


@db_cli.command("upgrade")
def upgrade_schema(data_dir: DataDirectory = DEFAULT_DATA_DIRECTORY, database: DatabaseUrl = None) -> None:
    """Bring the database's schema up to date (`serve` does it too)."""
    upgrade_database(settings_for(data_dir, database))
    typer.echo("The database is up to date.")


def _read_secret(path: Path) -> str:
    """What a file or, for -, standard input holds, without the blanks around it; it is never shown."""
    try:
        return (sys.stdin.read() if str(path) == "-" else path.read_text()).strip()
    except UnicodeDecodeError:
        _fail(f"{path} is not text.")


def _level(name: str) -> str:
    if name not in LOG_LEVELS:
        _fail(f"--log-level is one of {', '.join(LOG_LEVELS)}.")
    return name


def _fail(message: str) -> NoReturn:
    _errors.print(message, style="red", highlight=False, markup=False)
    sys.exit(1)
