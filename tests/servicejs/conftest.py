"""The SDK's Python with a page and a service in memory."""

import asyncio
import itertools
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from attrs import define, field

from service_client.errors import ServiceUnreachableError
from service_client.testing import AsyncMemoryTransport, FakeService, HttpRequest, Response
from servicejs import connect_attempt
from servicejs.language import speak
from servicejs.page.memory_page import MemoryPage
from servicejs.service_js import ServiceJs

OPTIONS = {"appKey": "key", "userId": "ann", "hash": "0" * 64, "baseUrl": "http://service.test"}


class Rejected(Exception):
    """What a JavaScript promise would be rejected with."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error["code"], error["message"])
        self.code: str = error["code"]
        self.error = error


@define
class Sdk:
    """
    The SDK as the shell drives it.

    `answer` may take the place of the service for some requests: it returns None for those it leaves to the service.
    """

    service: FakeService = field(factory=FakeService)
    page: MemoryPage = field(factory=MemoryPage)
    answer: Callable[[HttpRequest], Response | None] = lambda request: None
    requests: list[HttpRequest] = field(factory=list)
    is_away: bool = False
    _service_js: ServiceJs = field(init=False)
    _ids: Any = field(factory=itertools.count)

    def __attrs_post_init__(self) -> None:
        self._service_js = ServiceJs(self.page, AsyncMemoryTransport(self._handle))

    def _handle(self, request: HttpRequest) -> Response:
        self.requests.append(request)
        if self.is_away:
            raise ServiceUnreachableError("The service could not be reached.", may_have_executed=False)
        return self.answer(request) or self.service.handle(request)

    async def start(self, instance: str = "a", **options: Any) -> None:
        """Make an instance and let it settle."""
        await self.call("create", instance, options=OPTIONS | options)
        await settle()

    async def call(self, method: str, instance: str = "a", **arguments: Any) -> Any:
        """Call a method and return its result; a rejection is raised."""
        identifier = next(self._ids)
        message = {"id": identifier, "instance": instance, "method": method, "arguments": arguments}
        answer = json.loads(await self._service_js.dispatch(json.dumps(message)))
        assert identifier == answer["id"]
        if "error" in answer:
            raise Rejected(answer["error"])
        return answer["result"]

    def begin(self, method: str, instance: str = "a", **arguments: Any) -> "asyncio.Task[Any]":
        """Call a method that goes on while the test does other things."""
        return asyncio.ensure_future(self.call(method, instance, **arguments))

    async def act(self, surface: str, action: str, argument: str = "", **more: Any) -> "asyncio.Task[Any]":
        """Send a gesture and let the page settle; the gesture itself may go on for longer."""
        values = {"surface": surface, "action": action, "argument": argument} | more
        task = self.begin("gesture", **values)
        await settle()
        return task

    def heard(self, event: str, instance: str = "a") -> list[dict[str, Any]]:
        """Return the payloads of an event that an instance told."""
        return [payload for name, told, payload in self.page.events if (name, told) == (instance, event)]


async def settle() -> None:
    """Let everything run that need not wait for anything outside."""
    for _ in range(60):
        await asyncio.sleep(0)


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    """Leave no language behind for other tests."""
    yield
    speak("en")


@pytest.fixture
def sdk(monkeypatch: pytest.MonkeyPatch) -> Sdk:
    """The SDK with a service that has two apps: a desk without accounts, and a mail with two."""
    monkeypatch.setattr(connect_attempt, "PAUSE_SECONDS", 0.001)
    sdk = Sdk()
    sdk.service.add_app("desk", title="Desk")
    sdk.service.add_app("mail", title="Mail", accounts=["ann@old.test", "ann@new.test"])

    @sdk.service.function("desk-create-ticket", properties={"title": {"type": "string"}}, required=["title"])
    def create_ticket(arguments: dict[str, Any]) -> dict[str, Any]:
        return {"id": 7, **arguments}

    return sdk
