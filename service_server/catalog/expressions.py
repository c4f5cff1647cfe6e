"""
The `${dotted.path}` expressions of connector files, and what templates that hold some come to.

There is nothing else in the language: no conditions, no loops, no calls. `?` before the closing brace drops the key
that holds the expression when the value is absent, a string that is one whole expression keeps the value's type, and
an object's key `...` spreads the object it names. A key may hold expressions, too.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any, Final, TypeAlias

from attrs import asdict, frozen

Context: TypeAlias = Mapping[str, Any]

ROOTS: Final = frozenset(
    {"args", "before", "lookup", "prepared", "vars", "creds", "token", "test", "body", "output", "header", "status"}
)
SPREAD: Final = "..."

_EXPRESSION = re.compile(r"\$\{([^{}]*)\}")
_PATH = re.compile(r"([a-z]+)((?:\.(?:[A-Za-z0-9_-]+|'[^']+'))*)(\?)?\Z")
_HOST = re.compile(r"(https?://)?[^/]*")
_KEY = re.compile(r"\.(?:([A-Za-z0-9_-]+)|'([^']+)')")


class _Absent:
    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = _Absent()


class ExpressionError(ValueError):
    """An expression that does not follow the grammar; found at load, never in a call."""


class InvalidRequest(Exception):
    """A request can't be built: `field` is the parameter at fault, None for a variable or credential."""

    def __init__(self, field: str | None, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.message = message


@frozen
class Reference:
    """One `${root.key.key}`; `optional` when it ended in `?`."""

    root: str
    keys: tuple[str, ...]
    optional: bool = False

    def __str__(self) -> str:
        return ".".join((self.root, *self.keys))

    def find(self, context: Context) -> Any:
        """Return the value, or `ABSENT` where there is none or it is null."""
        value: Any = context.get(self.root)
        for key in self.keys:
            if isinstance(value, Mapping):
                value = value.get(key)
            elif isinstance(value, list) and key.removeprefix("-").isdecimal() and -len(value) <= int(key) < len(value):
                value = value[int(key)]  # -1 is the last one: where the next page of some apps begins
            else:
                return ABSENT
        return ABSENT if value is None else value

    def require(self, context: Context) -> Any:
        """Return the value; where there is none, `ABSENT` if it is optional and `InvalidRequest` if it is not."""
        value = self.find(context)
        if value is ABSENT and not self.optional:
            raise InvalidRequest(self.field, f"{self} has no value")
        return value

    @property
    def field(self) -> str | None:
        """The parameter the value comes from, None when it comes from somewhere else."""
        return ".".join(self.keys) if self.root == "args" and self.keys else None


@lru_cache(maxsize=4096)
def parse_path(text: str) -> Reference:
    """Read a bare dotted path, as it stands between the braces; a key with other characters stands in quotes."""
    match = _PATH.match(text)
    if match is None:
        raise ExpressionError(f"'{text}' is not a dotted path such as args.name or args.name?")
    root, keys, optional = match.groups()
    if root not in ROOTS:
        raise ExpressionError(f"unknown root '{root}' in '{text}'; the roots are {', '.join(sorted(ROOTS))}")
    names = tuple(plain or quoted for plain, quoted in _KEY.findall(keys))
    if root == "header":
        names = tuple(name.lower() for name in names)
    return Reference(root, names, optional is not None)


@lru_cache(maxsize=16384)
def parse_text(text: str) -> tuple[str | Reference, ...]:
    """Split a string into its literal parts and its references."""
    parts: list[str | Reference] = []
    end = 0
    for match in _EXPRESSION.finditer(text):
        if match.start() > end:
            parts.append(text[end : match.start()])
        parts.append(parse_path(match[1]))
        end = match.end()
    if end < len(text) or not parts:
        parts.append(text[end:])
    if any("${" in part for part in parts if isinstance(part, str)):
        raise ExpressionError(f"'${{' without its closing brace in '{text}'")
    return tuple(parts)


def references(template: Any) -> Iterator[tuple[tuple[str | int, ...], Reference]]:
    """Yield every reference of a template with the path at which it stands; a text that is wrong has none."""
    if isinstance(template, str):
        if "${" in template:
            with suppress(ExpressionError):
                yield from (((), part) for part in parse_text(template) if isinstance(part, Reference))
        return
    for key, value in members(template):
        for path, reference in (*references(key), *references(value)):
            yield (key, *path), reference


def members(template: Any) -> Iterable[tuple[Any, Any]]:
    """Return what stands in a template with its keys: in an object, a list or a part of the format."""
    if isinstance(template, Mapping):
        return template.items()
    if isinstance(template, list | tuple):
        return enumerate(template)
    return asdict(template, recurse=False).items() if hasattr(template, "__attrs_attrs__") else ()


def references_in(template: Any) -> list[Reference]:
    """Return every reference of a template."""
    return [reference for _, reference in references(template)]


def referred(root: str, template: Any) -> list[tuple[str, ...]]:
    """Return the keys of every reference of a template to a root."""
    return [reference.keys for reference in references_in(template) if reference.root == root]


def names_in(template: Any, root: str) -> list[str]:
    """Return the first keys behind a root in a template, such as the names of the variables it refers to."""
    return [keys[0] for keys in referred(root, template) if keys]


def names_host(address: str, variables: Collection[str]) -> bool:
    """Whether one of some variables decides on which host an address is, and not only what stands behind the host."""
    host = _HOST.match(address)
    return host is not None and not set(names_in(host[0], "vars")).isdisjoint(variables)


def filled(template: Any, context: Context) -> Any:
    """
    Return what a template (text, object, list or constant) comes to.

    That is `ABSENT` for a text whose optional reference has no value; objects and lists leave it out, and one inside
    another of which nothing is left is left out itself. The outermost one stays.
    """
    value = _inner(template, context)
    if value is not ABSENT or not isinstance(template, Mapping | list):
        return value
    return {} if isinstance(template, Mapping) else []


def filled_text(template: str, context: Context) -> str:
    """Return the text that a template comes to, empty where an optional value is absent."""
    value = _joined(parse_text(template), context)
    return "" if value is ABSENT else str(value)


def stringify(value: Any, field: str | None = None) -> str:
    """Write a scalar as it stands inside a text: `true`, `5`, `2.5`; lists and objects have no such form."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    raise InvalidRequest(field, "a list or an object can't stand inside a text")


def _inner(template: Any, context: Context) -> Any:
    if isinstance(template, str):
        parts = parse_text(template)
        if len(parts) == 1 and isinstance(parts[0], Reference):
            return parts[0].require(context)
        return _joined(parts, context)
    if isinstance(template, Mapping):
        return _object(template, context)
    if isinstance(template, list):
        result = [value for item in template if (value := _inner(item, context)) is not ABSENT]
        return result if result or not template else ABSENT
    return template


def _joined(parts: tuple[str | Reference, ...], context: Context) -> Any:
    texts = []
    for part in parts:
        if isinstance(part, str):
            texts.append(part)
            continue
        value = part.require(context)
        if value is ABSENT:
            return ABSENT
        texts.append(stringify(value, part.field))
    return "".join(texts)


def _object(template: Mapping[str, Any], context: Context) -> Any:
    result: dict[str, Any] = {}
    left = not template
    if SPREAD in template and (spread := _inner(template[SPREAD], context)) is not ABSENT:
        if not isinstance(spread, Mapping):
            raise InvalidRequest(None, "only an object can be spread")
        left = True
        result.update(spread)
    for key, each in template.items():
        if "${" in key:
            name, value = _joined(parse_text(key), context), _inner(each, context)
            if name is not ABSENT and value is not ABSENT:
                result[name] = value
    # A key of the connector's own wins over the others, so that arguments can't replace what it fixed.
    for key, each in template.items():
        if key != SPREAD and "${" not in key and (value := _inner(each, context)) is not ABSENT:
            result[key] = value
    return result if left or result else ABSENT
