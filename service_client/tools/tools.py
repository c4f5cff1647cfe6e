"""A user's functions as tools of a model: `Tools` blocks, `AsyncTools` is awaited; they are otherwise the same."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from service_client.client import AsyncClient, Client
from service_client.errors import InvalidArgumentError
from service_client.models import App, Function
from service_client.tools.calls import Approve, ToolCall, ToolResult
from service_client.tools.offers import Finding, Listing, Tool
from service_client.tools.stepping import Steps, run, run_awaiting
from service_client.tools.steps import answered
from service_client.tools.vendors import Vendor


class _Offered:
    """The tools on offer, and who approves a call that changes something."""

    def __init__(
        self,
        functions: Iterable[Function] | Finding = Finding(),  # noqa: B008  it cannot be changed
        *,
        approve: Approve | None = None,
        apps: Iterable[App] = (),
    ) -> None:
        self._offer = functions if isinstance(functions, Finding) else Listing(functions, apps)
        self._approve = approve

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._offer.tools)

    def __contains__(self, name: object) -> bool:
        return any(each.name == name for each in self._offer.tools)

    def definitions(self, vendor: Vendor) -> list[dict[str, Any]]:
        """Return the tools as a vendor's API takes them; see the vendor for where they go."""
        if vendor.most_tools is not None and len(self._offer.tools) > vendor.most_tools:
            raise InvalidArgumentError(
                f"{vendor.name} takes {vendor.most_tools} tools at most, and these are {len(self._offer.tools)}; list "
                "fewer functions, or leave it to find_functions."
            )
        return vendor.definitions(self._offer.tools)

    def _steps(self, calls: Iterable[ToolCall]) -> Steps[list[ToolResult]]:
        return answered(list(calls), self._offer, self._approve)


class Tools(_Offered):
    """
    The functions of a client's user as tools of a model, blocking.

    Without `functions` (or with `Finding`, which narrows it) there are two tools that find and call any function.
    Otherwise each of the functions is a tool: list them with `include="meta"`, which tells which take pages and which
    can't be undone, and pass the user's `apps` if they may have several accounts in one.

    Queries are called as the model wants. Everything else is shown to `approve` first and is called only if that
    returns True; without `approve` it is never called. A call always gives a result for the model, even if it fails.
    Only what `approve` raises is raised, and then nothing has been called.
    """

    def __init__(
        self,
        client: Client,
        functions: Iterable[Function] | Finding = Finding(),  # noqa: B008
        *,
        approve: Approve | None = None,
        apps: Iterable[App] = (),
    ) -> None:
        super().__init__(functions, approve=approve, apps=apps)
        self._client = client

    def answer(self, vendor: Vendor, response: Any) -> list[dict[str, Any]]:
        """
        Carry out what a vendor's response asks for, and return what to add to the conversation after it.

        The response is the SDK's object or its JSON. The list is empty where the model calls no tool.
        """
        return vendor.messages(self.run(vendor.calls(response)))

    def call(self, name: str, arguments: Mapping[str, Any] | str, *, id: str = "") -> ToolResult:
        """Carry out one call of a tool."""
        return self.run([ToolCall(name=name, arguments=arguments, id=id)])[0]

    def run(self, calls: Iterable[ToolCall]) -> list[ToolResult]:
        """Carry out calls in their order."""
        return run(self._client, self._steps(calls))


class AsyncTools(_Offered):
    """
    The functions of a client's user as tools of a model, awaited.

    Without `functions` (or with `Finding`, which narrows it) there are two tools that find and call any function.
    Otherwise each of the functions is a tool: list them with `include="meta"`, which tells which take pages and which
    can't be undone, and pass the user's `apps` if they may have several accounts in one.

    Queries are called as the model wants. Everything else is shown to `approve` first, which may be a coroutine
    function, and is called only if that returns True; without `approve` it is never called. A call always gives a
    result for the model, even if it fails. Only what `approve` raises is raised, and then nothing has been called.
    """

    def __init__(
        self,
        client: AsyncClient,
        functions: Iterable[Function] | Finding = Finding(),  # noqa: B008
        *,
        approve: Approve | None = None,
        apps: Iterable[App] = (),
    ) -> None:
        super().__init__(functions, approve=approve, apps=apps)
        self._client = client

    async def answer(self, vendor: Vendor, response: Any) -> list[dict[str, Any]]:
        """
        Carry out what a vendor's response asks for, and return what to add to the conversation after it.

        The response is the SDK's object or its JSON. The list is empty where the model calls no tool.
        """
        return vendor.messages(await self.run(vendor.calls(response)))

    async def call(self, name: str, arguments: Mapping[str, Any] | str, *, id: str = "") -> ToolResult:
        """Carry out one call of a tool."""
        return (await self.run([ToolCall(name=name, arguments=arguments, id=id)]))[0]

    async def run(self, calls: Iterable[ToolCall]) -> list[ToolResult]:
        """Carry out calls in their order."""
        return await run_awaiting(self._client, self._steps(calls))
