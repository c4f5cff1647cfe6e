"""What type checkers must see of the public client; they run this file, Python never does."""

from collections.abc import AsyncIterator, Iterator
from datetime import datetime
from typing import Any, assert_type

import httpx

import service_client as sc
from service_client import admin, webhooks
from service_client.models import administration


def blocking(client: sc.Client) -> None:
    """Every method of the blocking client has the type it returns."""
    assert_type(client.apps.list(connected_only=True, cursor="c", timeout=5), sc.Page[sc.App])
    assert_type(client.apps.list().data, tuple[sc.App, ...])
    assert_type(list(client.apps.list()), list[sc.App])
    assert_type(client.apps.list().iter_pages(), Iterator[sc.Page[sc.App]])
    assert_type(client.apps.list().get_next_page(), sc.Page[sc.App])
    assert_type(client.apps.get("desk"), sc.App)
    assert_type(client.functions.list(app="desk", type="query", include="meta"), sc.Page[sc.Function])
    assert_type(client.functions.get("desk-x", predict_arguments=True, prompt="p"), sc.Function)
    assert_type(client.functions.predict("p", arguments=True), sc.Function | None)
    assert_type(client.functions.call("desk-x", {"a": 1}, connected_account_id=1), sc.ExecutedCall)
    assert_type(client.functions.call("desk-x").raise_for_failure(), sc.ExecutedCall)
    assert_type(client.functions.call_pages("desk-x"), Iterator[sc.ExecutedCall])
    assert_type(client.functions.call_many("desk-x", [{}]), Iterator[sc.ExecutedCall | sc.ServiceError])
    assert_type(client.functions.items("desk-x"), Iterator[Any])
    assert_type(client.functions.passthrough("desk", "GET", "/me"), sc.ExecutedCall)
    assert_type(client.connected_accounts.list("desk"), tuple[sc.ConnectedAccount, ...])
    assert_type(client.connected_accounts.disconnect("desk", 1), None)
    assert_type(client.connect_sessions.create("desk"), sc.ConnectSession)
    assert_type(client.connect_sessions.get("s", wait=25), sc.ConnectSessionState)
    assert_type(client.connect_sessions.wait("s", timeout=60), sc.ConnectSessionState)
    assert_type(client.connect_sessions.redeem("s", "c"), sc.ConnectSessionState)
    assert_type(client.session_tokens.create(expires_in=60).expires_at, datetime)
    assert_type(client.for_user("bob"), sc.Client)


async def awaiting(client: sc.AsyncClient) -> None:
    """Every method of the awaiting client has the same types, awaited."""
    assert_type(client.apps.list(), sc.AsyncPages[sc.App])
    assert_type(await client.apps.list(), sc.AsyncPage[sc.App])
    assert_type([app async for app in client.apps.list()], list[sc.App])
    assert_type([page async for page in client.apps.list().iter_pages()], list[sc.AsyncPage[sc.App]])
    assert_type(await client.apps.get("desk"), sc.App)
    assert_type(client.functions.list(), sc.AsyncPages[sc.Function])
    assert_type(await client.functions.get("desk-x"), sc.Function)
    assert_type(await client.functions.predict("p"), sc.Function | None)
    assert_type(await client.functions.call("desk-x"), sc.ExecutedCall)
    assert_type(client.functions.call_pages("desk-x"), AsyncIterator[sc.ExecutedCall])
    assert_type(client.functions.call_many("desk-x", [{}]), AsyncIterator[sc.ExecutedCall | sc.ServiceError])
    assert_type(await client.functions.passthrough("desk", "GET", "/me", {"a": 1}), sc.ExecutedCall)
    assert_type(await client.connected_accounts.list("desk"), tuple[sc.ConnectedAccount, ...])
    assert_type(await client.connect_sessions.create("desk"), sc.ConnectSession)
    assert_type(await client.connect_sessions.wait("s"), sc.ConnectSessionState)
    assert_type(await client.session_tokens.create(), sc.SessionToken)


def rejected(client: sc.Client) -> None:
    """A wrong name or type is an error; an ignore that were not needed would be one, too."""
    client.apps.get(5)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    client.apps.get(title="x")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    client.functions.list(type="other")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


async def token() -> str:
    """Return a session token."""
    return "token"


sc.Client("https://functions.example.com", token=lambda: "token")
sc.AsyncClient("https://functions.example.com", token=token)
sc.Client("https://functions.example.com", token="t", http_client=httpx.Client())
sc.AsyncClient("https://functions.example.com", token="t", http_client=httpx.AsyncClient())
sc.Client("https://functions.example.com", token=token)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def webhook(body: bytes, headers: dict[str, str]) -> None:
    """A webhook becomes an event, whose data are told apart by their class."""
    event = webhooks.verify(body, headers, ["whsec_new", "whsec_old"])
    assert_type(event, webhooks.Event)
    if isinstance(event.data, webhooks.CallEvent):
        assert_type(event.data.network_code, str | None)


def administering(client: admin.AdminClient) -> None:
    """Methods of the admin API's blocking client have the types they return."""
    assert_type(client.applications.list(limit=5), sc.Page[administration.Application])
    assert_type(client.applications.create("Acme").secret, str)
    assert_type(list(client.calls.list(outcome="failed", since="24h")), list[administration.Call])
    assert_type(client.calls.export(format="csv"), bytes)
    assert_type(client.calls.replay("c", confirmed=True).call_id, str | None)
    assert_type(client.keys.remove("k"), None)
    assert_type(client.operators.sessions("ada"), sc.Page[administration.OperatorSession])
    assert_type(client.operators.end_session("ada", "s"), bool)
    assert_type(client.operators.end_sessions("ada"), int)


async def administering_async(client: admin.AsyncAdminClient) -> None:
    """Those of the awaited client, too."""
    assert_type(await client.applications.get(1), administration.Application)
    assert_type(await client.audit.list(by="ada"), sc.AsyncPage[administration.AuditEvent])
    assert_type([each async for each in client.accounts.list(user="u")], list[administration.Account])
