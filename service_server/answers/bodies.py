"""A body as it is relayed: JSON parsed, text as a string, nothing as null, other bytes in base64."""

import base64
import codecs
import contextlib
import re
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
# Its own name, and those from before it had one, which older servers still say.
_JSON = frozenset({"application/json", "text/json", "application/x-json", "text/x-json"})
_UTF_8 = "utf-8"
# That of UTF-32 begins like that of UTF-16. Each charset leaves its mark out of the text.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (codecs.BOM_UTF8, "utf-8-sig"),
)
_DECLARED = re.compile(rb"""<\?xml\s[^>]{1,200}?\sencoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")


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
    if media_type in _JSON or media_type.endswith("+json") or not media_type:
        try:
            return Body(read_json(body, most_values=None), JsonText(body) if _is_utf_8(body) else None)
        except UnicodeDecodeError:  # JSON is in UTF-8, but some apps say another charset, and mean it
            charset = _named_charset(parameters)
            with contextlib.suppress(ValueError):
                if charset not in (None, _UTF_8):
                    return Body(read_json(body.decode(charset, errors="replace"), most_values=None))
        except ValueError:
            pass  # what only claims to be JSON, or could not be written as JSON again, is relayed as text
    if media_type.startswith("text/") or "json" in media_type or media_type.endswith(("xml", "x-www-form-urlencoded")):
        charset = _marked_charset(body) or _named_charset(parameters) or _declared_charset(body)
        return Body(body.decode(charset, errors="replace"))
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


def _marked_charset(body: bytes) -> str | None:
    """The charset that a byte order mark tells, whatever the header says, as browsers read it."""
    return next((charset for mark, charset in _MARKS if body.startswith(mark)), None)


def _named_charset(parameters: str) -> str | None:
    """The charset that the header names, None if it names none."""
    for parameter in parameters.split(";"):
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "charset":
            return _known_charset(value.strip().strip('"'))
    return None


def _declared_charset(body: bytes) -> str:
    """The charset that an XML document declares; UTF-8 if it, or whatever else it is, declares none."""
    declared = _DECLARED.match(body)
    charset = _UTF_8 if declared is None else _known_charset(declared[1].decode())
    # What could be read here as ASCII is in none of these.
    return _UTF_8 if charset.startswith(("utf-16", "utf-32")) else charset


def _known_charset(name: str) -> str:
    """Return a charset that can read every body: not all of Python's codecs are charsets, and some never end."""
    try:
        canonical = codecs.lookup(name).name
    except (LookupError, ValueError):
        return _UTF_8
    return canonical if canonical.startswith(_CHARSETS) else _UTF_8


def _base64(body: bytes, content_type: str) -> dict[str, str]:
    return {"content_type": content_type, "base64": base64.b64encode(body).decode()}
