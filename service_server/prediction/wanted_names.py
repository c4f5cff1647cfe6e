"""Which names of a prompt are looked up in an account, and what has to be known before."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from service_client.models import Function, Source
from service_server.predict.source_values import needs_of, required_by
from service_server.predict.values import ArgumentPrediction


@frozen
class Wanted:
    """
    A name to resolve: where it goes, which values fit there, and who lists them.

    Without a name it is what others are listed by, such as the workspace of a project: the only one there is.
    """

    path: str
    name: str
    schema: Mapping[str, Any]
    source: Source


def wanted_of(function: Function, prediction: ArgumentPrediction) -> list[Wanted]:
    """Return the names that have a source: required parameters first, and before each what it is listed by."""
    found = [each for path, name in prediction.named.items() if (each := _listed(function, path, name)) is not None]
    found += _unsaid(function, prediction, found)
    found.sort(key=lambda each: each.path not in function.parameters.required)
    ordered: dict[str, Wanted] = {}
    for each in found:
        needs = needs_of(each.source)
        for one in (*(other for other in found if other.path in needs), each):
            ordered.setdefault(one.path, one)
    return list(ordered.values())


def _unsaid(function: Function, prediction: ArgumentPrediction, named: Sequence[Wanted]) -> list[Wanted]:
    """
    Return what nobody said that named things are listed by, or others would be and the function requires.

    The workspace of the project Website is looked for, which may be the only one; a contact that is missing isn't.
    """
    fields = function.meta.fields if function.meta else {}
    required, defaults = set(function.parameters.required), defaults_of(function)
    known = {*prediction.arguments, *defaults, *(each.path for each in named)}
    sources = [meta.source for meta in fields.values() if meta.source is not None]
    needed = set().union(
        *(required_by(each.source) for each in named), *(required_by(each) & required for each in sources)
    )
    found: dict[str, Wanted] = {}
    waiting = sorted(needed)
    while waiting:
        path = waiting.pop()
        if path not in known and path not in found and (wanted := _listed(function, path)) is not None:
            found[path] = wanted
            waiting += required_by(wanted.source)
    return list(found.values())


def _listed(function: Function, path: str, name: str = "") -> Wanted | None:
    """Return what is to be looked up for a parameter; None where no source function lists its values."""
    meta, schema = function.meta.fields.get(path) if function.meta else None, _schema_at(function, path)
    if meta is None or meta.source is None or schema is None:
        return None
    return Wanted(path, name, schema, meta.source)


def defaults_of(function: Function) -> dict[str, Any]:
    """Return the values that a function's arguments have where nobody says others."""
    properties = function.parameters.properties
    return {name: each["default"] for name, each in properties.items() if "default" in each}


def _schema_at(function: Function, path: str) -> Mapping[str, Any] | None:
    properties: Any = function.parameters.properties
    schema: Any = None
    for step in path.split("."):
        schema = properties.get(step) if isinstance(properties, Mapping) else None
        properties = schema.get("properties") if isinstance(schema, Mapping) else None
    return schema if isinstance(schema, Mapping) else None
