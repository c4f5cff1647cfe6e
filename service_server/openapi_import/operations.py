"""Chooses the operations to import and leaves out what no function can be made of."""

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from attrs import Factory, field, frozen

from service_server.catalog.problems import nearest
from service_server.catalog.requests import METHODS as FUNCTION_METHODS
from service_server.openapi_import.document import Document, Fault, ImportRefused, Part, refused
from service_server.openapi_import.report import Report
from service_server.openapi_import.texts import words_of
from service_server.openapi_import.verbs import DESTROYING, LOOKING
from service_server.openapi_import.versions import METHODS

IN_BRACES: Final = re.compile(r"\{([^{}]*)\}")  # a parameter in a path


def _of(found: Callable[["Operation"], Any]) -> Any:
    return field(init=False, eq=False, repr=False, default=Factory(found, takes_self=True))


def _tags(operation: "Operation") -> tuple[str, ...]:
    tags = operation.part.object.get("tags")
    return tuple(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else ()


def _looks(operation: "Operation") -> bool:
    if operation.method != "post":
        return operation.method in ("get", "head")
    last = words_of(operation.last_segment)
    if last and "{" not in operation.last_segment and last[0] in {"search", "query", "find", "lookup", "count"}:
        return True
    words = [word for word in words_of(operation.identifier.rpartition("/")[2]) if word not in ("api", "post")]
    return bool(words) and words[0] in LOOKING - {"read", "fetch", "get", "list"}


def _destroys(operation: "Operation") -> bool:
    words = words_of(operation.identifier.rpartition("/")[2])[:2]
    return operation.method == "delete" or (not operation.looks and not DESTROYING.isdisjoint(words))


@frozen
class Operation:
    """
    One operation of the document: its method (lower case), path, and the parts that describe it.

    `identifier` is its operationId, which is empty where it has none, as its summary is; `label` is what the report
    calls it. `place` is its path without what says nothing of the thing there: a query, a slash at the end, or `.json`;
    `nouns` are the segments of it that name things, without parameters. `looks` tells that it changes nothing: it gets,
    or searches by POST; `destroys` that what it does can't be undone, by its method or its name.
    """

    method: str
    path: str
    part: Part
    path_item: Part
    identifier: str = _of(lambda own: own.part.at("operationId").words)
    summary: str = _of(lambda own: own.part.at("summary").words)
    tags: tuple[str, ...] = _of(_tags)
    label: str = _of(lambda own: f"{own.method.upper()} {own.path}")
    place: str = _of(lambda own: re.sub(r"\.(?:json|xml)\Z", "", own.path.partition("?")[0].rstrip("/")))
    last_segment: str = _of(lambda own: own.place.rpartition("/")[2])
    nouns: tuple[str, ...] = _of(lambda own: tuple(each for each in own.place.split("/") if each and "{" not in each))
    ends_with_parameter: bool = _of(lambda own: own.place.endswith("}"))
    looks: bool = _of(_looks)
    destroys: bool = _of(_destroys)


def without_names(path: str) -> str:
    """Return a path without the names of its parameters, which differ from one operation to the next."""
    return IN_BRACES.sub("{}", path.strip("/"))


def choose_operations(document: Document, include: Sequence[str], report: Report) -> list[Operation]:
    """
    Return the operations that are asked for in the document's order; raises `ImportRefused` where it lacks some.

    `include` holds tags and, beginning with a slash, paths, which stand for all below them; empty means everything.
    """
    found: list[Operation] = []
    faults: list[Fault] = []
    for path, item in document.root.at("paths").members:
        try:
            if path.startswith("/"):
                item = document.followed(item)
                members = [(method, each) for method, each in item.members if method in METHODS]
                found += [Operation(method, path, each, item) for method, each in members if each.object is not None]
            elif not path.startswith("x-"):
                faults.append(Fault("#/paths", f"the path {path[:200]!r} must begin with a slash"))
        except ImportRefused as error:
            faults.extend(error.faults)
    chosen = [each for each in found if not include or any(_fits(wanted, each) for wanted in include)]
    faults += [_not_there(wanted, found) for wanted in include if not any(_fits(wanted, each) for each in chosen)]
    if faults:
        raise ImportRefused(faults)
    report.not_included = len(found) - len(chosen)
    return chosen


def possible_operations(operations: Sequence[Operation], report: Report) -> list[Operation]:
    """Return the operations that functions can be made of; raises `ImportRefused` where there is none."""
    kept: list[Operation] = []
    left_out = report.operations_left_out
    for operation in operations:
        if operation.method not in FUNCTION_METHODS:
            left_out.append((operation.label, f"a function makes no {operation.method.upper()} requests"))
        elif re.search(r"[#\s]", operation.path):
            left_out.append((operation.label, "its path has a '#' or a blank"))
        else:
            kept.append(operation)
    if not kept:
        reasons = sorted({reason for _, reason in left_out})
        if report.unneeded:
            reasons.append("what is left is nothing that people need (--all imports it)")
        told = f": {'; '.join(reasons)}" if reasons else ""
        raise refused(f"there is no operation to import{told}", "#/paths")
    return kept


def _fits(wanted: str, operation: Operation) -> bool:
    if not wanted.startswith("/"):
        return wanted.lower() in [tag.lower() for tag in operation.tags]
    return f"{operation.path.rstrip('/')}/".startswith(f"{wanted.rstrip('/')}/")


def _not_there(wanted: str, operations: Sequence[Operation]) -> Fault:
    kind = "path" if wanted.startswith("/") else "tag"
    named = ([each.path] if kind == "path" else each.tags for each in operations)
    known = sorted({name for names in named for name in names})
    hint = nearest(wanted, known) or (f"; tags are {', '.join(known[:20])}" if kind == "tag" else "")
    return Fault("", f"--include {wanted[:200]}: the document has no {kind} of that name{hint}")
