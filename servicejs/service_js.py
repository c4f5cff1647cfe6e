"""
What JavaScript sees: one function that takes a JSON text and returns a JSON text.

A message is `{"id", "instance", "method", "arguments"}`, its answer `{"id", "result"}` or `{"id", "error"}`. No
exception and no object ever crosses the boundary.
"""

import asyncio
import json
from typing import Any

from service_client.plans import AsyncTransport
from servicejs.call_arguments import refuse
from servicejs.errors import SdkError, describe_error
from servicejs.exact_numbers import json_for_page
from servicejs.instance import Instance
from servicejs.language import speak
from servicejs.look import chosen_accent
from servicejs.methods import carry_out
from servicejs.page.page import Page


class ServiceJs:
    """All instances of one page. `transport` carries their requests; without one each client picks its own."""

    def __init__(self, page: Page, transport: AsyncTransport | None = None) -> None:
        self._page = page
        self._transport = transport
        self._instances: dict[str, Instance] = {}

    async def dispatch(self, message: str) -> str:
        """Carry out one message and return its answer."""
        identifier: Any = None
        try:
            call = json.loads(message)
            identifier = call["id"]
            result = await self._call(call["instance"], call["method"], call["arguments"])
            return json_for_page({"id": identifier, "result": result})
        except asyncio.CancelledError:
            return json.dumps({"id": identifier, "error": describe_error(_destroyed())})
        except Exception as error:
            return json.dumps({"id": identifier, "error": describe_error(error)})

    async def _call(self, name: str, method: str, arguments: dict[str, Any]) -> Any:
        if method == "create":
            return self._create(name, arguments)
        instance = self._instances.get(name)
        if instance is None:
            raise _destroyed()
        if method == "destroy":
            del self._instances[name]
            return await instance.destroy()
        speak(instance.locale)
        instance.accent = chosen_accent(arguments.pop("accent", None)) or instance.accent
        return await carry_out(instance, method, arguments)

    def _create(self, name: str, arguments: dict[str, Any]) -> None:
        if name in self._instances:
            refuse(f"There is an instance {name!r} already.")
        options = arguments["options"]
        instance = self._instances[name] = Instance(name, self._page, str(options.get("locale", "")))
        speak(instance.locale)
        instance.start(options, self._transport)


def _destroyed() -> SdkError:
    return SdkError("destroyed", "This instance was destroyed; make a new one.")
