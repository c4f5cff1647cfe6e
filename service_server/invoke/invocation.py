"""What a call is asked for, what it carries from step to step, and what comes out of it."""

import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from attrs import define, field, frozen

from service_client.models import CallResult
from service_server.catalog.values import Connector, FunctionDefinition
from service_server.oauth.credentials import Credentials, Opened
from service_server.onward.sender import Sender
from service_server.onward.values import OnwardRequest, OnwardResponse
from service_server.settings import Settings
from service_server.store import Account, Accounts, Budgets, CallLog
from service_server.store.calls import call_id
from service_server.vault import Vault

KeepResult: TypeAlias = Callable[[CallResult], Awaitable[None]]


@frozen
class JsonBody:
    """Arguments as they came in a JSON body."""

    values: Mapping[str, Any]


@frozen
class FormBody:
    """Arguments as they came in a form: names with texts, still to be read by the parameters' schema."""

    pairs: tuple[tuple[str, str], ...]


@frozen(kw_only=True)
class CallRequest:
    """A call as the caller asked for it."""

    application_id: int
    user_id: str
    connector: Connector
    function: FunctionDefinition
    body: JsonBody | FormBody
    connected_account_id: int | None
    request_id: str


@frozen(kw_only=True)
class Executed:
    """An executed call: what to answer, and how long the app (`upstream`) and all of it (`total`) took, in ms."""

    result: CallResult
    upstream_ms: float
    total_ms: float


@frozen(kw_only=True)
class Parts:
    """What the steps work with."""

    settings: Settings
    vault: Vault
    accounts: Accounts
    budgets: Budgets
    calls: CallLog
    credentials: Credentials
    sender: Sender


@define(kw_only=True)
class Invocation:
    """
    One call on its way through the steps.

    Each step reads what earlier ones put here and adds its own; `process_id` names the process that answers for it,
    `recorded` says whether the log has a `started` row, and `keep_result` what else is written with its end.
    """

    request: CallRequest
    process_id: str | None
    keep_result: KeepResult | None = None
    id: str = field(factory=call_id)
    began: float = field(factory=time.perf_counter)
    upstream_seconds: float = 0.0
    account: Account = field(init=False)
    arguments: dict[str, Any] = field(init=False, repr=False)
    position: Any = None
    opened: Opened = field(init=False, repr=False)
    onward: OnwardRequest = field(init=False)
    response: OnwardResponse | None = None
    body: Any = field(default=None, repr=False)
    recorded: bool = False
    result: CallResult = field(init=False, repr=False)

    @property
    def changes_data(self) -> bool:
        """Whether what is sent may change something in the app."""
        return self.request.function.type == "mutation" or (
            self.request.function.type == "passthrough" and self.onward.method not in ("GET", "HEAD")
        )
