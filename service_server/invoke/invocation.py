"""What a call asks for, the values that each step makes for the next, and the result."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from functools import cached_property
from typing import Any

from attrs import field, frozen

from service_client.models import CallResult
from service_server.answers.reader import AnswerReader
from service_server.answers.reading import Read
from service_server.catalog.values import Connector, FunctionDefinition
from service_server.errors import ServiceError
from service_server.files import Files, KeptFile
from service_server.invoke.account_tests import AccountTests
from service_server.invoke.endings import Endings
from service_server.invoke.looked_up import LookedUp
from service_server.invoke.redaction import secrets_of_call
from service_server.json_texts.json_text import JsonText
from service_server.oauth.credentials import Credentials, Opened
from service_server.onward.sender import Sender
from service_server.onward.values import HostRules, OnwardRequest, OnwardResponse, Unanswered
from service_server.redaction.spellings import Spellings
from service_server.settings import Settings
from service_server.store import Accounts, AuditEvents, Budgets, CallEvents, CallLog
from service_server.store.call_ids import call_id
from service_server.vault import Vault

_LARGE_BODY = 32 * 1024


@frozen
class JsonBody:
    """Arguments as they came in a JSON body, of `size` bytes."""

    values: Mapping[str, Any]
    size: int = 0


@frozen
class FormBody:
    """Arguments as they came in a form of `size` bytes: pairs of name and text, still to be read by the schema."""

    pairs: tuple[tuple[str, str], ...]
    size: int = 0


@frozen(kw_only=True)
class CallRequest:
    """A call as the caller asked for it; `with_outcome` tells whether the result should also describe the outcome."""

    application_id: int
    user_id: str
    connector: Connector
    function: FunctionDefinition
    body: JsonBody | FormBody
    connected_account_id: int | None
    request_id: str
    with_outcome: bool = False

    async def give_way(self) -> None:
        """Let others have the event loop for a turn, between two steps that take long with this many arguments."""
        if self.body.size > _LARGE_BODY:
            await asyncio.sleep(0)


@frozen(kw_only=True)
class Executed:
    """An executed call: what to answer, and how long the app (`upstream`) and all of it (`total`) took, in ms."""

    result: CallResult
    upstream_ms: float
    total_ms: float


@frozen(kw_only=True)
class Key:
    """
    An idempotency key that a call holds; in the end it keeps a result, or is free again.

    It was claimed for the call with this id, by this process.
    """

    call_id: str
    process_id: str | None
    keep: Callable[[CallResult], Awaitable[None]]
    give_back: Callable[[], Awaitable[None]]


@frozen(kw_only=True)
class Parts:
    """What the steps work with."""

    settings: Settings
    vault: Vault
    accounts: Accounts
    budgets: Budgets
    calls: CallLog
    call_events: CallEvents
    audit: AuditEvents
    files: Files
    endings: Endings
    credentials: Credentials
    account_tests: AccountTests
    sender: Sender
    reader: AnswerReader
    looked_up: LookedUp


@frozen(kw_only=True)
class Begun:
    """A call as it begins; `process_id` names the process that is responsible for it, `key` the key that it holds."""

    request: CallRequest
    process_id: str | None
    key: Key | None = None
    id: str = field(factory=call_id)
    began: float = field(factory=time.perf_counter)
    fetched: list[KeptFile] = field(factory=list, repr=False)  # for this call alone


@frozen(kw_only=True)
class Arguments:
    """The checked arguments that the function is called with, and where in the app's list it continues."""

    values: dict[str, Any] = field(repr=False)
    position: Any = None
    filled: dict[str, Any] | None = field(default=None, repr=False)  # with files in place of their ids and addresses

    @property
    def for_request(self) -> dict[str, Any]:
        """What the request's templates find."""
        return self.values if self.filled is None else self.filled


@frozen(kw_only=True)
class Ready:
    """
    A call that may be sent: the request as it leaves, the hosts it may go to, and what it was made of.

    Of the time until then, `renewal_seconds` went into opening its account's credentials, which may have been renewed,
    and `waiting_seconds` into its turn of the app's budget.
    """

    begun: Begun
    arguments: Arguments
    opened: Opened
    onward: OnwardRequest
    rules: HostRules
    looked_up: Mapping[str, Any] = field(factory=dict, repr=False)
    comes_before: Begun | None = None  # the call, where what is sent first comes before its own request
    renewal_seconds: float = 0.0
    waiting_seconds: float = 0.0

    @property
    def request(self) -> CallRequest:
        """The call as the caller asked for it."""
        return self.begun.request

    @cached_property
    def secrets(self) -> Spellings:
        """What must not be told of this call: an app may put it into any text that comes back."""
        return secrets_of_call(self.opened.secrets.spellings, self.arguments.values, self.request.function.sensitive)

    @property
    def changes_data(self) -> bool:
        """Whether what is sent may change something in the app."""
        return self.request.function.type == "mutation" or (
            self.request.function.type == "passthrough" and self.onward.method not in ("GET", "HEAD")
        )

    @property
    def is_own_of_mutation(self) -> bool:
        """Whether what is sent is a mutation's own request, not one that comes before it."""
        is_own = self.comes_before is None or self.begun is self.comes_before
        return is_own and self.request.function.type == "mutation"


@frozen(kw_only=True)
class Answer:
    """A whole answer of the app, and what was read of it."""

    response: OnwardResponse
    read: Read = field(repr=False)

    @property
    def output(self) -> JsonText:
        """What is relayed of it: the body as it came, unless a part was picked or it was not JSON."""
        return JsonText(self.response.body) if self.read.output is None else self.read.output


@frozen(kw_only=True)
class Sent:
    """
    A call that was sent, and what came back; `ready` is what was sent last.

    Whoever holds this holds an executed call. No step that takes it can refuse the call any more.
    """

    ready: Ready
    came: Answer | Unanswered
    upstream_seconds: float = 0.0


@frozen
class Refused:
    """A call that was refused before anything was sent, and what its caller is told."""

    error: ServiceError
