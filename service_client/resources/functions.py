"""Functions: list, predict and call them."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias

from service_client.errors import InvalidArgumentError, ServiceError
from service_client.models import Function, FunctionList, FunctionType
from service_client.plans import (
    AsyncResource,
    Items,
    ItemsAt,
    Plan,
    Request,
    SyncResource,
    listed,
    operation,
    paged,
    read,
    read_lines,
)
from service_client.resources.calling import (
    AccountId,
    CallInclude,
    call_page,
    call_request,
    elements,
    execute,
    outcome_of,
)
from service_client.results import ExecutedCall

Include: TypeAlias = Literal["meta"]
_MOST_SETS = 100
_BATCH_PATIENCE = 60.0
"""How many seconds longer than a call a batch may take: it waits for room within limits and makes several calls."""
_Filters: TypeAlias = Mapping[str, str | float | bool | None]


class _Functions:
    @listed
    def list(
        self,
        *,
        app: str | None = None,
        type: FunctionType | None = None,
        connected_only: bool = False,
        include: Include | None = None,
        cursor: str = "",
        timeout: float | None = None,
    ) -> tuple[str, ItemsAt[Function]]:
        """
        List the functions; the result is the first page, and iterating over it goes on through all later pages.

        `connected_only` keeps those of apps in which the user has an account; `include="meta"` adds what a form needs.
        To begin later, pass the `cursor` of an earlier page, with the same filters.
        """
        filters = {"app": app, "type": type, "connected_only": connected_only, "include": include}

        def items_at(cursor: str) -> Plan[Items[Function]]:
            return (yield from _page(filters, cursor, timeout))

        return cursor, items_at

    @operation
    def get(
        self,
        name: str,
        *,
        include: Include | None = None,
        predict_arguments: bool = False,
        prompt: str | None = None,
        connected_account_id: int | str | None = None,
        timeout: float | None = None,
    ) -> Plan[Function]:
        """
        Fetch one function; with `predict_arguments`, its `arguments` are taken from the prompt.

        To turn names in the prompt into ids, the app is asked with the user's only account, or the one that you pass.
        """
        query = {
            "include": include,
            "predict_arguments": predict_arguments,
            "prompt": prompt,
            "connected_account_id": connected_account_id,
        }
        response = yield Request("GET", ("functions", name), query=query, timeout=timeout)
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
        timeout: float | None = None,
    ) -> Plan[Function | None]:
        """
        Fetch the function that fits a request in plain words, with its `prediction`.

        None means that nothing fits: ask the user to put it in other words. With `arguments` the function's `arguments`
        are predicted too; if there are several accounts, `connected_account_id` is the one to look names up in.
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
        page = yield from _page(query, "", timeout)
        return next(iter(page.items), None)

    @operation
    def call(
        self,
        name: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        connected_account_id: AccountId | None = None,
        include: CallInclude | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Plan[ExecutedCall]:
        """
        Call a function and return what the third-party app answered, whether a success or not.

        `connected_account_id` is needed when the user has several accounts in the app; with `include="outcome"` the
        result also has what people should see of it, if the function says so. The client sends a call once, unless you
        pass an `idempotency_key`: then it is sent again if it certainly was not executed (too many requests, no
        connection), and for 24 hours it is safe to repeat it yourself.

        Raises `CallRefusedError` when the function was not executed; `raise_for_failure()` of the result raises when
        the app answered with an error.
        """
        request = call_request(
            ("functions", name), arguments or {}, connected_account_id, timeout, idempotency_key, include
        )
        return (yield from execute(name, request))

    @paged
    def call_pages(
        self,
        name: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        connected_account_id: AccountId | None = None,
        timeout: float | None = None,
    ) -> tuple[str, ItemsAt[ExecutedCall]]:
        """
        Call a function that paginates, once for every page, as far as the iterator is followed.

        It ends with the last page, or with the first result that is not a success. It starts at `next_page`, if the
        arguments have one.
        """
        first = dict(arguments or {})
        start = str(first.pop("next_page", None) or "")

        def items_at(cursor: str) -> Plan[Items[ExecutedCall]]:
            result = yield from call_page(name, first, cursor, connected_account_id, timeout)
            return Items((result,), (result.next_page or "") if result.succeeded else "", result.request_id)

        return start, items_at

    @paged
    def items(
        self,
        name: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        connected_account_id: AccountId | None = None,
        timeout: float | None = None,
    ) -> tuple[str, ItemsAt[Any]]:
        """
        Call a function whose output is a list, and yield the elements of all its pages.

        Raises `OnwardCallError` when the app answers with an error instead.
        """
        first = dict(arguments or {})
        start = str(first.pop("next_page", None) or "")

        def items_at(cursor: str) -> Plan[Items[Any]]:
            result = yield from call_page(name, first, cursor, connected_account_id, timeout)
            return Items(elements(name, result.raise_for_failure()), result.next_page or "", result.request_id)

        return start, items_at

    @paged
    def call_many(
        self,
        name: str,
        arguments: Iterable[Mapping[str, Any]],
        *,
        at_a_time: int = 20,
        connected_account_id: AccountId | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> tuple[str, ItemsAt[ExecutedCall | ServiceError]]:
        """
        Call a function once for each of several sets of arguments, as far as the iterator is followed.

        For each set, in their order, yields the result of its call or the error with which it was refused; a refused
        set does not stop the others. `at_a_time`, at most 100, is how many sets go in one request; their results come
        together, so fewer sets come back sooner. With an `idempotency_key` it is safe to repeat everything with the
        same sets and the same `at_a_time`. Each request gets a minute more than the client's timeout, or just
        `timeout`.
        """
        if not 1 <= at_a_time <= _MOST_SETS:
            raise InvalidArgumentError(f"at_a_time must be 1 to {_MOST_SETS}.")
        try:
            sets = [dict(each) for each in arguments]
        except (TypeError, ValueError):
            raise InvalidArgumentError("arguments must be dictionaries, one for each call.") from None

        def items_at(cursor: str) -> Plan[Items[ExecutedCall | ServiceError]]:
            first = int(cursor or 0)
            some = sets[first : first + at_a_time]
            if not some:
                return Items((), "")
            response = yield Request(
                "POST",
                ("functions", name, "batch"),
                query={"connected_account_id": connected_account_id},
                body={"arguments": some},
                idempotency_key=None if idempotency_key is None else f"{idempotency_key}:{first}",
                patience=_BATCH_PATIENCE if timeout is None else 0.0,
                timeout=timeout,
                is_call=True,
            )
            following = first + at_a_time
            lines = read_lines(response, len(some))
            outcomes = tuple(outcome_of(name, line, response.request_id) for line in lines)
            return Items(outcomes, str(following) if following < len(sets) else "", response.request_id)

        return "", items_at

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
        timeout: float | None = None,
    ) -> Plan[ExecutedCall]:
        """
        Send a request of your own to the app's API, with the user's credentials added.

        `url` is absolute, on a host of the app, or relative to the app's base address.
        Raises `CallRefusedError` when it was not sent.
        """
        arguments = {"method": method, "url": url} | ({} if body is None else {"body": body})
        name = f"{app}-passthrough-request"
        request = call_request((name,), arguments, connected_account_id, timeout, idempotency_key)
        return (yield from execute(name, request))


def _page(filters: _Filters, cursor: str, timeout: float | None) -> Plan[Items[Function]]:
    response = yield Request("GET", ("functions",), query={**filters, "cursor": cursor or None}, timeout=timeout)
    page = read(response, FunctionList)
    return Items(page.functions, page.cursor, response.request_id)


class Functions(_Functions, SyncResource):
    """Functions: list, predict and call them."""


class AsyncFunctions(_Functions, AsyncResource):
    """Functions: list, predict and call them."""
