"""What calls of functions have in common: the request that is sent, and the result that is read of its answer."""

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, TypeGuard

from service_client.errors import MalformedAnswerError, ServiceError
from service_client.models import CallResult
from service_client.plans import Plan, Request, Response, error_of, read
from service_client.results import ExecutedCall

CallInclude: TypeAlias = Literal["outcome"]
AccountId: TypeAlias = int | str


def call_request(
    path: tuple[str, ...],
    arguments: Mapping[str, Any],
    account: AccountId | None,
    timeout: float | None,
    idempotency_key: str | None = None,
    include: CallInclude | None = None,
) -> Request:
    """Return the request of one call; it is sent again only with an `idempotency_key`."""
    return Request(
        "POST",
        path,
        query={"connected_account_id": account, "include": include},
        body=arguments,
        idempotency_key=idempotency_key,
        timeout=timeout,
        is_call=True,
    )


def execute(name: str, request: Request) -> Plan[ExecutedCall]:
    """Send a call and return its result."""
    response = yield request
    return _executed(name, response, response.request_id)


def outcome_of(name: str, line: Response, request_id: str) -> ExecutedCall | ServiceError:
    """Return the result of one set of a batch; its line is read like an answer of its own."""
    if line.status != 200:
        error = error_of(line, True)
        if not isinstance(error, ServiceError):
            raise error
        return error
    return _executed(name, line, request_id)


def _executed(name: str, answer: Response, request_id: str) -> ExecutedCall:
    result = read(answer, CallResult)
    return ExecutedCall(
        network_code=result.network_code,
        output=result.output,
        next_page=result.next_page,
        outcome=result.outcome,
        function=name,
        request_id=request_id,
        replayed=answer.headers.get("idempotency-replayed") == "true",
    )


def call_page(
    name: str, arguments: Mapping[str, Any], cursor: str, account: AccountId | None, timeout: float | None
) -> Plan[ExecutedCall]:
    """Call a function that paginates for the page at a cursor, or as its arguments say if that is empty."""
    page = {**arguments, "next_page": cursor} if cursor else arguments
    return (yield from execute(name, call_request(("functions", name), page, account, timeout)))


def elements(name: str, result: CallResult) -> tuple[Any, ...]:
    """Return the elements of an output that has to be a list."""
    if not _is_list(result.output):
        raise MalformedAnswerError(f"The output of {name} is not a list; use call or call_pages for it.", 200)
    return tuple(result.output)


def _is_list(output: object) -> TypeGuard[list[Any]]:
    return isinstance(output, list)
