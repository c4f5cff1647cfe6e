"""The order of a call, as a table. Up to `send` anything raised is a refusal; after it the call is executed."""

from collections.abc import Awaitable, Callable

from service_server.invoke.build_request import build_request
from service_server.invoke.check_arguments import check_arguments
from service_server.invoke.check_scopes import check_scopes
from service_server.invoke.choose_account import choose_account
from service_server.invoke.invocation import Invocation, Parts
from service_server.invoke.keep_budget import keep_budget
from service_server.invoke.open_credentials import open_credentials
from service_server.invoke.record import record_end, record_start
from service_server.invoke.send import send
from service_server.invoke.shape import shape

Step = Callable[[Invocation, Parts], Awaitable[None]]

STEPS: tuple[Step, ...] = (
    choose_account,
    check_arguments,
    open_credentials,
    check_scopes,
    build_request,
    keep_budget,
    record_start,
    send,
    shape,
    record_end,
)
