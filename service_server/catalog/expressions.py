"""
The `${dotted.path}` expressions of connector files, compiled to closures.

There is nothing else in the language: no conditions, no loops, no calls. `?` before the closing brace drops the key
that holds the expression when the value is absent, a string that is one whole expression keeps the value's type, and
an object's key `...` spreads the object it names. A key may hold expressions, too.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from attrs import frozen

Context: TypeAlias = Mapping[str, Any]
Evaluate: TypeAlias = Callable[[Context], Any]

ROOTS: Final = frozenset(
    {"args", "before", "lookup", "prepared", "vars", "creds", "token", "test", "body", "output", "header", "status"}
)
SPREAD: Final = "..."

_EXPRESSION = re.compile(r"\$\{([^{}]*)\}")
_PATH = re.compile(r"([a-z]+)((?:\.(?:[A-Za-z0-9_-]+|'[^']+'))*)(\?)?\Z")
_KEY = re.compile(r"\.(?:([A-Za-z0-9_-]+)|'([^']+)')")


class _Absent:
    """The type of `ABSENT`."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = _Absent()


class ExpressionError(ValueError):
    """An expression that does not follow the grammar; found at load, never in a call."""


class InvalidRequest(Exception):
    """
    A request can't be built from these values, so nothing is sent.

    `field` is the parameter at fault, or None when something else is (a variable, a credential).
    """

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
    """Yield every reference of a template with the path at which it stands."""
    if isinstance(template, str):
        for part in parse_text(template):
            if isinstance(part, Reference):
                yield (), part
    elif isinstance(template, Mapping):
        for key, value in template.items():
            for path, reference in (*references(key), *references(value)):
                yield (key, *path), reference
    elif isinstance(template, list | tuple):
        for index, value in enumerate(template):
            for path, reference in references(value):
                yield (index, *path), reference


def compile_value(template: Any) -> Evaluate:
    """
    Compile a template (text, object, list or constant) to a function of the context.

    The function returns `ABSENT` for a text whose optional reference has no value; objects and lists leave it out, and
    one inside another of which nothing is left is left out itself. The outermost one stays.
    """
    evaluate = _compile_inner(template)
    if not isinstance(template, Mapping | list):
        return evaluate

    def whole(context: Context) -> Any:
        value = evaluate(context)
        if value is not ABSENT:
            return value
        return {} if isinstance(template, Mapping) else []

    return whole


def _compile_inner(template: Any) -> Evaluate:
    if isinstance(template, str):
        return _compile_string(parse_text(template))
    if isinstance(template, Mapping):
        return _compile_object(template)
    if isinstance(template, list):
        return _compile_list(template)
    return lambda _: template


def compile_text(template: str) -> Callable[[Context], str]:
    """Compile a template to a function that always returns text, empty where an optional value is absent."""
    evaluate = _compile_join(parse_text(template))

    def text(context: Context) -> str:
        value = evaluate(context)
        return "" if value is ABSENT else str(value)

    return text


def compile_optional(template: str | None) -> Evaluate | None:
    """Compile a template, where there is one."""
    return None if template is None else compile_value(template)


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


def _compile_string(parts: tuple[str | Reference, ...]) -> Evaluate:
    if len(parts) == 1 and isinstance(parts[0], Reference):
        return parts[0].require
    return _compile_join(parts)


def _compile_join(parts: tuple[str | Reference, ...]) -> Evaluate:
    if len(parts) == 1 and isinstance(parts[0], str):
        literal = parts[0]
        return lambda _: literal

    def join(context: Context) -> Any:
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

    return join


def _compile_list(template: list[Any]) -> Evaluate:
    items = [_compile_inner(item) for item in template]

    def build(context: Context) -> Any:
        result = [value for item in items if (value := item(context)) is not ABSENT]
        return result if result or not items else ABSENT

    return build


def _compile_object(template: Mapping[str, Any]) -> Evaluate:
    fixed = [(key, _compile_inner(value)) for key, value in template.items() if key != SPREAD and "${" not in key]
    named = [
        (_compile_join(parse_text(key)), _compile_inner(value))
        for key, value in template.items()
        if key != SPREAD and "${" in key
    ]
    spread = _compile_inner(template[SPREAD]) if SPREAD in template else None

    def build(context: Context) -> Any:
        result: dict[str, Any] = {}
        left = not template
        if spread is not None and (value := spread(context)) is not ABSENT:
            if not isinstance(value, Mapping):
                raise InvalidRequest(None, "only an object can be spread")
            left = True
            result.update(value)
        for name, evaluate in named:
            key, value = name(context), evaluate(context)
            if key is not ABSENT and value is not ABSENT:
                result[key] = value
        # A key of the connector's own wins over the others, so that arguments can't replace what it fixed.
        for key, evaluate in fixed:
            if (value := evaluate(context)) is not ABSENT:
                result[key] = value
        return result if left or result else ABSENT

    return build
