"""`service-server serve`: the service, in this process or in several workers."""

import json

import typer
from attrs import evolve

from service_server.cli.administration import upgrade_database
from service_server.cli.listening import bound
from service_server.cli.logs import configure_logging, level_of
from service_server.cli.options import (
    DEFAULT_DATA_DIRECTORY,
    DEFAULT_KEEP_ALIVE,
    DEFAULT_MODEL_DIRECTORY,
    LIMITS_HELP,
    AllowHosts,
    ConnectorDirectories,
    DatabaseUrl,
    DataDirectory,
    Host,
    KeepAlive,
    LogLevel,
    ModelDirectory,
    Port,
    PublicUrl,
    TrustedProxies,
    Workers,
    settings_for,
    trusted_proxies,
)
from service_server.cli.workers import Supervisor, run_service

serve_cli = typer.Typer()


@serve_cli.command("serve", epilog=LIMITS_HELP)
def serve_command(
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
    workers: Workers = 1,
    log_level: LogLevel = "info",
) -> None:
    """
    Run the service.

    With several workers SIGHUP replaces them one after the other; each answers what it has been asked before it ends.
    """
    configure_logging(level_of(log_level))
    with bound(host, port) as listener:
        port = listener.getsockname()[1]
        url = public_url or f"http://{f'[{host}]' if ':' in host else host}:{port}"
        settings = evolve(
            settings_for(data_dir, database, url, connectors, allow_host, model_directory=model_dir),
            keep_alive_seconds=keep_alive,
            trusted_proxies=trusted_proxies(trusted_proxy),
        )
        upgrade_database(settings)
        typer.echo(json.dumps({"url": settings.public_url}))
        if workers > 1:
            Supervisor(workers, settings, listener, log_level).run()
        else:
            run_service(settings, listener)
