"""A body as it is relayed: JSON parsed, text as a string, nothing as null, other bytes in base64."""

import base64
import codecs
from typing import Any

from attrs import field, frozen

from service_server.json_texts.foreign import read_json
from service_server.json_texts.json_text import JsonText
from service_server.onward.values import OnwardResponse

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


@frozen
class Body:
    """What a body says, and its JSON text if it came as JSON that can be passed on as it is."""

    value: Any = field(repr=False)
    as_it_came: JsonText | None = None


def read_body(response: OnwardResponse) -> Body:
    """Read a body as it is relayed."""
    body = response.body
    if not body:
        return Body(None)
    content_type = response.headers.get("content-type", "")
    media_type, _, parameters = content_type.partition(";")
    media_type = media_type.strip().lower()
    if media_type == "application/json" or media_type.endswith("+json") or not media_type:
        try:
            return Body(read_json(body, most_values=None), JsonText(body) if _is_utf_8(body) else None)
        except ValueError:
            pass  # what only claims to be JSON, or could not be written as JSON again, is relayed as text
    if media_type.startswith("text/") or "json" in media_type or media_type.endswith(("xml", "x-www-form-urlencoded")):
        return Body(body.decode(_charset(parameters), errors="replace"))
    try:
        return Body(body.decode() if not media_type else _base64(body, content_type))
    except UnicodeDecodeError:
        return Body(_base64(body, "application/octet-stream"))


def _is_utf_8(body: bytes) -> bool:
    """Whether JSON is in UTF-8 and without a byte order mark: Python reads other encodings, too."""
    try:
        return not body.decode().startswith("\ufeff") and b"\0" not in body[:4]
    except UnicodeDecodeError:
        return False


def _charset(parameters: str) -> str:
    for parameter in parameters.split(";"):
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "charset":
            return _known_charset(value.strip().strip('"'))
    return "utf-8"


def _known_charset(name: str) -> str:
    """Return a charset that can read every body: not all of Python's codecs are charsets, and some never end."""
    try:
        canonical = codecs.lookup(name).name
    except (LookupError, ValueError):
        return "utf-8"
    return canonical if canonical.startswith(_CHARSETS) else "utf-8"


def _base64(body: bytes, content_type: str) -> dict[str, str]:
    return {"content_type": content_type, "base64": base64.b64encode(body).decode()}
