"""Commands that act for one user of an application, on the service's data: `mcp`, `call`, `accounts`."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import click
from attrs import frozen

from service_server.administration.failures import AdministrationError
from service_server.settings import InvalidSetting, Settings
from service_server.store import Application, Applications

if TYPE_CHECKING:  # it takes a second to import
    from service_server.service import Service

user_option = click.option(
    "--user-id", envvar="SERVICE_USER_ID", show_envvar=True, required=True, help="Whose functions and accounts."
)
application_option = click.option(
    "--app-key",
    envvar="SERVICE_APP_KEY",
    show_envvar=True,
    help="The host application's App-Key; may be left out where there is only one.",
)


@frozen
class OneUser:
    """A service that runs in this process, and for whom."""

    service: "Service"
    application: Application
    user_id: str


@asynccontextmanager
async def one_user(settings: Settings, user_id: str, app_key: str | None) -> AsyncIterator[OneUser]:
    """The service for a user of an application, as `calling_service`."""
    check_user_id(user_id)
    async with calling_service(settings) as service:
        yield OneUser(service, await application_of(service.applications, app_key), user_id)


@asynccontextmanager
async def calling_service(settings: Settings) -> AsyncIterator["Service"]:
    """A service that makes calls in this process; at the end it waits for what is under way, as long as it may."""
    from service_server.service import running_service

    async with running_service(settings) as service:
        try:
            yield service
        finally:
            service.connect.stop_waiting()
            try:
                async with asyncio.timeout(settings.shutdown_seconds):
                    await service.invoker.finish()
                    await service.credentials.drain()
            except TimeoutError:
                await service.invoker.give_up()


def check_user_id(user_id: str) -> None:
    """Refuse what can be nobody's id."""
    from service_server.rest.authentication import is_user_id

    if not is_user_id(user_id):
        raise InvalidSetting("--user-id takes 1 to 256 characters without control characters.")


async def application_of(applications: Applications, app_key: str | None) -> Application:
    """The application with this key; without one, the only application."""
    everyone = await applications.everyone()
    if app_key is None and len(everyone) == 1:
        return everyone[0]
    for each in everyone:
        if each.app_key == app_key:
            return each
    if app_key is None:
        raise AdministrationError(
            f"There are {len(everyone)} applications; say which one with --app-key (`application list` shows them)."
        )
    raise AdministrationError("There is no application with this App-Key; `application list` shows them.")
