"""Bodies of onward requests: JSON, forms, multipart, GraphQL and raw content, filled from a call's values."""

import base64
import binascii
import json
import re
import secrets
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, TypeAlias
from urllib.parse import urlencode

from attrs import frozen

from service_server.catalog.expressions import ABSENT, Context, InvalidRequest, filled, stringify
from service_server.catalog.format.keys import Keywords, Text, key
from service_server.catalog.given_files import GivenFile, InBase64, Part, joined
from service_server.onward.values import StreamedBody

_MEDIA_TYPE = "[a-z0-9.+-]+/[a-z0-9.+-]+(; charset=utf-8)?"

ListStyle = Annotated[
    Literal["repeat", "brackets", "indexes"], Keywords(description="a=1&a=2, a[]=1&a[]=2 or a[0]=1&a[1]=2.")
]
Encoding = Annotated[
    Literal["text", "base64"], Keywords(description="How the content comes in an argument (default: text).")
]
Body: TypeAlias = tuple[bytes | StreamedBody, str | None]
"""A body with its content type; without one there is no body."""

NO_BODY: Body = (b"", None)


@frozen(kw_only=True)
class DeclaredPart:
    """A file in a multipart body."""

    file: str = key("The file's content: a text, base64, or a parameter of the format file.")
    name: str | None = key("The file's name (default: that of the given file).", None)
    type: Annotated[str, Keywords(pattern=f"^{_MEDIA_TYPE}$")] | None = key(
        "The media type, such as text/csv (default: that of the given file).", None
    )
    encoding: Encoding = key(default="text")


@frozen(kw_only=True)
class DeclaredOperation:
    """A GraphQL operation, sent by post as JSON."""

    query: Text = key("The operation's text; expressions can't stand in it.")
    variables: Mapping[str, Any] = key("The values of the operation's variables.", {})


@frozen(kw_only=True)
class DeclaredContent:
    """Sent as it is, with this media type."""

    content: str = key(
        "The content: a text, base64, or a parameter of the format file; of a hook also a list of these, with a file "
        "in lines of base64 as {base64: file}."
    )
    type: Annotated[str, Keywords(pattern=rf"^({_MEDIA_TYPE}|\$\{{[^{{}}]+\}})$")] | None = key(
        "The media type, such as text/csv, or an expression (default: that of the given file).", None
    )
    encoding: Encoding = key(default="text")


def form_body(form: Mapping[str, Any], lists: ListStyle) -> Body:
    """Write an object as a form: what is inside objects as `a[b]=c`, lists in the app's style."""
    pairs = [pair for name, item in form.items() for pair in flattened(name, item, lists)]
    return urlencode(pairs).encode(), "application/x-www-form-urlencoded"


def multipart_body(parts: Mapping[str, str | float | DeclaredPart], context: Context) -> Body:
    """Write named parts (RFC 7578): plain values and files; those without a value are left out."""
    boundary = secrets.token_hex(16)
    content: list[Part] = []
    for name, part in parts.items():
        for head, body in _parts(name, part, context):
            content.append(f"--{boundary}\r\nContent-Disposition: form-data; {head}\r\n\r\n".encode())
            content += [body, b"\r\n"]
    content.append(f"--{boundary}--\r\n".encode())
    return joined(content), f"multipart/form-data; boundary={boundary}"


def raw_body(raw: DeclaredContent, context: Context) -> Body:
    """Write one text, bytes that come in base64, or a given file, as they are, or a list of these of a hook."""
    value = filled(raw.content, context)
    if value is ABSENT:
        return NO_BODY
    if raw.type is None:
        media_type = value.media_type if isinstance(value, GivenFile) else "application/octet-stream"
    else:
        media_type = stringify(filled(raw.type, context))
    parts = value if isinstance(value, list) else [value]
    return joined([_content(part, raw.encoding) for part in parts]), media_type


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
    files: dict[bytes, Part] = {}

    def written(inner: Any) -> str:
        if not isinstance(inner, GivenFile):
            raise TypeError(f"no JSON: {type(inner).__name__}")
        stand_in = f"file-{secrets.token_hex(16)}"  # which nobody could know before
        files[stand_in.encode()] = InBase64(inner)
        return stand_in

    text = json_bytes(value, written)
    parts = re.split(b"(" + b"|".join(files) + b")", text) if files else [text]
    return joined([files.get(part, part) for part in parts])


def _parts(name: str, part: str | float | DeclaredPart, context: Context) -> list[tuple[str, Part]]:
    if isinstance(part, DeclaredPart):
        content = filled(part.file, context)
        if content is ABSENT:
            return []
        given = content if isinstance(content, GivenFile) else None
        file_name = ABSENT if part.name is None else filled(part.name, context)
        if file_name is ABSENT:
            file_name = "file" if given is None else given.name
        media_type = part.type or ("application/octet-stream" if given is None else given.media_type)
        shown = _quoted(stringify(file_name, name))
        head = f'name="{_quoted(name)}"; filename="{shown}"\r\nContent-Type: {media_type}'
        return [(head, _content(content, part.encoding))]
    value = filled(part, context)
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
