"""`service-server mcp`: the functions of one user for an agent on this machine, over standard input and output."""

import asyncio
import secrets
from pathlib import Path
from urllib.parse import urlencode

import click

from service_server.cli.administration import upgrade_database
from service_server.cli.logs import configure_logging, level_of
from service_server.cli.one_user import application_option, one_user, user_option
from service_server.cli.options import (
    DEFAULT_PUBLIC_URL,
    allowed_hosts,
    connector_directories,
    data_directory,
    database_url,
    log_level,
    model_directory,
    public_address,
    settings_for,
)
from service_server.errors import ServiceError
from service_server.settings import InvalidSetting, Settings


@click.command("mcp")
@user_option
@application_option
@click.option("--tools", type=click.Choice(["find", "functions"]), default="find", help="Two tools, or each function.")
@click.option("--apps", help="Only functions of these apps, with commas between them.")
@click.option("--types", help="Only functions of these types: query, mutation, passthrough.")
@click.option("--connected", is_flag=True, help="Only functions of apps that the user has connected.")
@data_directory
@database_url
@public_address
@connector_directories
@allowed_hosts
@model_directory
@log_level("warning")
def mcp_cli(
    user_id: str,
    app_key: str | None,
    tools: str,
    apps: str | None,
    types: str | None,
    connected: bool,
    data_dir: Path,
    database: str | None,
    public_url: str | None,
    connectors: tuple[Path, ...],
    allow_host: tuple[str, ...],
    model_dir: Path,
    log_level: str,
) -> None:
    """
    Serve one user's functions to an agent (MCP).

    It speaks the Model Context Protocol on standard input and output, and works on the service's data directory or
    database, beside a running service or without one. Links to connect an account lead to --public-url, where the
    service has to run. Whoever can run this command acts as the user.
    """
    configure_logging(level_of(log_level))
    address = public_url or DEFAULT_PUBLIC_URL
    settings = settings_for(data_dir, database, address, connectors, allow_host, model_dir=model_dir)
    upgrade_database(settings)
    given = {"tools": tools, "apps": apps, "types": types, "connected": "true" if connected else None}
    query = urlencode({name: text for name, text in given.items() if text is not None}).encode()
    asyncio.run(_serve(settings, user_id, app_key, query))


async def _serve(settings: Settings, user_id: str, app_key: str | None, query: bytes) -> None:
    # They take a second to import.
    from service_server.agents.agent import Agent
    from service_server.agents.offer import offer_in
    from service_server.agents.stdio import serve
    from service_server.rest.caller import Caller
    from service_server.rest.calls_at_once import CallsAtOnce

    async with one_user(settings, user_id, app_key) as user:
        try:
            offer = offer_in(query, user.service.catalog)
        except ServiceError as error:
            raise InvalidSetting(error.error) from None
        agent = Agent(
            service=user.service,
            caller=Caller(application=user.application, user_id=user_id, secret_name=""),
            calls_at_once=CallsAtOnce(settings.calls_at_once, settings.application_calls_at_once),
            offer=offer,
            request_id=f"mcp{secrets.token_hex(11)}",
        )
        await serve(agent)
