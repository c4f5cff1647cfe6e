"""The values that plans yield and are sent."""

import json
from collections.abc import Callable, Generator, Iterator, Mapping
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar, runtime_checkable
from urllib.parse import parse_qsl, unquote, urlsplit

from attrs import field, frozen

T = TypeVar("T")


@runtime_checkable
class Upload(Protocol):
    """
    What is sent unchanged, with one chunk in memory at a time; each call of `chunks` starts at the beginning.

    `size` is in bytes, or None if it is not known before the end.
    """

    @property
    def size(self) -> int | None:
        """How many bytes there are."""
        ...

    def chunks(self) -> Iterator[bytes]:
        """Yield the bytes."""
        ...


Method: TypeAlias = Literal["GET", "POST", "DELETE"]


@frozen
class Request:
    """
    One thing to ask of the service.

    `segments` are the unencoded parts of the path. Values of `query` that are None or False are left out. `patience` is
    the number of seconds the service may take on purpose (a long poll); `timeout` replaces the client's. `is_call`
    marks function calls: a 400 then means that the function was not executed. An `upload` with its `media_type` is sent
    in place of a body.
    """

    method: Method
    segments: tuple[str, ...]
    query: Mapping[str, str | float | bool | None] = field(factory=dict[str, str | float | bool | None], kw_only=True)
    body: Mapping[str, Any] | None = field(default=None, kw_only=True)
    idempotency_key: str | None = field(default=None, kw_only=True)
    patience: float = field(default=0.0, kw_only=True)
    timeout: float | None = field(default=None, kw_only=True)
    is_call: bool = field(default=False, kw_only=True)
    upload: "bytes | Upload | None" = field(default=None, kw_only=True, repr=False)
    media_type: str = field(default="application/json", kw_only=True)


def _lower_names(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


@frozen
class Response:
    """An HTTP answer; the names of `headers` are in lower case."""

    status: int
    content: bytes = b""
    headers: Mapping[str, str] = field(factory=dict[str, str], converter=_lower_names)

    @classmethod
    def of_json(cls, value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> "Response":
        """Make an answer with a JSON body, as a test's handler gives it."""
        return cls(status, json.dumps(value).encode(), {"content-type": "application/json", **(headers or {})})

    @property
    def request_id(self) -> str:
        """The service's id for the request; empty if it gave none."""
        return self.headers.get("request-id", "")


@frozen
class HttpRequest:
    """An HTTP request that is ready to send; `timeout` is in seconds and covers all of it."""

    method: Method
    url: str
    headers: Mapping[str, str] = field(repr=False)  # they carry credentials
    content: bytes | Upload | None = field(repr=False)  # so may this
    timeout: float

    @property
    def path(self) -> str:
        """The path with its escapes decoded; for tests that look at what was sent."""
        return unquote(urlsplit(self.url).path)

    @property
    def query(self) -> dict[str, str]:
        """The query string's values by name."""
        return dict(parse_qsl(urlsplit(self.url).query, keep_blank_values=True))

    @property
    def json(self) -> Any:
        """The body's value; None without a body, or for an upload that is not in memory."""
        return json.loads(self.content) if isinstance(self.content, bytes) else None


@frozen
class Wait:
    """Let some seconds pass."""

    seconds: float


@frozen
class AskTime:
    """Tell the time, in seconds since some moment."""


@frozen
class AskToken:
    """Get the session token; a `rejected` one must be replaced. The answer is None if there is no other."""

    rejected: str | None = field(default=None, repr=False)


@frozen
class Items(Generic[T]):
    """The items of a page and the cursor of the next one, which is empty on the last page."""

    items: tuple[T, ...]
    cursor: str
    request_id: str = ""


Plan: TypeAlias = Generator[Request, Response, T]
"""One API method: yields requests, is sent the answers, returns the result."""

PatientPlan: TypeAlias = Generator[Request | Wait | AskTime, Any, T]
"""An API method that lets time pass between its requests."""

ItemsAt: TypeAlias = Callable[[str], Plan[Items[T]]]
"""The plan of the page at a cursor; the first page's cursor is given by the method."""

Effect: TypeAlias = HttpRequest | Wait | AskToken | AskTime
Exchange: TypeAlias = Generator[HttpRequest | Wait | AskToken, Any, Response]
