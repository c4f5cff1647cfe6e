"""Functions: list, predict and call them."""

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, TypeGuard

from service_client.errors import MalformedAnswer, OnwardCallFailed
from service_client.models import CallResult, Function, FunctionList, FunctionType
from service_client.plans import AsyncResource, Page, PageOf, Plan, Request, SyncResource, operation, paged, read

Include: TypeAlias = Literal["meta"]
AccountId: TypeAlias = int | str
_Filters: TypeAlias = Mapping[str, str | int | bool | None]


class _Functions:
    @paged
    def all(
        self,
        *,
        app: str | None = None,
        type: FunctionType | None = None,
        connected_only: bool = False,
        include: Include | None = None,
    ) -> tuple[str, PageOf[Function]]:
        """
        List the functions, page after page.

        `connected_only` keeps those of apps in which the user has an account; `include="meta"` adds what a form needs.
        """
        filters = {"app": app, "type": type, "connected_only": connected_only, "include": include}

        def page_at(cursor: str) -> Plan[Page[Function]]:
            page = yield from _page(filters, cursor)
            return Page(page.functions, page.cursor)

        return "", page_at

    @paged
    def pages(
        self,
        *,
        app: str | None = None,
        type: FunctionType | None = None,
        connected_only: bool = False,
        include: Include | None = None,
        cursor: str = "",
    ) -> tuple[str, PageOf[FunctionList]]:
        """List the functions as the service's pages, from a cursor that an earlier page gave."""
        filters = {"app": app, "type": type, "connected_only": connected_only, "include": include}

        def page_at(cursor: str) -> Plan[Page[FunctionList]]:
            page = yield from _page(filters, cursor)
            return Page((page,), page.cursor)

        return cursor, page_at

    @operation
    def get(
        self,
        name: str,
        *,
        include: Include | None = None,
        predict_arguments: bool = False,
        prompt: str | None = None,
        connected_account_id: int | str | None = None,
    ) -> Plan[Function]:
        """
        Fetch one function; with `predict_arguments` its `arguments` are what the prompt says.

        Names in the prompt become ids by asking the app in the user's only account of it, or in the one that is named.
        """
        query = {
            "include": include,
            "predict_arguments": predict_arguments,
            "prompt": prompt,
            "connected_account_id": connected_account_id,
        }
        response = yield Request("GET", ("functions", name), query=query)
        return read(response, Function)

    @operation
    def predict(
        self,
        prompt: str,
        *,
        arguments: bool = False,
        app: str | None = None,
        type: FunctionType | None = None,
        connected_only: bool = False,
        connected_account_id: int | str | None = None,
        include: Include | None = None,
    ) -> Plan[Function | None]:
        """
        Fetch the function that fits a request in plain words, with its `prediction`.

        None means that nothing fits: ask the user to put it in other words. With `arguments` the function's
        `arguments` are predicted too; of several accounts `connected_account_id` names the one to look names up in.
        """
        query: _Filters = {
            "predict_function": True,
            "predict_arguments": arguments,
            "prompt": prompt,
            "app": app,
            "type": type,
            "connected_only": connected_only,
            "connected_account_id": connected_account_id,
            "include": include,
        }
        page = yield from _page(query, "")
        return next(iter(page.functions), None)

    @operation
    def call(
        self,
        name: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        connected_account_id: AccountId | None = None,
        idempotency_key: str | None = None,
    ) -> Plan[CallResult]:
        """
        Call a function and return what the third-party app answered, be it a success or not.

        `connected_account_id` is needed when the user has several accounts in the app. A call is never repeated by
        the client; with an `idempotency_key` it is safe to repeat it yourself for 24 hours.

        Raises `CallRefused` when the function was not executed.
        """
        return (yield from _call(("functions", name), arguments or {}, connected_account_id, idempotency_key))

    @paged
    def call_pages(
        self,
        name: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        connected_account_id: AccountId | None = None,
    ) -> tuple[str, PageOf[CallResult]]:
        """
        Call a function that paginates, once for every page, as far as the iterator is followed.

        It ends with the last page, or with the first result that is not a success. A `next_page` among the arguments
        is where it starts.
        """
        first = dict(arguments or {})
        start = str(first.pop("next_page", None) or "")

        def page_at(cursor: str) -> Plan[Page[CallResult]]:
            result = yield from _call_page(name, first, cursor, connected_account_id)
            return Page((result,), (result.next_page or "") if result.succeeded else "")

        return start, page_at

    @paged
    def items(
        self,
        name: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        connected_account_id: AccountId | None = None,
    ) -> tuple[str, PageOf[Any]]:
        """
        Call a function whose output is a list, and yield the elements of all its pages.

        Raises `OnwardCallFailed` when the app answers with an error instead.
        """
        first = dict(arguments or {})
        start = str(first.pop("next_page", None) or "")

        def page_at(cursor: str) -> Plan[Page[Any]]:
            result = yield from _call_page(name, first, cursor, connected_account_id)
            return Page(_items(name, result), result.next_page or "")

        return start, page_at

    @operation
    def passthrough(
        self,
        app: str,
        method: str,
        url: str,
        body: Any = None,
        *,
        connected_account_id: AccountId | None = None,
        idempotency_key: str | None = None,
    ) -> Plan[CallResult]:
        """
        Send a request of your own to the app's API, with the user's credentials added.

        `url` is absolute, on a host of the app, or relative to the app's base address.
        Raises `CallRefused` when it was not sent.
        """
        arguments = {"method": method, "url": url} | ({} if body is None else {"body": body})
        path = (f"{app}-passthrough-request",)
        return (yield from _call(path, arguments, connected_account_id, idempotency_key))


def _page(filters: _Filters, cursor: str) -> Plan[FunctionList]:
    response = yield Request("GET", ("functions",), query={**filters, "cursor": cursor or None})
    return read(response, FunctionList)


def _call(
    path: tuple[str, ...], arguments: Mapping[str, Any], account: AccountId | None, idempotency_key: str | None
) -> Plan[CallResult]:
    response = yield Request(
        "POST",
        path,
        query={"connected_account_id": account},
        body=arguments,
        idempotency_key=idempotency_key,
        is_call=True,
    )
    return read(response, CallResult)


def _call_page(name: str, arguments: Mapping[str, Any], cursor: str, account: AccountId | None) -> Plan[CallResult]:
    page = {**arguments, "next_page": cursor} if cursor else arguments
    return (yield from _call(("functions", name), page, account, None))


def _items(name: str, result: CallResult) -> tuple[Any, ...]:
    if not result.succeeded:
        raise OnwardCallFailed(name, result)
    if not _is_list(result.output):
        raise MalformedAnswer(f"The output of {name} is not a list; use call or call_pages for it.", 200)
    return tuple(result.output)


def _is_list(output: object) -> TypeGuard[list[Any]]:
    return isinstance(output, list)


class Functions(_Functions, SyncResource):
    """Functions: list, predict and call them."""


class AsyncFunctions(_Functions, AsyncResource):
    """Functions: list, predict and call them."""
