"""
Whether people can fill a function's form, and would say its examples.

Whoever sees a form knows names, not ids: what a mutation requires has choices, an object shows fields, and a long list
is searched by the app. Where that can't be, the file says why in words.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from attrs import frozen

from service_server.catalog.document import KeyPath
from service_server.catalog.parameters import walk_fields
from service_server.catalog.problems import Report
from service_server.catalog.sources import keys_of

Functions = Mapping[str, Mapping[str, Any]]

_NAMED = re.compile(r"((^|_)(ids?|gids?|sids?|uuids?|keys?)|[a-z](Ids?|Gids?|Sids?|Uuids?|Keys?))\Z")
_DESCRIBED = re.compile(r"(The |An? )?(account |user )?(ids?|gids?|SIDs?|UUIDs?|URIs?|keys?)\b", re.IGNORECASE)
_REFERENCE = re.compile(r"\$\{args\.(\w+)\??\}")
_FUNCTION = re.compile(r"\b([a-z][a-z0-9_]*)-([a-z0-9]+(?:-[a-z0-9]+)*)")
_DATE = re.compile(r"\b\d{4}-\d\d-\d\d")
_PHONE = re.compile(r"\+\d[\d ()-]*\d")
_WORD = re.compile(r"[^\s\"'“”(),;]+")
_SAID = re.compile(r"#?\d{1,4}|[A-Z][A-Z0-9]{0,9}-\d{1,6}|[A-Za-z]{1,12}\d{1,2}")
"""The ids that people do say: a short number, an issue's key (WEB-12), Sheet1."""

_LONGEST_NUMBER = 5
_IDENTIFIER = re.compile(r"\d|[a-z][A-Z]{2}|[A-Z]{8}|[A-Z]{2}[a-z][A-Z]|://|__")


@frozen
class Lack:
    """
    What a function lacks for people, at a key of its file; `message` says what to do.

    A reason helps under `x-typed-in` there, or under `unsearched` in the file of a listing; nothing but other words
    helps a prompt, and nothing but another order a field that stands before what it waits for. `of` is the path of the
    field, or the listing.
    """

    kind: Literal["x-typed-in", "unsearched", "prompt", "order"]
    at: KeyPath
    message: str
    of: str = ""


def check_fillable(app: str, files: Mapping[str, Report]) -> None:
    """Report which functions of an app, by their short names, nobody could fill in without knowing the app's ids."""
    functions = {stem: report.document.value for stem, report in files.items()}
    for stem, report in files.items():
        for lack in lacks(stem, app, functions):
            report.add(lack.at, lack.message)


def lacks(stem: str, app: str, functions: Functions) -> Iterator[Lack]:
    """Yield what a function of an app lacks; `functions` are what the files of all of them say, by their stems."""
    function = functions[stem]
    parameters = function["parameters"]
    required = set(_required(parameters)) if function["type"] == "mutation" else set()
    for path, field in walk_fields(parameters):
        at = ("parameters", *keys_of(path))
        wants = _wants(path, field, app, functions, path in required)
        guided = bool({"x-source", "x-fields", "enum"} & set(field))
        if "x-typed-in" in field and (guided or wants is None):
            said = "says why people type in what they don't have to, or needn't give at all; leave it out"
            yield Lack("x-typed-in", (*at, "x-typed-in"), said)
        elif wants is not None and not guided and "x-typed-in" not in field:
            yield Lack("x-typed-in", at, wants, path)
        if problem := _unsearched(field.get("x-source"), functions):
            yield Lack("unsearched", (*at, "x-source"), problem, field["x-source"]["function"])
    yield from _out_of_order(parameters["properties"])
    for index, example in enumerate(function.get("examples", ())):
        raw = next(_raw(example["prompt"], set(_identifiers(parameters, example["arguments"], app, functions))), None)
        if raw is not None:
            said = f"nobody says '{raw[:60]}'; say it in a name or in everyday words"
            yield Lack("prompt", ("examples", index, "prompt"), said)


def in_order(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a function with what choices hang on before these, else as they are."""
    ordered: dict[str, Any] = {}
    begun: set[str] = set()

    def put(name: str) -> None:
        if name not in begun:
            begun.add(name)
            for parent in _parents(fields[name]):
                if parent in fields:
                    put(parent)
            ordered[name] = fields[name]

    for name in fields:
        put(name)
    return ordered


def _out_of_order(fields: Mapping[str, Any]) -> Iterator[Lack]:
    """Yield the parameters whose choices hang on one that a form shows only after them."""
    names, wanted = list(fields), list(in_order(fields))
    for name, field in fields.items():
        late = [each for each in _parents(field) if each in fields and names.index(each) > names.index(name)]
        if late and wanted.index(late[0]) < wanted.index(name):
            said = f"has choices that hang on '{late[0]}', which people have to see first: put that before '{name}'"
            yield Lack("order", ("parameters", "properties", name), said, name)


def _parents(field: Mapping[str, Any]) -> Iterator[str]:
    """Yield the parameters that the choices or the fields of a parameter hang on."""
    for inner in (field, field.get("items", {})):
        for listed in (inner.get("x-source", {}), inner.get("x-fields", {})):
            found = (_REFERENCE.fullmatch(str(text)) for text in listed.get("args", {}).values())
            yield from (reference[1] for reference in found if reference)


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
    named = (match[2] for match in _FUNCTION.finditer(description) if match[1] == app)
    return bool(_NAMED.search(name) or _DESCRIBED.match(description) or any(each in functions for each in named))


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
) -> Iterator[str]:
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
                yield str(each)


def _raw(prompt: str, identifiers: set[str]) -> Iterator[str]:
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
    if re.fullmatch(r"[\d.]+", word):
        return max(map(len, word.split("."))) > _LONGEST_NUMBER
    plain = re.sub(r"[-_:/]", "", word)
    if len(plain) < 6 or not plain.isalnum() or not plain.isascii():
        return False
    mixed = re.search(r"\d[A-Za-z]+\d|[A-Za-z]\d+[A-Za-z]|[A-Za-z]{1,5}\d{5}", plain)
    return mixed is not None and sum(character.isdigit() for character in plain) > 1
