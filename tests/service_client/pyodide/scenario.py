"""What the client must do inside Pyodide; run there by `run_scenario.mjs`, never by pytest itself."""

import asyncio
import json
import sys
import traceback
from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import Any

import service_client as sc
from service_client.plans import HttpRequest
from service_client.transports import limits
from service_client.transports.fetch import AsyncFetchTransport

KNOWN: dict[str, Any] = {"app_key": "key", "user_id": "Zoë", "secret": "secret"}
WATCH = """
globalThis.sent = [];
const send = globalThis.fetch;
globalThis.fetch = (url, options) => { sent.push(options); return send(url, options); };
"""
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


def latest() -> Any:
    """Return the options that `fetch` was last called with."""
    return import_module("js").sent[-1]


@check
async def a_call_arrives_and_its_result_comes_back(base_url: str) -> None:
    """Headers, path, query and body survive `fetch`, and HTTPX is not needed."""
    async with sc.AsyncClient(base_url, **KNOWN) as client:
        result = await client.functions.call("a/b-echo", {"title": "é"}, connected_account_id=3, idempotency_key="k")
        await client.connect_sessions.cancel("empty")
    asked = result.output
    assert ("POST", "/functions/a%2Fb-echo?connected_account_id=3") == (asked["method"], asked["target"])
    assert asked["body"] == '{"title":"é"}'
    assert asked["headers"]["user-id"] == "Zo%C3%AB"
    assert asked["headers"]["hash"] == sc.sign("Zoë", "secret")
    assert asked["headers"]["idempotency-key"] == "k"
    assert result.request_id == "r-7"
    assert "httpx" not in sys.modules


@check
async def nothing_of_the_browsers_own_is_used(base_url: str) -> None:
    """Cookies, caches and redirects stay out, and headers that the browser owns are left to it."""
    url = f"{base_url}/functions/a-echo"
    await AsyncFetchTransport().send(HttpRequest("POST", url, {"App-Key": "key", "Host": "x"}, b"{}", 60.0))
    options = latest()
    assert {"App-Key": "key"} == options.headers.to_py()
    assert ("manual", "omit", "no-store") == (options.redirect, options.credentials, options.cache)
    assert options.referrerPolicy == "no-referrer"


@check
async def a_busy_service_is_tried_again(base_url: str) -> None:
    """`Retry-After` is read from `fetch`'s headers, and waiting works."""
    async with sc.AsyncClient(base_url, **KNOWN) as client:
        assert (await client.apps.get("busy-once")).name == "busy-once"


@check
async def failures_are_the_clients_own_errors(base_url: str) -> None:
    """No JavaScript error reaches the caller; a request that nobody waits for any more is aborted."""
    limits.LARGEST_ANSWER, largest = 1024, limits.LARGEST_ANSWER
    for name, expected, timeout in (
        ("reset", sc.ServiceUnreachableError, 60.0),
        ("truncated", sc.ServiceUnreachableError, 60.0),
        ("hang", sc.ServiceTimeoutError, 0.2),
        ("trickle", sc.ServiceTimeoutError, 0.2),
        ("redirect", sc.MalformedAnswerError, 60.0),
        ("html", sc.MalformedAnswerError, 60.0),
        ("flood", sc.MalformedAnswerError, 60.0),
    ):
        async with sc.AsyncClient(base_url, **KNOWN, timeout=timeout, retries=0) as client:
            error = await raised(client.apps.get(name))
            assert type(error) is expected, (name, error)
            assert latest().signal.aborted
            if type(error) is sc.ServiceUnreachableError:
                assert error.may_have_executed
                assert "allowed origins" in str(error)
                assert name not in str(error)
    limits.LARGEST_ANSWER = largest


@check
async def a_cancelled_task_ends(base_url: str) -> None:
    """Cancelling a task that waits for an answer ends it as `CancelledError`, and the request with it."""
    async with sc.AsyncClient(base_url, **KNOWN) as client:
        task = asyncio.create_task(client.apps.get("hang"))
        await asyncio.sleep(0.1)
        assert not latest().signal.aborted
        task.cancel()
        assert isinstance(await raised(task), asyncio.CancelledError)
        assert latest().signal.aborted


@check
async def the_blocking_client_works(base_url: str) -> None:
    """Where WebAssembly can be suspended, `Client` blocks."""
    with sc.Client(base_url, **KNOWN) as client:
        assert client.apps.get("busy-twice").name == "busy-twice"


def try_to_block(base_url: str) -> None:
    """Call where JavaScript doesn't await what Python does, so that nothing can be suspended."""
    with sc.Client(base_url, **KNOWN) as client:
        try:
            client.apps.get("ok")
        except sc.UnsupportedEnvironmentError as error:
            REFUSALS.append(str(error))


async def main(base_url: str) -> str:
    """Run all checks; return their failures by name, and what was refused before, as JSON."""
    import_module("pyodide.code").run_js(WATCH)
    failures: dict[str, str] = {}
    for function in CHECKS:
        try:
            await function(base_url)
            failures[function.__name__] = ""
        except Exception:
            failures[function.__name__] = traceback.format_exc()
    return json.dumps({"failures": failures, "refusals": REFUSALS})
