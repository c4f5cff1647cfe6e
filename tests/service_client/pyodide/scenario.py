"""What the client must do inside Pyodide; run there by `run_scenario.mjs`, never by pytest itself."""

import asyncio
import json
import sys
import traceback
from collections.abc import Awaitable, Callable
from typing import Any

import service_client as sc

KNOWN: dict[str, Any] = {"app_key": "key", "user_id": "Zoë", "secret": "secret"}
Check = Callable[[str], Any]
CHECKS: list[Check] = []
REFUSALS: list[str] = []
"""What `Client` said where it couldn't block."""


async def raised(awaitable: Awaitable[Any]) -> BaseException:
    """Return what an awaitable raises; it must."""
    try:
        await awaitable
    except (sc.ServiceClientError, asyncio.CancelledError) as error:
        return error
    raise AssertionError("nothing was raised")


def check(function: Check) -> Check:
    """Add a check; its result says nothing, an exception that it failed."""
    CHECKS.append(function)
    return function


@check
async def httpx_is_not_needed(base_url: str) -> None:
    """Neither importing nor calling loads HTTPX."""
    async with sc.AsyncClient(base_url, **KNOWN) as client:
        await client.apps.get("ok")
    assert "httpx" not in sys.modules


@check
async def a_call_arrives_and_its_result_comes_back(base_url: str) -> None:
    """Headers, path, query and body survive `fetch`."""
    async with sc.AsyncClient(base_url, **KNOWN) as client:
        result = await client.functions.call("a/b-echo", {"title": "é"}, connected_account_id=3, idempotency_key="k")
    asked = result.output
    assert asked["method"] == "POST"
    assert asked["target"] == "/functions/a%2Fb-echo?connected_account_id=3"
    assert asked["body"] == '{"title":"é"}'
    assert asked["headers"]["user-id"] == "Zo%C3%AB"
    assert asked["headers"]["hash"] == sc.sign("Zoë", "secret")
    assert asked["headers"]["idempotency-key"] == "k"


@check
async def tools_and_notebooks_work_here(base_url: str) -> None:
    """A model's call is carried out, and a notebook in a browser shows HTML."""
    from service_client.tools import ANTHROPIC, AsyncTools

    async with sc.AsyncClient(base_url, **KNOWN) as client:
        shown = (await client.apps.get("ok"))._repr_html_()
        function = sc.Function(name="a-pages", description="Pages.", parameters=sc.Parameters())
        tools = AsyncTools(client, [function])
        block = {"type": "tool_use", "id": "1", "name": "a-pages", "input": {}}
        (message,) = await tools.answer(ANTHROPIC, {"content": [block]})
    assert "<strong>" in shown
    assert '"output":[1,2]' in message["content"][0]["content"]


@check
async def paging_goes_through_all_pages(base_url: str) -> None:
    """Asynchronous iteration works over several requests."""
    async with sc.AsyncClient(base_url, **KNOWN) as client:
        assert [1, 2, 3] == [item async for item in client.functions.items("a-pages")]


@check
async def a_204_is_a_success(base_url: str) -> None:
    """An answer without a body is read."""
    async with sc.AsyncClient(base_url, **KNOWN) as client:
        await client.connect_sessions.cancel("empty")


@check
async def a_busy_service_is_tried_again(base_url: str) -> None:
    """`Retry-After` is read from `fetch`'s headers, and waiting works."""
    async with sc.AsyncClient(base_url, **KNOWN) as client:
        assert (await client.apps.get("busy-once")).name == "busy-once"


@check
async def a_refused_call_raises(base_url: str) -> None:
    """The envelope is read as on CPython."""
    async with sc.AsyncClient(base_url, **KNOWN) as client:
        error = await raised(client.functions.call("a-refused"))
    assert isinstance(error, sc.CallRefusedError)
    assert error.codes == ("not_connected",)


@check
async def failures_are_the_clients_own_errors(base_url: str) -> None:
    """No JavaScript error reaches the caller."""
    for name, expected, timeout in (
        ("reset", sc.ServiceUnreachableError, 60.0),
        ("truncated", sc.ServiceUnreachableError, 60.0),
        ("hang", sc.ServiceTimeoutError, 0.2),
        ("trickle", sc.ServiceTimeoutError, 0.2),
        ("redirect", sc.MalformedAnswerError, 60.0),
        ("html", sc.MalformedAnswerError, 60.0),
    ):
        async with sc.AsyncClient(base_url, **KNOWN, timeout=timeout, retries=0) as client:
            error = await raised(client.apps.get(name))
            assert type(error) is expected, (name, error)


@check
async def a_cancelled_task_ends(base_url: str) -> None:
    """Cancelling a task that waits for an answer ends it as `CancelledError`."""
    async with sc.AsyncClient(base_url, **KNOWN) as client:
        task = asyncio.create_task(client.apps.get("hang"))
        await asyncio.sleep(0.1)
        task.cancel()
        assert isinstance(await raised(task), asyncio.CancelledError)


@check
async def a_token_is_renewed(base_url: str) -> None:
    """A coroutine function gives the tokens, as a page does."""
    tokens = iter(["expired", "fresh"])

    async def token() -> str:
        return next(tokens)

    async with sc.AsyncClient(base_url, token=token) as client:
        result = await client.functions.call("a-token")
    assert result.output["headers"]["authorization"] == "Bearer fresh"


@check
async def users_share_a_client_until_it_is_closed(base_url: str) -> None:
    """`for_user` signs for its user, and a closed client says so."""
    async with sc.AsyncClient(base_url, app_key="key", secret="secret") as client:
        result = (await client.for_user("ann").functions.call("a-echo")).raise_for_failure()
        ann = client.for_user("ann")
    assert result.output["headers"]["hash"] == sc.sign("ann", "secret")
    assert isinstance(await raised(ann.apps.get("ok")), sc.ClientClosedError)


@check
async def lists_are_pages(base_url: str) -> None:
    """A list is awaited for its first page, or gone through to its end; what the service newly says is kept."""
    async with sc.AsyncClient(base_url, **KNOWN) as client:
        page = await client.apps.list()
        states = [account.state async for app in client.apps.list() for account in app.connected_accounts]
    assert page.has_next_page()
    assert page.request_id == "r-7"
    assert states == ["sleeping", "sleeping"]
    assert page.data[0].connected_accounts[0].modified_at.isoformat() == "2030-01-02T00:00:00+00:00"


@check
async def waiting_ends_with_the_session(base_url: str) -> None:
    """Time passes between the polls, and the end is told."""
    async with sc.AsyncClient(base_url, **KNOWN) as client:
        state = await client.connect_sessions.wait("pending-once", timeout=30)
    assert state.status == "connected"


@check
async def many_requests_run_together(base_url: str) -> None:
    """Concurrent requests get their own answers."""
    async with sc.AsyncClient(base_url, **KNOWN) as client:
        results = await asyncio.gather(*(client.functions.call("a-echo", {"n": n}) for n in range(10)))
    assert [f'{{"n":{n}}}' for n in range(10)] == [result.output["body"] for result in results]


@check
async def the_blocking_client_works(base_url: str) -> None:
    """Where WebAssembly can be suspended, `Client` blocks."""
    with sc.Client(base_url, **KNOWN) as client:
        assert client.apps.get("busy-twice").name == "busy-twice"
        assert [1, 2, 3] == list(client.functions.items("a-pages"))


def try_to_block(base_url: str) -> None:
    """Call where JavaScript doesn't await what Python does, so that nothing can be suspended."""
    with sc.Client(base_url, **KNOWN) as client:
        try:
            client.apps.get("ok")
        except sc.UnsupportedEnvironmentError as error:
            REFUSALS.append(str(error))


async def main(base_url: str) -> str:
    """Run all checks; return their failures by name, and what was refused before, as JSON."""
    failures: dict[str, str] = {}
    for function in CHECKS:
        try:
            await function(base_url)
            failures[function.__name__] = ""
        except Exception:
            failures[function.__name__] = traceback.format_exc()
    return json.dumps({"failures": failures, "refusals": REFUSALS})
