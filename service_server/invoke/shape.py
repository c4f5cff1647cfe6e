"""From the app's answer to the result: the body relayed, the part a query asks for, the cursor of the next page."""

import base64
import codecs
from typing import Any

import structlog

from service_client.models import CallResult
from service_server.catalog.hooks import HookFailed
from service_server.foreign_json import read_json
from service_server.invoke.invocation import Invocation, Parts
from service_server.invoke.next_page import seal_next_page
from service_server.onward.values import OnwardResponse

_log = structlog.get_logger(__name__)

_CHARSETS = (
    "utf-8",
    "utf-16",
    "utf-32",
    "ascii",
    "iso8859",
    "iso2022",
    "cp",
    "koi8",
    "mac-",
    "gb",
    "big5",
    "shift_jis",
    "euc_",
    "tis-620",
)


async def shape(invocation: Invocation, parts: Parts) -> None:
    """Make the result, unless the answer was interrupted and `send` has made it."""
    response = invocation.response
    if response is None:
        return
    function = invocation.request.function
    body = invocation.body
    succeeded = 200 <= response.status < 300
    output = _picked(invocation, body) if function.type == "query" and succeeded else body
    next_page = None
    if function.pagination is not None:
        following = function.pagination.following(invocation.position, invocation.onward, response, body, output)
        if following.past_end:
            output = []
        next_page = "" if following.position is None else seal_next_page(parts.vault, invocation, following.position)
    invocation.result = CallResult(network_code=str(response.status), output=output, next_page=next_page)


def _picked(invocation: Invocation, body: Any) -> Any:
    """The part a query asks for; the whole body where a defect of the connector's hook hides it."""
    function = invocation.request.function
    try:
        return function.pick(body)
    except HookFailed as defect:
        _log.error("hook failed", function=function.name, hook=defect.hook, reason=defect.reason)
        return body


def parse_body(response: OnwardResponse) -> Any:
    """A body as it is relayed: JSON parsed, text as a string, nothing as null, other bytes in base64."""
    if not response.body:
        return None
    content_type = response.headers.get("content-type", "")
    media_type, _, parameters = content_type.partition(";")
    media_type = media_type.strip().lower()
    if media_type == "application/json" or media_type.endswith("+json") or not media_type:
        try:
            return read_json(response.body)
        except ValueError:
            pass  # what only claims to be JSON, or could not be written as JSON again, is relayed as the text it is
    if media_type.startswith("text/") or "json" in media_type or media_type.endswith(("xml", "x-www-form-urlencoded")):
        return response.body.decode(_charset(parameters), errors="replace")
    try:
        return response.body.decode() if not media_type else _base64(response.body, content_type)
    except UnicodeDecodeError:
        return _base64(response.body, "application/octet-stream")


def _charset(parameters: str) -> str:
    for parameter in parameters.split(";"):
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "charset":
            return _known_charset(value.strip().strip('"'))
    return "utf-8"


def _known_charset(name: str) -> str:
    """Return a charset that every body can be read by: Python's codecs are more than charsets, and some never end."""
    try:
        canonical = codecs.lookup(name).name
    except (LookupError, ValueError):
        return "utf-8"
    return canonical if canonical.startswith(_CHARSETS) else "utf-8"


def _base64(body: bytes, content_type: str) -> dict[str, str]:
    return {"content_type": content_type, "base64": base64.b64encode(body).decode()}
