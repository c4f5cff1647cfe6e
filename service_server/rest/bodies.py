"""Request bodies: JSON or form, never more than the limit, never anything else."""

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl

from litestar import Request

from service_client.models import Code
from service_server.errors import ServiceError, failure, refused
from service_server.invoke import FormBody, JsonBody
from service_server.invoke.form_values import MAX_PAIRS
from service_server.json_texts.foreign import MAX_DEPTH, MAX_VALUES, TooManyValues, read_json

FORM = "application/x-www-form-urlencoded"
BODY_LIMIT_MESSAGE = "The body is too large."


class CallerGone(Exception):
    """The caller has closed the connection in the middle of the request."""


async def read_body(request: Request[Any, Any, Any]) -> JsonBody | FormBody:
    """
    Read the body of a POST.

    The framework has refused bodies over the limit by now (413).
    """
    return parse_body(await request.body(), request.headers.get("content-type", ""))


async def receive_body(headers: Mapping[bytes, bytes], receive: Callable[[], Awaitable[Any]], most_bytes: int) -> bytes:
    """
    Receive a body without the framework.

    Raises:
        ServiceError: 413 for more than so many bytes, before they come where the headers tell.
        CallerGone: when the connection ended before the body did.
    """
    body = bytearray()
    length = headers.get(b"content-length", b"")
    too_large, more = length.isdigit() and int(length[:19]) > most_bytes, True
    while more and not too_large:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise CallerGone
        body += message.get("body", b"")
        more = message.get("more_body", False)
        too_large = len(body) > most_bytes
    if too_large:
        message = f"The body is larger than {most_bytes:,} bytes. Files are uploaded by POST /files."
        raise failure(413, Code.BODY_TOO_LARGE, message)
    return bytes(body)


def received_again(content: bytes, receive: Callable[[], Awaitable[Any]]) -> Callable[[], Awaitable[Any]]:
    """Give a body that was read already, and then whatever else comes."""
    messages = [{"type": "http.request", "body": content, "more_body": False}]

    async def receive_again() -> Any:
        return messages.pop() if messages else await receive()

    return receive_again


def parse_body(body: bytes, content_type: str) -> JsonBody | FormBody:
    """Read a body as what its Content-Type says; an empty one is `{}` whatever that is."""
    if not body.strip():
        return JsonBody({})
    media_type = content_type.partition(";")[0].strip().lower()
    if media_type == "application/json":
        return JsonBody(json_object(body), len(body))
    if media_type == FORM:
        return FormBody(_form(body), len(body))
    raise failure(
        415, Code.UNSUPPORTED_MEDIA_TYPE, f"Send the body as application/json or {FORM} and name it in Content-Type."
    )


def json_object(body: bytes) -> dict[str, Any]:
    """Read a body that must be a JSON object of not too many values."""
    try:
        value = read_json(body.decode(), as_unicode=True)
    except UnicodeError:
        raise refused(Code.MALFORMED_BODY, "The body is not valid UTF-8 text.") from None
    except TooManyValues:
        raise _too_many_values() from None
    except ValueError as error:
        if isinstance(error, json.JSONDecodeError):
            reason = f"is not valid JSON at line {error.lineno}, column {error.colno}"
        else:
            reason = f"is not JSON of finite numbers and at most {MAX_DEPTH} levels"
        raise refused(Code.MALFORMED_BODY, f"The body {reason}.") from None
    if not isinstance(value, dict):
        raise refused(Code.MALFORMED_BODY, "The body must be a JSON object with the parameters as keys.")
    return value


def _too_many_values() -> ServiceError:
    return failure(413, Code.BODY_TOO_LARGE, f"The body holds more than {MAX_VALUES} values. Send them in parts.")


def _form(body: bytes) -> tuple[tuple[str, str], ...]:
    try:
        pairs = parse_qsl(
            body.decode(), keep_blank_values=True, strict_parsing=True, errors="strict", max_num_fields=MAX_PAIRS
        )
    except (UnicodeError, ValueError):
        raise refused(
            Code.MALFORMED_BODY, f"The body is not a valid form of at most {MAX_PAIRS} fields in UTF-8."
        ) from None
    # Fields may hold JSON. It is read only once it is known which parameters are arrays and objects.
    if sum(text.count(",") + text.count("[") + text.count("{") for _, text in pairs if text[:1] in "[{") > MAX_VALUES:
        raise _too_many_values()
    return tuple(pairs)
