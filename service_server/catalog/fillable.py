"""
Whether people can fill a function's form, and would say its examples.

Whoever sees a form knows names, not ids: what a mutation requires has choices, an object shows fields, and a long list
is searched by the app. Where that can't be, the file says why in words.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from service_server.catalog.document import DocumentError, read_document
from service_server.catalog.folders import FUNCTIONS
from service_server.catalog.parameters import walk_fields
from service_server.catalog.problems import Problem, Report
from service_server.catalog.sources import keys_of

Functions = Mapping[str, Mapping[str, Any]]

_NAMED = re.compile(r"((^|_)(ids?|gids?|sids?|uuids?|keys?)|[a-z](Ids?|Gids?|Sids?|Uuids?|Keys?))\Z")
_DESCRIBED = re.compile(r"(The |An? )?(account |user )?(ids?|gids?|SIDs?|UUIDs?|URIs?|keys?)\b", re.IGNORECASE)
_DATE = re.compile(r"\b\d{4}-\d\d-\d\d")
_PHONE = re.compile(r"\+\d[\d ()-]*\d")
_WORD = re.compile(r"[^\s\"'“”(),;]+")
_SAID = re.compile(r"#?\d{1,4}|[A-Z][A-Z0-9]{0,9}-\d{1,6}|[A-Za-z]{1,12}\d{1,2}")
"""The ids that people do say: a short number, an issue's key (WEB-12), Sheet1."""

_IDENTIFIER = re.compile(r"\d|[a-z][A-Z]{2}|[A-Z]{8}|[A-Z]{2}[a-z][A-Z]|://|__")


def unfillable(folder: Path) -> list[Problem]:
    """Say which of a connector's functions nobody could fill in without knowing the app's ids."""
    reports = [Report(document) for file in sorted((folder / FUNCTIONS).glob("*.yaml")) if (document := _read(file))]
    functions = {report.document.file.stem: report.document.value for report in reports}
    for report in reports:
        check_fillable(report, folder.name, functions)
    return [problem for report in reports for problem in report.problems]


def check_fillable(report: Report, app: str, functions: Functions) -> None:
    """Report what a person could not fill in of one function; `functions` are those of its app, by their stems."""
    function = report.document.value
    parameters = function["parameters"]
    required = set(_required(parameters))
    for path, field in walk_fields(parameters):
        at = ("parameters", *keys_of(path))
        guided = bool({"x-source", "x-fields", "enum"} & set(field))
        wants = _wants(path, field, app, functions, function["type"] == "mutation" and path in required)
        if "x-typed-in" in field and (guided or wants is None):
            report.add((*at, "x-typed-in"), "says why people type in what they don't have to; leave it out")
        elif wants is not None and not guided and "x-typed-in" not in field:
            report.add(at, wants)
        if problem := _unsearched(field.get("x-source"), functions):
            report.add((*at, "x-source"), problem)
    for index, example in enumerate(function.get("examples", ())):
        raw = next(_raw(example["prompt"], dict(_identifiers(parameters, example["arguments"], app, functions))), None)
        if raw is not None:
            report.add(("examples", index, "prompt"), f"nobody says '{raw}'; say it in a name or in everyday words")


def _read(file: Path) -> Any:
    try:
        return read_document(file)
    except DocumentError:
        return None


def _required(schema: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """Yield the paths of the fields that must be filled, whatever else is."""
    for name in schema.get("required", ()):
        below, child = f"{path}.{name}" if path else name, schema["properties"][name]
        yield below
        while child["type"] == "array":
            child, below = child["items"], f"{below}[]"
        yield from _required(child, below)


def _wants(path: str, field: Mapping[str, Any], app: str, functions: Functions, is_required: bool) -> str | None:
    """Return what a form lacks at a field unless it has choices or fields, None where it lacks nothing."""
    inner = field
    while inner["type"] == "array":
        inner = inner["items"]
    if inner["type"] == "object":
        if inner.get("properties") or "x-fields" in inner:
            return None
        return "shows no fields: give it 'x-fields' or 'properties', or say in 'x-typed-in' why it has none"
    if not is_required or "enum" in inner or not _identifies(path, field, app, functions):
        return None
    return (
        "is an id, and people know names: give it 'x-source', with a parameter to choose from where it needs one, "
        "or say in 'x-typed-in' why there are no choices"
    )


def _identifies(path: str, field: Mapping[str, Any], app: str, functions: Functions) -> bool:
    """Whether a value names something that the app has, by an id."""
    if field["type"] in ("boolean", "object") or field.get("format", "uri") != "uri":
        return False
    description = field.get("description", "")
    name = path.rpartition(".")[2].removesuffix("[]")
    listed = any(f"{app}-{stem} " in f"{description.replace(',', ' ').replace('.', ' ')} " for stem in functions)
    return bool(_NAMED.search(name) or _DESCRIBED.match(description) or listed)


def _unsearched(source: Mapping[str, Any] | None, functions: Functions) -> str | None:
    target = None if source is None else functions.get(source["function"])
    if source is None or target is None or source.get("search") or "paginate" not in target or "unsearched" in target:
        return None
    return (
        f"'{source['function']}' has pages: name its parameter that searches in 'search', "
        "or say in its file, under 'unsearched', why the app can't search them"
    )


def _identifiers(
    parameters: Mapping[str, Any], arguments: Mapping[str, Any], app: str, functions: Functions
) -> Iterator[tuple[str, bool]]:
    """Yield the texts of an example's ids; what a choice shows as it is sent is a name."""
    for name, value in arguments.items():
        field = parameters["properties"].get(name)
        if field is None:
            continue
        source = field.get("x-source")
        if source is not None and source["value"] == source["label"]:
            continue
        if source is not None or _identifies(name, field, app, functions):
            for each in value if isinstance(value, list) else [value]:
                yield str(each), True


def _raw(prompt: str, identifiers: Mapping[str, bool]) -> Iterator[str]:
    """Yield what a program would write in a prompt and a person wouldn't."""
    if found := _DATE.search(prompt):
        yield found[0]
    for match in _WORD.finditer(_PHONE.sub("", prompt)):
        word = match[0].strip(".?!:")
        if _SAID.fullmatch(word) or _is_written(word):
            continue
        if (word in identifiers and _IDENTIFIER.search(word)) or _looks_random(word):
            yield word


def _is_written(word: str) -> bool:
    """Whether it is an e-mail address or a page's address, which people do paste."""
    return ("@" in word and not word.endswith((".v2", ".tacv2"))) or (
        "://" in word and not word.startswith(("https://api.", "gid:"))
    )


def _looks_random(word: str) -> bool:
    """Whether a word is nothing but letters and digits in an order that no word has, or a very long number."""
    plain = word.replace("-", "").replace("_", "").replace(":", "").replace("/", "")
    if not plain.isalnum() or not plain.isascii():
        return False
    if plain.isdigit():
        return len(plain) > 5 and plain == word
    mixed = re.search(r"\d[A-Za-z]+\d|[A-Za-z]\d+[A-Za-z]|[a-z]{1,5}\d{5}", plain)
    return len(plain) >= 6 and sum(character.isdigit() for character in plain) >= 2 and mixed is not None

