"""
The source functions of fields: which function lists a field's valid values, or the fields of an object.

Files name them without the app's name and refer to other fields as `${args.path}`; on the wire they have their full
names and references `${path}`.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias

from attrs import fields

from service_client.models import DynamicFields, Source
from service_server.catalog.document import KeyPath
from service_server.catalog.format.function import DeclaredFunction
from service_server.catalog.format.keys import key_of
from service_server.catalog.format.parameters import DeclaredFields, DeclaredSource
from service_server.catalog.format.read import read
from service_server.catalog.output import keys_picked
from service_server.catalog.parameters import walk_fields
from service_server.catalog.problems import Report, nearest

_KEYWORDS: Final[Mapping[str, type[DeclaredSource | DeclaredFields]]] = {
    "x-source": DeclaredSource,
    "x-fields": DeclaredFields,
}

FILE_WORDS: Final = "Give the id of an uploaded file (file_…), or an https URL of one that is open to everybody."

_FIRST_KEY = re.compile(r"[^.']+")
_REFERENCE = re.compile(r"\$\{args\.([A-Za-z0-9_]+(?:\[\])*(?:\.[A-Za-z0-9_]+(?:\[\])*)*)(\?)?\}")


Siblings: TypeAlias = Mapping[str, DeclaredFunction | None]
"""The functions of an app by their short names, None for those whose own files are faulty."""


def source_of(app_name: str, field: Mapping[str, Any]) -> Source | None:
    """Return the source of a field's values as it goes over the wire."""
    return Source(**_on_the_wire(app_name, field, "x-source")) if "x-source" in field else None


def dynamic_fields_of(app_name: str, field: Mapping[str, Any]) -> DynamicFields | None:
    """Return the source of an object's fields as it goes over the wire."""
    return DynamicFields(**_on_the_wire(app_name, field, "x-fields")) if "x-fields" in field else None


def _on_the_wire(app_name: str, field: Mapping[str, Any], keyword: str) -> dict[str, Any]:
    declared = read(_KEYWORDS[keyword], field[keyword])
    arguments = {
        name: _REFERENCE.sub(lambda match: f"${{{match[1]}{match[2] or ''}}}", value)
        if isinstance(value, str)
        else value
        for name, value in declared.args.items()
    }
    call = {"function": f"{app_name}-{declared.function}", "arguments": arguments}
    return {**_parts(declared), **call, "depends_on": tuple(_referred(declared.args))}


def _parts(declared: DeclaredSource | DeclaredFields) -> dict[str, Any]:
    """What a source says of its entries, and by what they are searched, by the keys."""
    parts = {key_of(each): getattr(declared, each.name) for each in fields(type(declared))}
    return {key: part for key, part in parts.items() if key not in ("function", "args")}


def _sources(field: Mapping[str, Any]) -> list[tuple[str, DeclaredSource | DeclaredFields]]:
    """Return the sources of a field with their keys, of which it should have one at most."""
    return [(keyword, read(declared, field[keyword])) for keyword, declared in _KEYWORDS.items() if keyword in field]


def described(app_name: str, field: Mapping[str, Any]) -> str:
    """Return a field's description, with a sentence that names its source function where the author wrote none."""
    description: str = field.get("description", "")
    if field.get("format") == "file" or field.get("items", {}).get("format") == "file":
        description = f"{description} {FILE_WORDS}".strip()
    for keyword, declared in _sources(field):
        name = f"{app_name}-{declared.function}"
        if name in description:
            continue
        arguments = [key for key, value in declared.args.items() if _REFERENCE.search(str(value))]
        with_arguments = f" with {' and '.join(arguments)}" if arguments else ""
        what = "valid values" if keyword == "x-source" else "the fields this object can have"
        description = f"{description} Call {name}{with_arguments} for {what}.".strip()
    return description


def referred_by_sources(parameters: Mapping[str, Any]) -> Iterable[str]:
    """Yield the outermost names of the fields that narrow the choices or fields of others."""
    for _, field in walk_fields(parameters):
        for _, declared in _sources(field):
            for path in _referred(declared.args):
                yield path.partition(".")[0].removesuffix("[]")


def check_sources(report: Report, path: KeyPath, parameters: Mapping[str, Any], siblings: Siblings) -> None:
    """Report sources that could not be called."""
    known = dict(walk_fields(parameters))
    dependencies: dict[str, list[str]] = {}
    for field_path, field in known.items():
        for keyword, declared in _sources(field):
            part = report.below(*path, *keys_of(field_path), keyword)
            _check_target(part, declared, siblings)
            dependencies[field_path] = _check_references(part, declared.args, known)
    for field_path in dependencies:
        if _leads_back(field_path, dependencies):
            report.add((*path, *keys_of(field_path)), "depends on itself through the sources of other fields")


def _check_target(report: Report, declared: DeclaredSource | DeclaredFields, siblings: Siblings) -> None:
    name = declared.function
    if name not in siblings:
        report.add(("function",), f"there is no function '{name}' in this app{nearest(name, siblings)}")
        return
    sibling = siblings[name]
    if sibling is None:
        return
    if sibling.type != "query":
        report.add(("function",), f"'{name}' is a {sibling.type}; only queries can be sources")
    known = sibling.parameters["properties"]
    for argument in declared.args:
        if argument not in known:
            report.add(("args", argument), f"'{name}' has no parameter '{argument}'{nearest(argument, known)}")
    for argument in sibling.parameters.get("required", ()):
        if argument not in declared.args:
            report.add((), f"'{name}' requires the argument '{argument}'")
    parts = _parts(declared)
    search = parts.pop("search", None)
    if search is not None and search not in known:
        report.add(("search",), f"'{name}' has no parameter '{search}'{nearest(search, known)}")
    for exchange in sibling.exchanges:
        check_entries(report, parts, f"what '{name}' lists", exchange.output)


def check_entries(report: Report, parts: Mapping[str, str | None], what: str, output: Any) -> None:
    """Report keys of listed entries that none of them has, where the `output` names those that they have."""
    keys = keys_picked(output)
    for part, path in parts.items():
        first = _FIRST_KEY.match(path or "")
        if keys is not None and first is not None and first[0] not in keys:
            report.add((part,), f"{what} has no '{first[0]}'; it has {', '.join(sorted(keys))}")


def _check_references(report: Report, arguments: Mapping[str, Any], known: Mapping[str, Any]) -> list[str]:
    for name, value in arguments.items():
        if not isinstance(value, str):
            continue
        if "${" in _REFERENCE.sub("", value):
            report.add(("args", name), "references to other fields are written ${args.name}")
        for referred in _referred({name: value}):
            if referred not in known:
                report.add(("args", name), f"there is no field {referred}{nearest(referred, known)}")
    return _referred(arguments)


def _referred(arguments: Mapping[str, Any]) -> list[str]:
    texts = [value for value in arguments.values() if isinstance(value, str)]
    return list(dict.fromkeys(match[1] for text in texts for match in _REFERENCE.finditer(text)))


def _leads_back(start: str, dependencies: Mapping[str, list[str]]) -> bool:
    reached = set(dependencies[start])
    while further := {path for each in reached for path in dependencies.get(each, ())} - reached:
        reached |= further
    return start in reached


def keys_of(field_path: str) -> Iterable[str]:
    """Return the keys that lead to a field inside a parameter schema."""
    for step in field_path.split("."):
        yield "properties"
        yield step.removesuffix("[]")
        yield from ["items"] * step.count("[]")
