"""A request that a function makes, taken apart again for comparing it with what a vendor describes."""

import json
import re
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from attrs import field, frozen

from service_server.onward.values import OnwardRequest


@frozen
class Sent:
    """A request in parts; `url` has no query, `query` pairs in their order, `body` is None where it has no names."""

    method: str
    url: str
    query: tuple[tuple[str, str], ...]
    media_type: str
    headers: tuple[tuple[str, str], ...] = field(repr=False)
    content: bytes = field(repr=False)
    body: Any = field(repr=False)

    @classmethod
    def of(cls, request: OnwardRequest) -> "Sent":
        """Take a request apart."""
        url = urlsplit(request.url)
        headers = {name.lower(): value for name, value in request.headers}
        media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
        return cls(
            request.method,
            f"{url.scheme}://{url.netloc}{url.path}",
            tuple(parse_qsl(url.query, keep_blank_values=True)),
            media_type,
            tuple(headers.items()),
            request.body,
            _body(media_type, request.body),
        )

    def __str__(self) -> str:
        return f"{self.method} {self.url}"


def parts_of(name: str) -> list[str]:
    """Split the name of a form field or query parameter: `a[b][0]` is `a` and `b`."""
    return [part for part in re.split(r"[\[\]]+", name) if part and not part.isdigit()]


def _body(media_type: str, content: bytes) -> Any:
    if not content:
        return None
    if media_type == "application/json" or media_type.endswith("+json"):
        return json.loads(content)
    if media_type == "application/x-www-form-urlencoded":
        return nested(parse_qsl(content.decode(), keep_blank_values=True))
    if media_type.startswith("multipart/form-data"):
        names = re.findall(rb'^Content-Disposition: form-data; name="([^"]+)"', content, re.MULTILINE)
        return nested([(name.decode(), "") for name in names])
    return None


def nested(pairs: list[tuple[str, str]]) -> dict[str, Any]:
    """Read `a[b]=c` as `{"a": {"b": "c"}}`; repeated names and those with `[]` or an index make lists."""
    result: dict[str, Any] = {}
    for name, value in pairs:
        first, *others = re.split(r"\]?\[", name.removesuffix("]"))
        inner = result
        *outer, last = first, *others
        for part in outer:
            inner = inner.setdefault(part, {})
        before = inner.get(last, [])
        inner[last] = [*(before if isinstance(before, list) else [before]), value] if last in inner else value
    return {name: _with_lists(value) for name, value in result.items()}


def _with_lists(value: Any) -> Any:
    """Make lists of objects that have nothing but indexes."""
    if not isinstance(value, dict):
        return value
    inner = {name: _with_lists(each) for name, each in value.items()}
    if set(inner) == {""}:
        return inner[""] if isinstance(inner[""], list) else [inner[""]]
    return list(inner.values()) if all(name.isdigit() for name in inner) else inner


def flat(pairs: list[tuple[str, str]]) -> dict[str, Any]:
    """Read names as they stand; repeated ones make lists."""
    result: dict[str, Any] = {}
    for name, value in pairs:
        before = result.get(name, [])
        result[name] = [*(before if isinstance(before, list) else [before]), value] if name in result else value
    return result
