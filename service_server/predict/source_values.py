"""What a source function is called with, what it lists, and where a listed value goes; this makes no calls."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from service_client.models import Source
from service_server.json_texts.json_text import JsonText
from service_server.predict.arguments.validation import compiled
from service_server.predict.label_matching import Entry, Match, match

_REFERENCE = re.compile(r"\$\{([^}?]+)(\??)\}")


class NotYet(LookupError):
    """A source function needs an argument that has no value (yet)."""


def source_arguments(source: Source, arguments: Mapping[str, Any], waiting: set[str]) -> dict[str, Any]:
    """Return what to call a source function with; raises `NotYet` if a value it needs is missing."""

    def value(reference: re.Match[str]) -> Any:
        path = reference[1].strip()
        found: Any = arguments
        for step in path.split("."):
            found = found.get(step) if isinstance(found, Mapping) else None
        if path in waiting or (found is None and not reference[2]):
            raise NotYet(path)
        return found

    given: dict[str, Any] = {}
    for name, text in source.arguments.items():
        if not isinstance(text, str):
            given[name] = text
        elif whole := _REFERENCE.fullmatch(text):
            given[name] = value(whole)
        else:
            given[name] = _REFERENCE.sub(lambda each: "" if (found := value(each)) is None else str(found), text)
    return {name: each for name, each in given.items() if each is not None}


def needs_of(source: Source) -> set[str]:
    """Return the paths of the arguments that a source function is called with."""
    return {reference[1].strip() for reference in _references(source)}


def required_by(source: Source) -> set[str]:
    """Return the paths of the arguments without which a source function can't be called."""
    return {reference[1].strip() for reference in _references(source) if not reference[2]}


def _references(source: Source) -> Iterator[re.Match[str]]:
    texts = (text for text in source.arguments.values() if isinstance(text, str))
    return (reference for text in texts for reference in _REFERENCE.finditer(text))


def matches_in(source: Source, names: Sequence[str], pages: Sequence[JsonText], *, complete: bool) -> list[Match]:
    """Return what each of the names means among the entries that a source function lists on its pages."""
    outputs = [page.value() for page in pages]
    complete = complete and all(isinstance(output, list) for output in outputs)
    entries = [entry for output in outputs if isinstance(output, list) for entry in entries_of(source, output)]
    return [match(name, entries, complete=complete) for name in names]


def entries_of(source: Source, output: Sequence[Any]) -> list[Entry]:
    """Return the entries of a source function's output; those without a value are left out."""
    found = []
    for each in output:
        value = _pick(each, source.value) if isinstance(each, Mapping) else each
        label = _pick(each, source.label) if isinstance(each, Mapping) else each
        if isinstance(value, str | int | float) and not isinstance(value, bool) and value != "":
            shown = label if isinstance(label, str | int | float) and label != "" else value
            found.append(Entry(value, str(shown)))
    return found


def _pick(entry: Mapping[str, Any], key: str) -> Any:
    """Look up a key as it stands, or as a dotted path into nested objects."""
    if key in entry:
        return entry[key]
    value: Any = entry
    for step in key.split("."):
        value = value.get(step) if isinstance(value, Mapping) else None
    return value


def fitting(schema: Mapping[str, Any], value: Any) -> Any:
    """Return a value as its schema takes it: an app's numbers become texts where ids are texts; None if it can't."""
    validator = compiled(schema)
    for candidate in (value, [str(each) for each in value] if isinstance(value, list) else str(value)):
        if validator is not None and validator.is_valid(candidate):
            return candidate
    return None


def take(target: dict[str, Any], path: str) -> None:
    """Remove the argument at a path like `a.b`, if it is there."""
    *parents, last = path.split(".")
    inner: Any = target
    for name in parents:
        inner = inner.get(name) if isinstance(inner, dict) else None
    if isinstance(inner, dict):
        inner.pop(last, None)
