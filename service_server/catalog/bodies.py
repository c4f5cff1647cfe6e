"""Bodies of onward requests: JSON, forms, multipart, GraphQL and raw content, filled from a call's values."""

import base64
import binascii
import json
import secrets
from collections.abc import Mapping
from typing import Any, Literal, Protocol, TypeAlias
from urllib.parse import urlencode

from attrs import field, frozen

from service_server.catalog.expressions import ABSENT, Context, Evaluate, InvalidRequest, stringify

ListStyle: TypeAlias = Literal["repeat", "brackets", "indexes"]
Encoding: TypeAlias = Literal["text", "base64"]


class BodyTemplate(Protocol):
    """What makes a request's body."""

    def encode(self, context: Context) -> tuple[bytes, str | None]:
        """Return the body with its content type (None: there is no body); raise `InvalidRequest` for wrong values."""
        ...


@frozen
class JsonBodyTemplate:
    """A value sent as JSON."""

    value: Evaluate = field(repr=False)

    def encode(self, context: Context) -> tuple[bytes, str | None]:
        """See `BodyTemplate`."""
        value = self.value(context)
        return (b"", None) if value is ABSENT else (json_bytes(value), "application/json")


@frozen
class FormBodyTemplate:
    """An object sent as a form: what is inside objects as `a[b]=c`, lists in the app's style."""

    value: Evaluate = field(repr=False)
    lists: ListStyle = "repeat"

    def encode(self, context: Context) -> tuple[bytes, str | None]:
        """See `BodyTemplate`."""
        value = self.value(context)
        if value is ABSENT:
            return b"", None
        pairs = [pair for name, item in value.items() for pair in flattened(name, item, self.lists)]
        return urlencode(pairs).encode(), "application/x-www-form-urlencoded"


@frozen
class GraphQLBodyTemplate:
    """A GraphQL operation: its text, which is sent as it stands, and its variables."""

    query: str
    variables: Evaluate = field(repr=False)

    def encode(self, context: Context) -> tuple[bytes, str | None]:
        """See `BodyTemplate`."""
        variables = self.variables(context)
        operation = {"query": self.query} if variables is ABSENT else {"query": self.query, "variables": variables}
        return json_bytes(operation), "application/json"


@frozen
class File:
    """A part of a multipart body that is a file; its content comes as text or in base64."""

    content: Evaluate = field(repr=False)
    name: Evaluate = field(repr=False)
    media_type: str
    encoding: Encoding = "text"


@frozen
class MultipartBodyTemplate:
    """Named parts (RFC 7578): plain values and files; those without a value are left out."""

    parts: Mapping[str, Evaluate | File] = field(repr=False)

    def encode(self, context: Context) -> tuple[bytes, str | None]:
        """See `BodyTemplate`."""
        boundary = secrets.token_hex(16)
        content = b""
        for name, part in self.parts.items():
            for head, body in _parts(name, part, context):
                content += f"--{boundary}\r\nContent-Disposition: form-data; {head}\r\n\r\n".encode() + body + b"\r\n"
        return content + f"--{boundary}--\r\n".encode(), f"multipart/form-data; boundary={boundary}"


@frozen
class RawBodyTemplate:
    """One text, or bytes that come in base64, sent as they are."""

    content: Evaluate = field(repr=False)
    media_type: str
    encoding: Encoding = "text"

    def encode(self, context: Context) -> tuple[bytes, str | None]:
        """See `BodyTemplate`."""
        value = self.content(context)
        return (b"", None) if value is ABSENT else (_content(value, self.encoding), self.media_type)


def flattened(name: str, value: Any, lists: ListStyle) -> list[tuple[str, str]]:
    """Write a value as the pairs of a form or query; `a[b][0]=c` is the deepest form there is."""
    if isinstance(value, Mapping):
        return [pair for key, item in value.items() for pair in flattened(f"{name}[{key}]", item, lists)]
    if not isinstance(value, list):
        return [(name, stringify(value, name))]
    if lists == "indexes":
        return [pair for index, item in enumerate(value) for pair in flattened(f"{name}[{index}]", item, lists)]
    inner = f"{name}[]" if lists == "brackets" else name
    return [(inner, stringify(item, name)) for item in value]


def json_bytes(value: Any) -> bytes:
    """Write a value as JSON, or raise `InvalidRequest` for what JSON can't hold."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    except ValueError as error:
        raise InvalidRequest(None, "the body has values that JSON can't hold") from error


def _parts(name: str, part: Evaluate | File, context: Context) -> list[tuple[str, bytes]]:
    if isinstance(part, File):
        content, file_name = part.content(context), part.name(context)
        if content is ABSENT:
            return []
        shown = "file" if file_name is ABSENT else stringify(file_name, name)
        head = f'name="{_quoted(name)}"; filename="{_quoted(shown)}"\r\nContent-Type: {part.media_type}'
        return [(head, _content(content, part.encoding))]
    value = part(context)
    if value is ABSENT:
        return []
    items = value if isinstance(value, list) else [value]
    return [(f'name="{_quoted(name)}"', stringify(item, name).encode()) for item in items]


def _quoted(text: str) -> str:
    """As browsers write names in a part's head: nothing in them can end it."""
    return text.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


def _content(value: Any, encoding: Encoding) -> bytes:
    text = stringify(value)
    if encoding == "text":
        return text.encode()
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise InvalidRequest(None, "the content must be base64") from None
