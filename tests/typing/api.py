"""What type checkers must see of the public client; they run this file, Python never does."""

from collections.abc import AsyncIterator, Iterator
from typing import Any, assert_type

import service_client as sc


def blocking(client: sc.Client) -> None:
    """Every method of the blocking client has the type it returns."""
    assert_type(client.apps.all(connected_only=True), Iterator[sc.App])
    assert_type(client.apps.pages(cursor="c"), Iterator[sc.AppList])
    assert_type(client.apps.get("desk"), sc.App)
    assert_type(client.functions.all(app="desk", type="query", include="meta"), Iterator[sc.Function])
    assert_type(client.functions.pages(), Iterator[sc.FunctionList])
    assert_type(client.functions.get("desk-x", predict_arguments=True, prompt="p"), sc.Function)
    assert_type(client.functions.predict("p", arguments=True), sc.Function | None)
    assert_type(client.functions.call("desk-x", {"a": 1}, connected_account_id=1), sc.CallResult)
    assert_type(client.functions.call_pages("desk-x"), Iterator[sc.CallResult])
    assert_type(client.functions.items("desk-x"), Iterator[Any])
    assert_type(client.functions.passthrough("desk", "GET", "/me"), sc.CallResult)
    assert_type(client.connected_accounts.all("desk"), tuple[sc.ConnectedAccount, ...])
    assert_type(client.connected_accounts.disconnect("desk", 1), None)
    assert_type(client.connect_sessions.create("desk"), sc.ConnectSession)
    assert_type(client.connect_sessions.get("s", wait=25), sc.ConnectSessionState)
    assert_type(client.connect_sessions.redeem("s", "c"), sc.ConnectSessionState)
    assert_type(client.session_tokens.create(expires_in=60), sc.SessionToken)


async def awaiting(client: sc.AsyncClient) -> None:
    """Every method of the awaiting client has the same types, awaited."""
    assert_type(client.apps.all(), AsyncIterator[sc.App])
    assert_type(await client.apps.get("desk"), sc.App)
    assert_type(client.functions.all(), AsyncIterator[sc.Function])
    assert_type(await client.functions.get("desk-x"), sc.Function)
    assert_type(await client.functions.predict("p"), sc.Function | None)
    assert_type(await client.functions.call("desk-x"), sc.CallResult)
    assert_type(client.functions.call_pages("desk-x"), AsyncIterator[sc.CallResult])
    assert_type(await client.functions.passthrough("desk", "GET", "/me", {"a": 1}), sc.CallResult)
    assert_type(await client.connected_accounts.all("desk"), tuple[sc.ConnectedAccount, ...])
    assert_type(await client.connect_sessions.create("desk"), sc.ConnectSession)
    assert_type(await client.session_tokens.create(), sc.SessionToken)


def rejected(client: sc.Client) -> None:
    """A wrong name or type is an error; an ignore that were not needed would be one, too."""
    client.apps.get(5)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    client.apps.get(title="x")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    client.functions.all(type="other")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


async def token() -> str:
    """Return a session token."""
    return "token"


sc.Client("https://functions.example.com", token=lambda: "token")
sc.AsyncClient("https://functions.example.com", token=token)
sc.Client("https://functions.example.com", token=token)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
