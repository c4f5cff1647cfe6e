"""`service-server serve`: the service, in this process or in several workers."""

import contextlib
import json
import os
from pathlib import Path

import click
import structlog
from attrs import evolve

from service_server.cli.administration import make_database
from service_server.cli.handing_over import handed_over, taken
from service_server.cli.logs import configure_logging, level_of
from service_server.cli.options import (
    LIMITS_HELP,
    admin_address,
    admin_host,
    admin_port,
    admin_url_of,
    allowed_hosts,
    authorization_server,
    connector_directories,
    data_directory,
    database_url,
    issuer,
    keep_alive,
    listening_host,
    listening_port,
    log_level,
    metrics_host,
    metrics_port_number,
    model_directory,
    public_address,
    settings_for,
    trusted_proxies,
    trusted_proxy,
    worker_count,
)
from service_server.cli.setting_names import unknown_settings
from service_server.cli.workers import Supervisor, ignore_terminal, run_service
from service_server.telemetry.choice import chosen

_LOG = structlog.get_logger(__name__)


@click.command("serve", epilog=LIMITS_HELP)
@data_directory
@database_url
@listening_host
@listening_port
@public_address
@connector_directories
@allowed_hosts
@model_directory
@trusted_proxy
@keep_alive
@authorization_server
@worker_count
@admin_host
@admin_port
@admin_address
@metrics_host
@metrics_port_number
@log_level("info")
def serve_cli(
    data_dir: Path,
    database: str | None,
    host: str,
    port: int,
    public_url: str | None,
    connectors: tuple[Path, ...],
    allow_host: tuple[str, ...],
    model_dir: Path,
    trusted_proxy: tuple[str, ...],
    keep_alive: int,
    authorization_server: str | None,
    workers: int,
    admin_host: str,
    admin_port: int | None,
    admin_url: str | None,
    metrics_host: str,
    metrics_port: int | None,
    log_level: str,
) -> None:
    """
    Run the service.

    With several workers SIGHUP replaces them one after the other; each answers what it has been asked before it ends.
    """
    configure_logging(level_of(log_level))
    chosen(os.environ, prometheus=metrics_port is not None)  # says now what can't be used
    handed = handed_over(os.environ)
    if handed is not None:
        ignore_terminal()
    asked = taken(host, port, admin_host, admin_port, metrics_host, metrics_port)
    with contextlib.nullcontext(handed.place) if handed else asked as place:
        port = place.listener.getsockname()[1]
        url = public_url or f"http://{f'[{host}]' if ':' in host else host}:{port}"
        settings = evolve(
            settings_for(data_dir, database, url, connectors, allow_host, model_dir=model_dir),
            keep_alive_seconds=keep_alive,
            trusted_proxies=trusted_proxies(trusted_proxy),
            authorization_server=issuer(authorization_server),
            admin_url=admin_url_of(admin_url, admin_host, admin_port),
        )
        make_database(settings)
        if handed is not None:
            run_service(settings, place, handed.answers, handed.watcher.fileno())
            return
        for unknown in unknown_settings(os.environ, serve_cli.params):
            _LOG.warning("setting.unknown", setting=unknown.name, nearest=unknown.nearest, message=unknown.advice)
        own = {} if settings.admin_url is None else {"admin_url": settings.admin_url}

        def announce() -> None:
            click.echo(json.dumps({"url": settings.public_url, **own}))

        if workers > 1:
            Supervisor(workers, settings, place, announce).run()
        else:
            run_service(settings, place, announce)
