"""The `fetch` transport on CPython, with a stand-in for the browser; the real one is tested in pyodide/."""

import asyncio
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import service_client as sc
from service_client.plans import HttpRequest
from service_client.transports import default_async_transport, default_transport
from service_client.transports.fetch import AsyncFetchTransport, FetchTransport

REQUEST = HttpRequest(
    "POST", "http://service.test/functions/a-b?prompt=private", {"App-Key": "key", "Host": "x"}, b"{}", 5.0
)


class JsError(Exception):
    """Stands for `pyodide.ffi.JsException`."""


class Controller:
    """Stands for an `AbortController`."""

    made: list["Controller"]

    def __init__(self) -> None:
        self.signal = object()
        self.aborted = False

    @classmethod
    def new(cls) -> "Controller":
        """Make one, as Pyodide spells JavaScript's `new`."""
        cls.made.append(cls())
        return cls.made[-1]

    def abort(self) -> None:
        """Note it."""
        self.aborted = True


class Entries(dict[str, Any]):
    """Stands for a JavaScript object."""

    def to_py(self) -> dict[str, Any]:
        """Return what Python makes of it."""
        return dict(self)


def answer(*chunks: bytes, status: int = 200, headers: dict[str, str] | None = None) -> Any:
    """Return what `fetch` resolves to."""
    waiting = list(chunks)

    async def read() -> Any:
        if not waiting:
            return SimpleNamespace(done=True)
        chunk = waiting.pop(0)
        return SimpleNamespace(done=False, value=SimpleNamespace(to_bytes=lambda: chunk))

    body = SimpleNamespace(getReader=lambda: SimpleNamespace(read=read)) if chunks else None
    return SimpleNamespace(status=status, headers=headers or {}, body=body)


class Browser:
    """What the stand-in answers (a result or an error), and the calls of `fetch` it got."""

    def __init__(self) -> None:
        self.answer: Any = None
        self.calls: list[tuple[str, dict[str, Any]]] = []

    async def fetch(self, url: str, options: dict[str, Any]) -> Any:
        """Note the call and answer it; an `Event` is waited for."""
        self.calls.append((url, options))
        if isinstance(self.answer, asyncio.Event):
            await self.answer.wait()
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch) -> Browser:
    """Offer the modules that exist in Pyodide only."""
    browser = Browser()
    Controller.made = []
    js: Any = ModuleType("js")
    js.fetch = browser.fetch
    js.AbortController = Controller
    js.Object = SimpleNamespace(fromEntries=Entries)
    ffi: Any = ModuleType("pyodide.ffi")
    ffi.JsException = JsError
    ffi.to_js = lambda value, dict_converter: dict_converter(value)
    for name, module in {"js": js, "pyodide": ModuleType("pyodide"), "pyodide.ffi": ffi}.items():
        monkeypatch.setitem(sys.modules, name, module)
    return browser


async def test_a_request_is_handed_to_fetch(browser: Browser) -> None:
    """Cookies, caches and redirects stay out, and headers that the browser owns are left to it."""
    browser.answer = answer(b'{"a"', b":1}", status=201, headers={"Request-Id": "r"})
    response = await AsyncFetchTransport().send(REQUEST)

    assert (201, b'{"a":1}', {"request-id": "r"}) == (response.status, response.content, response.headers)
    ((url, options),) = browser.calls
    assert url == REQUEST.url
    assert options == {
        "method": "POST",
        "headers": {"App-Key": "key"},
        "body": b"{}",
        "signal": Controller.made[0].signal,
        "redirect": "manual",
        "credentials": "omit",
        "cache": "no-store",
        "referrerPolicy": "no-referrer",
    }


async def test_a_failed_fetch_is_unreachability(browser: Browser) -> None:
    """A browser does not say why; the error names the three causes, and no private part of the address."""
    browser.answer = JsError("TypeError: Failed to fetch")

    with pytest.raises(sc.ServiceUnreachableError, match="allowed origins") as caught:
        await AsyncFetchTransport().send(REQUEST)

    assert "private" not in str(caught.value)
    assert caught.value.may_have_executed


@pytest.mark.parametrize("gives_up", [sc.ServiceTimeoutError, asyncio.CancelledError])
async def test_a_request_that_nobody_waits_for_is_aborted(browser: Browser, gives_up: type[BaseException]) -> None:
    """After the timeout, or once its task is cancelled, the browser is told to stop; a GET has no body at all."""
    browser.answer = asyncio.Event()
    is_late = gives_up is sc.ServiceTimeoutError
    request = HttpRequest("GET", "http://service.test/apps", {}, None, 0.01 if is_late else 5.0)
    task = asyncio.create_task(AsyncFetchTransport().send(request))
    await asyncio.sleep(0)
    if not is_late:
        task.cancel()

    with pytest.raises(gives_up):
        await task
    assert Controller.made[0].aborted
    assert "body" not in browser.calls[0][1]


async def test_an_answer_without_end_is_cut_off(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit on an answer's size holds here too, while it arrives."""
    monkeypatch.setattr("service_client.transports.limits.LARGEST_ANSWER", 10)
    browser.answer = answer(*[b"12345"] * 3)

    with pytest.raises(sc.MalformedAnswerError, match="larger"):
        await AsyncFetchTransport().send(REQUEST)
    assert Controller.made[0].aborted


async def test_the_transport_is_chosen_by_the_platform(monkeypatch: pytest.MonkeyPatch) -> None:
    """On Emscripten the clients use `fetch`, elsewhere HTTPX."""
    from service_client.transports.httpx import AsyncHttpxTransport, HttpxTransport

    blocking, awaiting = default_transport(), default_async_transport()
    assert isinstance(blocking, HttpxTransport)
    assert isinstance(awaiting, AsyncHttpxTransport)
    blocking.close()
    await awaiting.aclose()

    monkeypatch.setattr("service_client.transports._PLATFORM", "emscripten")
    assert isinstance(default_transport(), FetchTransport)
    assert isinstance(default_async_transport(), AsyncFetchTransport)
