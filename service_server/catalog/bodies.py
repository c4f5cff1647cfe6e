"""Bodies of onward requests: JSON, forms, multipart, GraphQL and raw content, filled from a call's values."""

import base64
import binascii
import json
import secrets
from collections.abc import Callable, Mapping
from typing import Any, Literal, Protocol, TypeAlias
from urllib.parse import urlencode

from attrs import field, frozen

from service_server.catalog.expressions import ABSENT, Context, Evaluate, InvalidRequest, stringify
from service_server.catalog.given_files import GivenFile, InBase64, Part, StandIns, joined
from service_server.onward.values import StreamedBody

ListStyle: TypeAlias = Literal["repeat", "brackets", "indexes"]
Encoding: TypeAlias = Literal["text", "base64"]


class BodyTemplate(Protocol):
    """What makes a request's body."""

    def encode(self, context: Context) -> tuple[bytes | StreamedBody, str | None]:
        """Return the body with its content type (None: there is no body); raise `InvalidRequest` for wrong values."""
        ...


@frozen
class JsonBodyTemplate:
    """A value sent as JSON, the files in it in base64."""

    value: Evaluate = field(repr=False)

    def encode(self, context: Context) -> tuple[bytes | StreamedBody, str | None]:
        """See `BodyTemplate`."""
        value = self.value(context)
        return (b"", None) if value is ABSENT else (json_body(value), "application/json")


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
    """
    A part of a multipart body that is a file; its content comes as text or in base64, or is a given file.

    Without a name or media type it has those of the given file.
    """

    content: Evaluate = field(repr=False)
    name: Evaluate | None = field(repr=False)
    media_type: str | None
    encoding: Encoding = "text"


@frozen
class MultipartBodyTemplate:
    """Named parts (RFC 7578): plain values and files; those without a value are left out."""

    parts: Mapping[str, Evaluate | File] = field(repr=False)

    def encode(self, context: Context) -> tuple[bytes | StreamedBody, str | None]:
        """See `BodyTemplate`."""
        boundary = secrets.token_hex(16)
        content: list[Part] = []
        for name, part in self.parts.items():
            for head, body in _parts(name, part, context):
                content.append(f"--{boundary}\r\nContent-Disposition: form-data; {head}\r\n\r\n".encode())
                content += [body, b"\r\n"]
        content.append(f"--{boundary}--\r\n".encode())
        return joined(content), f"multipart/form-data; boundary={boundary}"


@frozen
class RawBodyTemplate:
    """
    One text, bytes that come in base64, or a given file, sent as they are.

    What a hook prepared may be a list of these, sent one after the other; a file in it as {"base64": file} is written
    in lines, as e-mails want it.
    """

    content: Evaluate = field(repr=False)
    media_type: Evaluate | None = field(repr=False)
    encoding: Encoding = "text"

    def encode(self, context: Context) -> tuple[bytes | StreamedBody, str | None]:
        """See `BodyTemplate`."""
        value = self.content(context)
        if value is ABSENT:
            return b"", None
        if self.media_type is None:
            media_type = value.media_type if isinstance(value, GivenFile) else "application/octet-stream"
        else:
            media_type = stringify(self.media_type(context))
        parts = value if isinstance(value, list) else [value]
        return joined([_content(part, self.encoding) for part in parts]), media_type


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


def json_bytes(value: Any, otherwise: Callable[[Any], Any] | None = None) -> bytes:
    """Write a value as JSON, what is none by `otherwise`; raise `InvalidRequest` for what JSON can't hold."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=otherwise).encode()
    except ValueError as error:
        raise InvalidRequest(None, "the body has values that JSON can't hold") from error


def json_body(value: Any) -> bytes | StreamedBody:
    """Write a value as JSON in which files stand as base64 texts, without holding their contents."""
    stand_ins: StandIns | None = None

    def written(inner: Any) -> str:
        nonlocal stand_ins
        if not isinstance(inner, GivenFile):
            raise TypeError(f"no JSON: {type(inner).__name__}")
        stand_ins = stand_ins or StandIns()
        return stand_ins.put(InBase64(inner))

    text = json_bytes(value, written)
    return text if stand_ins is None else joined(stand_ins.split(text))


def _parts(name: str, part: Evaluate | File, context: Context) -> list[tuple[str, Part]]:
    if isinstance(part, File):
        content = part.content(context)
        if content is ABSENT:
            return []
        given = content if isinstance(content, GivenFile) else None
        file_name = ABSENT if part.name is None else part.name(context)
        if file_name is ABSENT:
            file_name = "file" if given is None else given.name
        media_type = part.media_type or ("application/octet-stream" if given is None else given.media_type)
        shown = _quoted(stringify(file_name, name))
        head = f'name="{_quoted(name)}"; filename="{shown}"\r\nContent-Type: {media_type}'
        return [(head, _content(content, part.encoding))]
    value = part(context)
    if value is ABSENT:
        return []
    items = value if isinstance(value, list) else [value]
    return [(f'name="{_quoted(name)}"', stringify(item, name).encode()) for item in items]


def _quoted(text: str) -> str:
    """As browsers write names in a part's head: nothing in them can end it."""
    return text.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


def _content(value: Any, encoding: Encoding) -> Part:
    if isinstance(value, GivenFile):
        return value
    if isinstance(value, Mapping) and isinstance(file := value.get("base64"), GivenFile):
        return InBase64(file, in_lines=True)
    text = stringify(value)
    if encoding == "text":
        return text.encode()
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise InvalidRequest(None, "the content must be base64") from None
