"""`service-server webhook`: where applications are told what happens, and what was delivered there."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from service_server.administration.actors import command_line
from service_server.administration.failures import AdministrationError
from service_server.administration.live_secrets import secret_fingerprint
from service_server.administration.webhooks import EVENT_TYPES, WebhookAdministration
from service_server.cli.administration import opened_database_and_vault, upgrade_database
from service_server.cli.one_user import application_of, application_option
from service_server.cli.options import NUMBER, allowed_hosts, as_json, data_directory, database_url, settings_for
from service_server.settings import Settings
from service_server.store import (
    Applications,
    Database,
    WebhookDeliveries,
    WebhookDelivery,
    WebhookEndpoint,
    WebhookEndpoints,
)
from service_server.store.clock import moment, timestamp

_TEST_SECONDS = 20.0
_LOOK_SECONDS = 0.2
_SHOWN = 50
_WIDTH = 200  # ids are of no use cut

Result = TypeVar("Result")


@click.group("webhook")
def webhook_cli() -> None:
    """Webhooks: endpoints, tests, deliveries."""


@webhook_cli.command("create")
@click.argument("url")
@application_option
@click.option(
    "--event", "events", multiple=True, type=click.Choice(EVENT_TYPES), help="Only this one (repeatable; default: all)."
)
@allowed_hosts
@as_json
@data_directory
@database_url
def create_endpoint(
    url: str,
    app_key: str | None,
    events: tuple[str, ...],
    allow_host: tuple[str, ...],
    as_json: bool,
    data_dir: Path,
    database: str | None,
) -> None:
    """Tell an application what happens, at a URL of its backend; prints the secret that deliveries are signed with."""

    async def create(opened: Database, admin: WebhookAdministration) -> tuple[WebhookEndpoint, str]:
        application = await application_of(Applications(opened), app_key)
        return await admin.create(command_line(), application, url, events)

    endpoint, secret = _run(settings_for(data_dir, database, allow_hosts=allow_host), create)
    if as_json:
        click.echo(json.dumps({"id": endpoint.id, "secret": secret}))
    else:
        click.echo(
            f"Endpoint: {endpoint.id}\nSecret:   {secret}\n"
            "Keep the secret on your backend; it is not shown again. `webhook test` sends something to try it with."
        )


@webhook_cli.command("list")
@as_json
@data_directory
@database_url
def list_endpoints(as_json: bool, data_dir: Path, database: str | None) -> None:
    """List the endpoints of all applications, with what they are told and whether they take it."""

    async def everyone(opened: Database, admin: WebhookAdministration) -> list[dict[str, Any]]:
        names = {each.id: each.name for each in await Applications(opened).everyone()}
        return [
            {
                "id": each.id,
                "application": names.get(each.application_id, "?"),
                "url": each.url,
                "events": list(each.event_types),
                "state": each.state,
                "state_reason": each.state_reason,
                "failing_since": None if each.failing_since is None else timestamp(each.failing_since),
                "secrets": [secret_fingerprint(sealed) for sealed in each.sealed_secrets],
            }
            for each in await admin.endpoints.everyone()
        ]

    rows = _run(settings_for(data_dir, database), everyone)
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False))
        return
    table = Table("Id", "Application", "URL", "Events", "State")
    for row in rows:
        failing = f"failing since {row['failing_since']}" if row["failing_since"] else row["state"]
        state = f"disabled: {row['state_reason']}" if row["state"] == "disabled" else failing
        table.add_row(*map(Text, (row["id"], row["application"], row["url"], "\n".join(row["events"]) or "all", state)))
    Console(width=_WIDTH).print(table)


@webhook_cli.command("remove")
@click.argument("endpoint")
@data_directory
@database_url
def remove_endpoint(endpoint: str, data_dir: Path, database: str | None) -> None:
    """Remove an endpoint; nothing more is sent there, not even what was to be."""
    _run_for(endpoint, settings_for(data_dir, database), lambda admin, found: admin.remove(command_line(), found))
    click.echo(f"{endpoint} is removed.")


@webhook_cli.command("rotate")
@click.argument("endpoint")
@click.option("--retire-old", is_flag=True, help="End the older of two live secrets instead of making another.")
@as_json
@data_directory
@database_url
def rotate_secret(endpoint: str, retire_old: bool, as_json: bool, data_dir: Path, database: str | None) -> None:
    """
    Replace the secret of an endpoint without missing anything.

    First without options: a second secret is made and printed, and each delivery is signed with both. Once your backend
    knows the new one, with --retire-old: the old one ends.
    """

    async def rotate(admin: WebhookAdministration, found: WebhookEndpoint) -> str | None:
        if not retire_old:
            return (await admin.add_secret(command_line(), found))[1]
        if len(found.sealed_secrets) < 2:
            raise AdministrationError("There is only one live secret. Make the new one first: leave --retire-old out.")
        await admin.retire_secret(command_line(), found, secret_fingerprint(found.sealed_secrets[-1]))
        return None

    secret = _run_for(endpoint, settings_for(data_dir, database), rotate)
    if as_json:
        click.echo(json.dumps({"id": endpoint, **({} if secret is None else {"secret": secret})}))
    elif secret is None:
        click.echo("The old secret has ended; the new one is the only one.")
    else:
        click.echo(
            f"Secret: {secret}\nDeliveries are signed with both secrets now; this one is not shown again. "
            "Run this again with --retire-old once your backend uses it."
        )


@webhook_cli.command("enable")
@click.argument("endpoint")
@data_directory
@database_url
def enable_endpoint(endpoint: str, data_dir: Path, database: str | None) -> None:
    """Deliver again to a disabled endpoint: first what was still waiting, then what happens from now on."""
    _run_for(endpoint, settings_for(data_dir, database), lambda admin, found: admin.enable(command_line(), found))
    click.echo(f"{endpoint} is enabled.")


@webhook_cli.command("disable")
@click.argument("endpoint")
@data_directory
@database_url
def disable_endpoint(endpoint: str, data_dir: Path, database: str | None) -> None:
    """Send nothing more to an endpoint; what happens from now on is not told, what was not delivered waits."""
    _run_for(endpoint, settings_for(data_dir, database), lambda admin, found: admin.disable(command_line(), found))
    click.echo(f"{endpoint} is disabled.")


@webhook_cli.command("test")
@click.argument("endpoint")
@as_json
@data_directory
@database_url
def test_endpoint(endpoint: str, as_json: bool, data_dir: Path, database: str | None) -> None:
    """Have the running service deliver an event of the type webhook.test, and say what came of it."""

    async def test(admin: WebhookAdministration, found: WebhookEndpoint) -> WebhookDelivery:
        delivery = await admin.test(command_line(), found)
        until = asyncio.get_running_loop().time() + _TEST_SECONDS
        while delivery.attempts == 0 and asyncio.get_running_loop().time() < until:
            await asyncio.sleep(_LOOK_SECONDS)
            delivery = await admin.deliveries.get(delivery.id) or delivery
        return delivery

    delivery = _run_for(endpoint, settings_for(data_dir, database), test)
    if as_json:
        click.echo(json.dumps(_told(delivery), ensure_ascii=False))
    elif delivery.state == "delivered":
        click.echo(f"The endpoint answered {delivery.status}: it works.")
    elif delivery.attempts:
        raise AdministrationError(f"It was not delivered: {delivery.problem} It will be tried again.")
    else:
        raise AdministrationError("Nothing was sent yet. Is the service running? It delivers what waits once it is.")


@webhook_cli.command("deliveries")
@click.argument("endpoint")
@click.option("--state", type=click.Choice(["pending", "delivered", "failed"]), help="Only these.")
@click.option("--limit", type=click.IntRange(1, 1000), default=_SHOWN, help="How many, newest first.")
@click.option("--before", type=NUMBER, help="Only those before the delivery of this number.")
@as_json
@data_directory
@database_url
def list_deliveries(
    endpoint: str,
    state: str | None,
    limit: int,
    before: int | None,
    as_json: bool,
    data_dir: Path,
    database: str | None,
) -> None:
    """List what an endpoint was told, newest first, or is about to be."""

    async def log(admin: WebhookAdministration, found: WebhookEndpoint) -> list[WebhookDelivery]:
        return await admin.deliveries.log(found.id, limit=limit, before=before, state=state)  # type: ignore[arg-type]

    deliveries = _run_for(endpoint, settings_for(data_dir, database), log)
    if as_json:
        click.echo(json.dumps([_told(each) for each in deliveries], ensure_ascii=False))
        return
    table = Table("Number", "Time (UTC)", "Event", "Account", "State", "Attempts", "Last attempt", box=None)
    for each in deliveries:
        last = each.problem or ("" if each.status is None else str(each.status))
        when = moment(each.created_at).strftime("%Y-%m-%d %H:%M:%S")
        account = str(each.account_id or "–")
        table.add_row(*map(Text, (str(each.id), when, each.event_type, account, each.state, str(each.attempts), last)))
    Console().print(table)


@webhook_cli.command("resend")
@click.argument("endpoint")
@click.argument("delivery", type=NUMBER)
@as_json
@data_directory
@database_url
def resend_delivery(endpoint: str, delivery: int, as_json: bool, data_dir: Path, database: str | None) -> None:
    """Deliver an event once more, with the same id, by its number in `webhook deliveries`."""

    async def resend(admin: WebhookAdministration, found: WebhookEndpoint) -> WebhookDelivery:
        return await admin.resend(command_line(), found, delivery)

    again = _run_for(endpoint, settings_for(data_dir, database), resend)
    if as_json:
        click.echo(json.dumps(_told(again), ensure_ascii=False))
    else:
        click.echo(f"It will be sent again, as delivery {again.id}.")


def _told(delivery: WebhookDelivery) -> dict[str, Any]:
    return {
        "number": delivery.id,
        "event_id": delivery.event_id,
        "event": delivery.event_type,
        "connected_account_id": delivery.account_id or None,
        "state": delivery.state,
        "attempts": delivery.attempts,
        "status": delivery.status,
        "problem": delivery.problem,
        "created_at": timestamp(delivery.created_at),
        "ended_at": None if delivery.ended_at is None else timestamp(delivery.ended_at),
        "next_attempt_at": timestamp(delivery.due_at) if delivery.state == "pending" else None,
    }


def _run(settings: Settings, work: Callable[[Database, WebhookAdministration], Awaitable[Result]]) -> Result:
    async def opened() -> Result:
        async with opened_database_and_vault(settings) as (database, vault):
            endpoints, deliveries = WebhookEndpoints(database), WebhookDeliveries(database)
            return await work(database, WebhookAdministration(vault, endpoints, deliveries, settings.allow_hosts))

    upgrade_database(settings)
    return asyncio.run(opened())


def _run_for(
    endpoint: str, settings: Settings, work: Callable[[WebhookAdministration, WebhookEndpoint], Awaitable[Result]]
) -> Result:
    """Do something with an endpoint, which is given by its id."""

    async def found(_: Database, admin: WebhookAdministration) -> Result:
        return await work(admin, await admin.endpoint(endpoint))

    return _run(settings, found)
