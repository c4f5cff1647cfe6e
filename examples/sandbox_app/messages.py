"""One request and one response as plain values, and the few readings of them that every part needs."""

import json
from collections.abc import Mapping
from typing import Any, Literal
from urllib.parse import parse_qs, parse_qsl

from attrs import evolve, field, frozen

Delivery = Literal["whole", "reset", "truncated"]


@frozen
class FieldProblem:
    """What is wrong with one field of a body: a stable code and a sentence."""

    field: str
    code: str
    message: str


class Refusal(Exception):
    """A request that gets an error answer; `headers` go with it."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        fields: tuple[FieldProblem, ...] = (),
        headers: tuple[tuple[str, str], ...] = (),
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.fields = fields
        self.headers = headers


@frozen
class Request:
    """A request as received; header names are lower-case, `path` is percent-decoded, `query` keeps repeats."""

    method: str
    path: str
    query_string: str = ""
    headers: Mapping[str, str] = field(factory=dict)
    body: bytes = b""

    @property
    def query(self) -> dict[str, list[str]]:
        """The query's values by name."""
        return parse_qs(self.query_string, keep_blank_values=True)

    def cookie(self, name: str) -> str | None:
        """The value of a cookie, or None."""
        # Read by hand: other apps on the same host name send their cookies here too, however they look.
        pairs = (pair.strip().partition("=") for pair in self.headers.get("cookie", "").split(";"))
        return next((value for found, _, value in pairs if found == name), None)

    def content_type(self) -> str:
        """The media type without its parameters."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    def json_object(self) -> dict[str, Any]:
        """
        The body as a JSON object.

        Raises `Refusal`: 415 for another content type, 400 for what is no JSON object.
        """
        if self.content_type() != "application/json":
            raise Refusal(415, "unsupported_media_type", "Send the body as application/json.")
        try:
            value = json.loads(self.body, parse_constant=_refuse_constant)
            json.dumps(value, ensure_ascii=False).encode()  # half a surrogate pair cannot be sent back
        except (ValueError, RecursionError):
            raise Refusal(400, "malformed_json", "The body is not valid JSON.") from None
        if not isinstance(value, dict):
            raise Refusal(400, "bad_request", "The body must be a JSON object.")
        return value

    def form(self) -> dict[str, str]:
        """
        The body as form fields, each at most once.

        Raises `Refusal`: 415 for another content type, 400 for a field that comes twice or is not UTF-8.
        """
        if self.content_type() != "application/x-www-form-urlencoded":
            raise Refusal(415, "unsupported_media_type", "Send the body as application/x-www-form-urlencoded.")
        return single_values(self.body)


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def single_values(encoded: bytes | str) -> dict[str, str]:
    """Form-encoded names and values, each name at most once; raises `Refusal` 400 otherwise."""
    try:
        text = encoded.decode("ascii") if isinstance(encoded, bytes) else encoded
        pairs = parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=100)
    except ValueError:
        raise Refusal(400, "bad_request", "The form is not valid.") from None
    values = dict(pairs)
    if len(values) != len(pairs):
        raise Refusal(400, "bad_request", "A field may be given only once.")
    return values


@frozen
class Response:
    """An answer, and how it is delivered: whole, cut off half-way, or not at all (the connection is reset)."""

    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    delivery: Delivery = "whole"
    delay_seconds: float = 0

    def with_headers(self, *headers: tuple[str, str]) -> "Response":
        """The same answer with more headers."""
        return evolve(self, headers=(*self.headers, *headers))


def json_response(value: Any, status: int = 200) -> Response:
    """Answer with JSON."""
    body = json.dumps(value, ensure_ascii=False).encode()
    return Response(status, (("content-type", "application/json"), ("cache-control", "no-store")), body)


def no_content() -> Response:
    """Answer that it is done and there is nothing to say."""
    return Response(204, (("cache-control", "no-store"),))


def see_other(location: str) -> Response:
    """Send a browser on to another page, by GET."""
    return Response(303, (("location", location), ("cache-control", "no-store")))
