"""
The source functions of fields: which function lists a field's valid values, or the fields of an object.

Files name them without the app's name and refer to other fields as `${args.path}`; on the wire they have their full
names and references `${path}`.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from attrs import frozen

from service_client.models import DynamicFields, Source
from service_server.catalog.document import KeyPath
from service_server.catalog.parameters import walk_fields
from service_server.catalog.problems import Report, nearest

KEYWORDS: Final = ("x-source", "x-fields")

FILE_WORDS: Final = "Give the id of an uploaded file (file_…), or an https URL of one that is open to everybody."

# The keys of `x-source`, `x-fields` and `then` that lead into each entry of a list.
_ENTRY_PARTS: Final = ("value", "label", "key", "title", "type", "required", "options")
_FIRST_KEY = re.compile(r"[^.']+")
_REFERENCE = re.compile(r"\$\{args\.([A-Za-z0-9_]+(?:\[\])*(?:\.[A-Za-z0-9_]+(?:\[\])*)*)(\?)?\}")


@frozen
class Sibling:
    """
    What a source has to know of another function of its app.

    `entries` are the keys of what it lists, once for each of its outputs that names them itself.
    """

    type: str
    parameters: Mapping[str, Any]
    entries: tuple[frozenset[str], ...] = ()


def source_of(app_name: str, field: Mapping[str, Any]) -> Source | None:
    """Return the source of a field's values as it goes over the wire."""
    declared = field.get("x-source")
    if declared is None:
        return None
    return Source(
        function=f"{app_name}-{declared['function']}",
        arguments=_on_the_wire(declared.get("args", {})),
        value=declared["value"],
        label=declared["label"],
        search=declared.get("search"),
        depends_on=tuple(_referred(declared.get("args", {}))),
    )


def dynamic_fields_of(app_name: str, field: Mapping[str, Any]) -> DynamicFields | None:
    """Return the source of an object's fields as it goes over the wire."""
    declared = field.get("x-fields")
    if declared is None:
        return None
    return DynamicFields(
        function=f"{app_name}-{declared['function']}",
        arguments=_on_the_wire(declared.get("args", {})),
        key=declared["key"],
        title=declared.get("title"),
        type=declared.get("type"),
        required=declared.get("required"),
        options=declared.get("options"),
        depends_on=tuple(_referred(declared.get("args", {}))),
    )


def described(app_name: str, field: Mapping[str, Any]) -> str:
    """Return a field's description, with a sentence that names its source function where the author wrote none."""
    description: str = field.get("description", "")
    if field.get("format") == "file" or field.get("items", {}).get("format") == "file":
        description = f"{description} {FILE_WORDS}".strip()
    for keyword in KEYWORDS:
        if keyword not in field:
            continue
        name = f"{app_name}-{field[keyword]['function']}"
        if name in description:
            continue
        arguments = [key for key, value in field[keyword].get("args", {}).items() if _REFERENCE.search(str(value))]
        with_arguments = f" with {' and '.join(arguments)}" if arguments else ""
        what = "valid values" if keyword == "x-source" else "the fields this object can have"
        description = f"{description} Call {name}{with_arguments} for {what}.".strip()
    return description


def referred_by_sources(parameters: Mapping[str, Any]) -> Iterable[str]:
    """Yield the outermost names of the fields that narrow the choices or fields of others."""
    for _, field in walk_fields(parameters):
        for keyword in KEYWORDS:
            for path in _referred(field.get(keyword, {}).get("args", {})):
                yield path.partition(".")[0].removesuffix("[]")


def check_sources(
    report: Report, path: KeyPath, parameters: Mapping[str, Any], siblings: Mapping[str, Sibling | None]
) -> None:
    """
    Report sources that could not be called.

    `siblings` holds the app's functions by their short names, None for those whose own files are faulty.
    """
    fields = dict(walk_fields(parameters))
    dependencies: dict[str, list[str]] = {}
    for field_path, field in fields.items():
        for keyword in KEYWORDS:
            if keyword in field:
                declared = field[keyword]
                at = (*path, *keys_of(field_path), keyword)
                _check_target(report, at, declared, siblings)
                dependencies[field_path] = _check_references(report, at, declared.get("args", {}), fields)
    for field_path in dependencies:
        if _leads_back(field_path, dependencies):
            report.add((*path, *keys_of(field_path)), "depends on itself through the sources of other fields")


def _check_target(
    report: Report, at: KeyPath, declared: Mapping[str, Any], siblings: Mapping[str, Sibling | None]
) -> None:
    name = declared["function"]
    if name not in siblings:
        report.add((*at, "function"), f"there is no function '{name}' in this app{nearest(name, siblings)}")
        return
    sibling = siblings[name]
    if sibling is None:
        return
    if sibling.type != "query":
        report.add((*at, "function"), f"'{name}' is a {sibling.type}; only queries can be sources")
    known = sibling.parameters.get("properties", {})
    given = declared.get("args", {})
    for argument in given:
        if argument not in known:
            report.add((*at, "args", argument), f"'{name}' has no parameter '{argument}'{nearest(argument, known)}")
    for argument in sibling.parameters.get("required", ()):
        if argument not in given:
            report.add(at, f"'{name}' requires the argument '{argument}'")
    search = declared.get("search")
    if search is not None and search not in known:
        report.add((*at, "search"), f"'{name}' has no parameter '{search}'{nearest(search, known)}")
    for keys in sibling.entries:
        check_entries(report, at, declared, f"what '{name}' lists", keys)


def check_entries(
    report: Report, at: KeyPath, declared: Mapping[str, Any], what: str, keys: Collection[str] | None
) -> None:
    """Report keys of listed entries that none of them has, where an `output` names those that they have."""
    for part in _ENTRY_PARTS:
        first = _FIRST_KEY.match(declared.get(part) or "")
        if keys is not None and first is not None and first[0] not in keys:
            known = ", ".join(sorted(keys))
            report.add((*at, part), f"{what} has no '{first[0]}'; it has {known}")


def _check_references(
    report: Report, at: KeyPath, arguments: Mapping[str, Any], fields: Mapping[str, Any]
) -> list[str]:
    for name, value in arguments.items():
        if not isinstance(value, str):
            continue
        if "${" in _REFERENCE.sub("", value):
            report.add((*at, "args", name), "references to other fields are written ${args.name}")
        for referred in _referred({name: value}):
            if referred not in fields:
                report.add((*at, "args", name), f"there is no field {referred}{nearest(referred, fields)}")
    return _referred(arguments)


def _referred(arguments: Mapping[str, Any]) -> list[str]:
    texts = [value for value in arguments.values() if isinstance(value, str)]
    return list(dict.fromkeys(match[1] for text in texts for match in _REFERENCE.finditer(text)))


def _on_the_wire(arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: _REFERENCE.sub(lambda match: f"${{{match[1]}{match[2] or ''}}}", value)
        if isinstance(value, str)
        else value
        for name, value in arguments.items()
    }


def _leads_back(start: str, dependencies: Mapping[str, list[str]]) -> bool:
    seen: set[str] = set()
    waiting = list(dependencies[start])
    while waiting:
        path = waiting.pop()
        if path == start:
            return True
        if path not in seen:
            seen.add(path)
            waiting.extend(dependencies.get(path, ()))
    return False


def keys_of(field_path: str) -> Iterable[str]:
    """Return the keys that lead to a field inside a parameter schema."""
    for step in field_path.split("."):
        yield "properties"
        yield step.removesuffix("[]")
        yield from ["items"] * step.count("[]")
