"""Writes values as YAML the way people write connectors: in blocks, short things on one line, long texts folded."""

import re
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any, Final

_WIDTH: Final = 120
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*\Z")
_PLAIN = re.compile(r"[A-Za-z$/(][^\x00-\x1f\x7f-\uffff:#\[\]{},&*!|>'\"%@`\\]*\Z")
_PLAIN_IN_BLOCK = re.compile(
    r"[A-Za-z$/(](?:[^\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff:#\\]|:(?=[^\s])|(?<=\S)#)*\Z"
)
_OTHER_TYPES = re.compile(r"(?:null|true|false|yes|no|on|off|y|n)\Z", re.IGNORECASE)
_ALWAYS_BLOCK: Final = ("properties", "auth", "fields", "vars", "pagination", "examples", "parameters")


def yaml_of(value: Mapping[str, Any]) -> str:
    """Return an object as the text of a YAML file."""
    return "\n".join(_block(value, 0)) + "\n"


def _block(value: Mapping[str, Any], indent: int) -> Iterator[str]:
    for key, each in value.items():
        yield from _entry(f"{' ' * indent}{_key(key, in_flow=False)}:", key, each, indent)


def _entry(head: str, key: str, value: Any, indent: int) -> Iterator[str]:
    if isinstance(value, str):
        yield from _text(head, value, indent)
        return
    if isinstance(value, Mapping | list) and value:
        flow = _flow(value)
        is_short = len(head) + 1 + len(flow) <= _WIDTH and key not in _ALWAYS_BLOCK and "description" not in value
        if is_short:
            yield f"{head} {flow}"
        elif isinstance(value, Mapping):
            yield head
            yield from _block(value, indent + 2)
        else:
            yield head
            yield from _items(value, indent + 2)
        return
    yield f"{head} {_flow(value)}"


def _items(value: list[Any], indent: int) -> Iterator[str]:
    for item in value:
        if isinstance(item, Mapping) and item:
            lines = list(_block(item, indent + 2))
            yield f"{' ' * indent}- {lines[0].lstrip(' ')}"
            yield from lines[1:]
        elif isinstance(item, list) and item:
            yield f"{' ' * indent}- {_flow(item)}"
        elif isinstance(item, str):
            yield f"{' ' * indent}- {_scalar(item, in_flow=False)}"
        else:
            yield f"{' ' * indent}- {_flow(item)}"


def _text(head: str, value: str, indent: int) -> Iterator[str]:
    whole = f"{head} {_scalar(value, in_flow=False)}"
    if len(whole) <= _WIDTH or not _can_be_folded(value):
        yield whole
        return
    yield f"{head} >-"
    yield from textwrap.wrap(
        value,
        _WIDTH,
        initial_indent=" " * (indent + 2),
        subsequent_indent=" " * (indent + 2),
        break_long_words=False,
        break_on_hyphens=False,
    )


def _can_be_folded(value: str) -> bool:
    """Whether folding and reading again gives the same text: single blanks, and no others."""
    return value.isprintable() and " ".join(value.split()) == value


def _flow(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key, in_flow=True)}: {_flow(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_flow(each) for each in value) + "]"
    return _scalar(value, in_flow=True)


def _key(key: str, in_flow: bool) -> str:
    return key if _WORD.match(key) else _scalar(key, in_flow)


def _scalar(value: Any, in_flow: bool) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _number(value)
    text = str(value)
    pattern = _PLAIN if in_flow else _PLAIN_IN_BLOCK
    if pattern.match(text) and not _OTHER_TYPES.match(text) and not text.endswith((" ", ":")):
        return text
    return _quoted(text)


def _number(value: float) -> str:
    text = repr(value)
    return text if "e" not in text or "." in text else text.replace("e", ".0e")


def _quoted(text: str) -> str:
    return '"' + "".join(_escaped(character) for character in text) + '"'


def _escaped(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    if character == "\n":
        return "\\n"
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
