"""
Read the corpus: functions and annotated prompts that were written for this project.

A corpus file consists of lines. The first character of a line says what it is:

    # Office supplies                     a group: its functions compete for the same prompts
    f order_paper | Order paper for the copier.
    p sheets: integer! | How many sheets
    p size: string{A3,A4,letter} = A4 | Format of the sheets
    p floors: [string] | Which floors get some
    p address.city: string! | The city to deliver to            (an argument inside an object)
    + We need {{500@sheets}} sheets of {{a4@size=A4}} paper for the {{third@floors=3rd}} and {{4th@floors}} floor
    +[2025-03-12] Paper for {{tomorrow@day=2025-03-13}}, {{@quiet=true}}please hush      (what "today" was)
    - Order a desk lamp                   near, but no function of the group serves it
    f =slack-send-message                 a function of the shipped connectors, with the parameters it has there
    + tell {{#ops@channel}} {{we are back up@text}}
    f =gitlab-update-issue
    + {{Lea@assignee_ids}} takes over {{12@issue}}   (a name whose number the service looks up)

`{{words@parameter}}` marks the words an argument comes from. With `=value`, its value differs from the words; without
words, it follows from the prompt as a whole. Several marks for a list are its items, for a table the cells of one row;
otherwise the first one counts.
"""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from attrs import field, frozen

from training.shipped import shipped_functions

# The words of a mark may contain an "@" themselves: an e-mail address.
_MARK = re.compile(r"\{\{((?:(?!\}\}|\{\{).)*?)@([\w.\-]+)(?:=((?:(?!\}\}|\{\{).)*))?\}\}")
_PARAMETER = re.compile(
    r"(?P<name>[\w.\-]+): (?P<type>\[?\w+\]?)(?:\{(?P<options>[^}]*)\})?(?P<required>!?)(?: = (?P<default>.*))?"
)
_PROMPT = re.compile(r"([+-])(?:\[(\d{4}-\d\d-\d\d(?:T[\d:]+)?)\])? (.*)")
_TYPES = ("string", "integer", "number", "boolean")


class CorpusError(ValueError):
    """A line of the corpus that cannot be read; the message names file and line."""


@frozen
class Span:
    """Characters `start` to `end` of a prompt, and the value that they stand for."""

    parameter: str
    start: int
    end: int
    value: Any


@frozen
class Prompt:
    """A prompt, the function it asks for (None: none of its group), and where the arguments stand in it."""

    text: str
    function: str | None
    now: str | None
    spans: tuple[Span, ...] = ()


@frozen
class Group:
    """
    Functions that compete for the same prompts; `functions` are `{"name", "description", "parameters"}`.

    `apps` are the shipped connectors that some of them belong to.
    """

    title: str
    functions: list[dict[str, Any]] = field(factory=list)
    prompts: list[Prompt] = field(factory=list)
    apps: set[str] = field(factory=set)


def read_corpus(files: Iterable[Path]) -> Iterator[Group]:
    """Yield the groups of some files."""
    for file in files:
        yield from _read_file(file)


def _read_file(file: Path) -> Iterator[Group]:
    group: Group | None = None
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            if line.startswith("# "):
                if group is not None:
                    yield group
                group = Group(line[2:].strip())
            elif group is None:
                raise CorpusError("a group ('# title') comes first")
            else:
                _read_line(line, group)
        except CorpusError as error:
            raise CorpusError(f"{file.name}:{number}: {error}: {line[:120]}") from None
    if group is not None:
        yield group


def _read_line(line: str, group: Group) -> None:
    if line.startswith("f ="):
        shipped = shipped_functions().get(line[3:].strip())
        if shipped is None:
            raise CorpusError("no shipped connector has this function")
        _add_function(shipped.function, group)
        group.apps.add(shipped.app)
    elif line.startswith("f "):
        name, _, description = line[2:].partition(" | ")
        if not re.fullmatch(r"[\w.\-]+", name) or not description:
            raise CorpusError("expected 'f name | description'")
        parameters = {"type": "object", "properties": {}, "required": []}
        _add_function({"name": name, "description": description.strip(), "parameters": parameters}, group)
    elif line.startswith("p "):
        if not group.functions:
            raise CorpusError("a function ('f ...') comes first")
        shipped = shipped_functions().get(group.functions[-1]["name"])
        if shipped is not None and shipped.function is group.functions[-1]:
            raise CorpusError("a shipped function has its parameters already")
        _read_parameter(line[2:], group.functions[-1]["parameters"])
    elif (match := _PROMPT.fullmatch(line)) is not None:
        if match[1] == "-":
            group.prompts.append(Prompt(match[3].strip(), None, match[2]))
        elif not group.functions:
            raise CorpusError("a function ('f ...') comes first")
        else:
            group.prompts.append(_prompt(match[3].strip(), group.functions[-1], match[2]))
    else:
        raise CorpusError("expected '# ', 'f ', 'p ', '+ ', '+[date] ', or '- '")


def _add_function(function: dict[str, Any], group: Group) -> None:
    if any(other["name"] == function["name"] for other in group.functions):
        raise CorpusError("this function is there already")
    group.functions.append(function)


def _read_parameter(text: str, schema: dict[str, Any]) -> None:
    declaration, _, description = text.partition(" | ")
    match = _PARAMETER.fullmatch(declaration.strip())
    if match is None or not description:
        raise CorpusError("expected 'p name: type{options}! = default | description'")
    *path, name = match["name"].split(".")
    for step in path:
        schema = schema["properties"].setdefault(step, {"type": "object", "properties": {}, "required": []})
    type_ = match["type"].strip("[]")
    if type_ not in _TYPES:
        raise CorpusError(f"type {type_!r} is none of {', '.join(_TYPES)} or one of these in []")
    parameter: dict[str, Any] = {"type": type_, "description": description.strip()}
    if type_ == "integer":
        parameter |= {"type": "number", "x-integer": True}
    if match["options"]:
        parameter["enum"] = [_value(option.strip(), parameter) for option in match["options"].split(",")]
    if match["type"].startswith("["):
        items = {key: value for key, value in parameter.items() if key != "description"}
        parameter = {"type": "array", "description": parameter["description"], "items": items}
    elif match["default"] is not None:
        parameter["default"] = _value(match["default"].strip(), parameter)
    schema["properties"][name] = parameter
    if match["required"]:
        schema["required"].append(name)


def parameter_at(schema: dict[str, Any], path: str) -> dict[str, Any]:
    """Return the schema of an argument by its dotted path; a KeyError where there is none."""
    for step in path.split("."):
        schema = schema["properties"][step]
    return schema


def _prompt(text: str, function: dict[str, Any], now: str | None) -> Prompt:
    plain, spans, at = "", [], 0
    for mark in _MARK.finditer(text):
        plain += text[at : mark.start()]
        try:
            parameter = parameter_at(function["parameters"], mark[2])
        except KeyError:
            raise CorpusError(f"{function['name']} has no parameter {mark[2]}") from None
        item = parameter.get("items", parameter)
        item = item.get("items", item)  # of a table people say one row
        words = mark[1]
        if not words and mark[3] and text.startswith(mark[3], mark.end()):  # {{@email=a@b.c}}a@b.c
            words = mark[3]
        spans.append(Span(mark[2], len(plain), len(plain) + len(words), _named(mark[3] or mark[1], parameter, item)))
        plain += mark[1]
        at = mark.end()
    plain += text[at:]
    if "{{" in plain or "}}" in plain:
        raise CorpusError("a mark that cannot be read")
    return Prompt(plain, function["name"], now, tuple(spans))


def _named(text: str, parameter: dict[str, Any], item: dict[str, Any]) -> Any:
    """Return the value of a mark; a name stands for a number that the service looks up in a source."""
    try:
        return _value(text, item)
    except CorpusError:
        if item["type"] == "number" and ("x-source" in parameter or "x-source" in item):
            return text.strip()
        raise


def _value(text: str, parameter: dict[str, Any]) -> Any:
    text = text.strip()
    if parameter["type"] not in _TYPES:
        raise CorpusError(f"an argument of type {parameter['type']} cannot be marked")
    if parameter["type"] == "string":
        if "enum" in parameter and text not in parameter["enum"]:
            by_case = {option.casefold(): option for option in parameter["enum"]}
            if text.casefold() not in by_case:
                raise CorpusError(f"{text!r} is none of the options {parameter['enum']}")
            return by_case[text.casefold()]
        return text
    try:
        value = json.loads(text.replace(",", "") if parameter["type"] == "number" else text)
    except ValueError:
        raise CorpusError(f"{text!r} is no {parameter['type']}: write {{{{words@parameter=value}}}}") from None
    expected: type | tuple[type, ...] = bool if parameter["type"] == "boolean" else (int, float)
    if not isinstance(value, expected) or (parameter["type"] == "number" and isinstance(value, bool)):
        raise CorpusError(f"{text!r} is no {parameter['type']}: write {{{{words@parameter=value}}}}")
    if parameter.get("x-integer") and not isinstance(value, int):
        raise CorpusError(f"{text!r} is no whole number")
    if "enum" in parameter and value not in parameter["enum"]:
        raise CorpusError(f"{value!r} is none of the options {parameter['enum']}")
    return value


def main() -> None:
    """Check files of the corpus and tell what is in them."""
    import argparse

    parser = argparse.ArgumentParser(description="Check files of the corpus.")
    parser.add_argument("files", nargs="+", type=Path)
    groups = list(read_corpus(parser.parse_args().files))
    prompts = [prompt for group in groups for prompt in group.prompts]
    asked = [prompt for prompt in prompts if prompt.function]
    seen: set[str] = set()
    for prompt in prompts:
        if prompt.text in seen:
            print(f"twice: {prompt.text[:100]}")
        seen.add(prompt.text)
    print(
        f"{len(groups)} groups, {sum(len(group.functions) for group in groups)} functions,"
        f" {len(asked)} prompts for one,"
        f" {len(prompts) - len(asked)} for none, {sum(len(prompt.spans) for prompt in asked)} arguments"
    )


if __name__ == "__main__":
    main()
