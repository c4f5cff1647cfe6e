"""JSON that is passed on as the text it is: written once, and never walked through to be written again."""

import json
from typing import Any

from attrs import frozen

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


@frozen(repr=False)
class JsonText:
    """A JSON value as its text, in UTF-8."""

    text: bytes

    def __repr__(self) -> str:
        return f"JsonText({len(self.text)} bytes)"

    @classmethod
    def of(cls, value: Any) -> "JsonText":
        """The text of a value; what is no Unicode in it (half a surrogate pair) is escaped."""
        try:
            return cls(_ENCODER.encode(value).encode())
        except UnicodeEncodeError:
            return cls(json.dumps(value, separators=(",", ":")).encode())

    def value(self) -> Any:
        """The value."""
        return json.loads(self.text)


def in_unicode(value: Any) -> Any:
    """A JSON value for readers that take Unicode only: half a surrogate pair, which JSON can carry, is U+FFFD."""
    text = _ENCODER.encode(value)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.loads(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    return value
