"""Chooses the operations to import and leaves out what no function can be made of."""

import difflib
import re
from collections.abc import Sequence

from attrs import frozen

from service_server.openapi_import.document import Document, Part
from service_server.openapi_import.problems import Fault, ImportRefused
from service_server.openapi_import.report import Report
from service_server.openapi_import.versions import METHODS

_FUNCTION_METHODS = ("get", "head", "post", "put", "patch", "delete")


@frozen
class Operation:
    """One operation of the document: its method (lower case), path, and the parts that describe it."""

    method: str
    path: str
    part: Part
    path_item: Part

    @property
    def label(self) -> str:
        """What the report calls it."""
        return f"{self.method.upper()} {self.path}"

    @property
    def place(self) -> str:
        """Its path without what says nothing of the thing there: a query, a slash at the end, or `.json`."""
        return re.sub(r"\.(?:json|xml)\Z", "", self.path.partition("?")[0].rstrip("/"))

    @property
    def last_segment(self) -> str:
        """The last segment of its path."""
        return self.place.rpartition("/")[2]

    @property
    def nouns(self) -> list[str]:
        """The segments of its path that name things, without its parameters."""
        return [segment for segment in self.place.split("/") if segment and "{" not in segment]

    @property
    def ends_with_parameter(self) -> bool:
        """Whether its path leads to one thing that a parameter names."""
        return self.place.endswith("}")

    @property
    def tags(self) -> tuple[str, ...]:
        """Its tags."""
        tags = self.part.object.get("tags")
        return tuple(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else ()

    @property
    def identifier(self) -> str:
        """Its operationId; empty where it has none."""
        return self.part.at("operationId").words

    @property
    def summary(self) -> str:
        """Its summary; empty where it has none."""
        return self.part.at("summary").words


def choose_operations(document: Document, include: Sequence[str], report: Report) -> list[Operation]:
    """
    Return the operations that are asked for in the document's order.

    `include` holds tags and, beginning with a slash, paths, which stand for all below them; empty means everything.

    Raises:
        ImportRefused: nothing is left, something of `include` isn't in the document, or the document is broken.
    """
    everything, faults = _all_operations(document)
    unknown = [wanted for wanted in include if not any(_fits(wanted, each) for each in everything)]
    faults.extend(_not_there(wanted, everything) for wanted in unknown)
    if faults:
        raise ImportRefused(faults)
    chosen = [each for each in everything if not include or any(_fits(wanted, each) for wanted in include)]
    report.not_included = len(everything) - len(chosen)
    return chosen


def possible_operations(operations: Sequence[Operation], report: Report) -> list[Operation]:
    """Return the operations that functions can be made of; raises `ImportRefused` where there is none."""
    kept = [each for each in operations if _is_for_a_function(each, report)]
    if not kept:
        raise ImportRefused([Fault("#/paths", "there is no operation to import" + _why_nothing(report))])
    return kept


def _all_operations(document: Document) -> tuple[list[Operation], list[Fault]]:
    found: list[Operation] = []
    faults: list[Fault] = []
    for path, item in document.root.at("paths").members:
        if not path.startswith("/"):
            if not path.startswith("x-"):
                faults.append(Fault("#/paths", f"the path {path[:200]!r} must begin with a slash"))
            continue
        try:
            item = document.followed(item)
            found.extend(
                Operation(method, path, operation, item)
                for method, operation in item.members
                if method in METHODS and operation.object is not None
            )
        except ImportRefused as error:
            faults.extend(error.faults)
    return found, faults


def _fits(wanted: str, operation: Operation) -> bool:
    if not wanted.startswith("/"):
        return wanted.lower() in [tag.lower() for tag in operation.tags]
    path = wanted.rstrip("/")
    return operation.path.rstrip("/") == path or operation.path.startswith(f"{path}/")


def _not_there(wanted: str, operations: Sequence[Operation]) -> Fault:
    if wanted.startswith("/"):
        known = sorted({each.path for each in operations})
        kind = "no path"
    else:
        known = sorted({tag for each in operations for tag in each.tags})
        kind = "no tag"
    close = difflib.get_close_matches(wanted, known, n=1, cutoff=0.5)
    hint = f"; did you mean {close[0]}?" if close else f"; tags are {', '.join(known[:20])}" if kind == "no tag" else ""
    return Fault("", f"--include {wanted[:200]}: the document has {kind} of that name{hint}")


def _is_for_a_function(operation: Operation, report: Report) -> bool:
    if operation.method not in _FUNCTION_METHODS:
        report.left_out(operation.label, f"a function makes no {operation.method.upper()} requests")
    elif re.search(r"[#\s]", operation.path):
        report.left_out(operation.label, "its path has a '#' or a blank")
    else:
        return True
    return False


def _why_nothing(report: Report) -> str:
    reasons = sorted({reason for _, reason in report.operations_left_out})
    if report.unneeded:
        reasons.append("what is left is nothing that people need (--all imports it)")
    return f": {'; '.join(reasons)}" if reasons else ""
