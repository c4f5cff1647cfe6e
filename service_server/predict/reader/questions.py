"""What the encoder is asked about a prompt: one question for each argument that a function may take."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from attrs import frozen

from service_server.predict.arguments.slots import leaves_of
from service_server.predict.option_labels import PLACEHOLDER, shown
from service_server.predict.words import identifier_words

_LONGEST_DESCRIPTION = 300
_MOST_OPTIONS = 24


class Answer(StrEnum):
    """What kind of answer a question has."""

    WORDS = "words"
    LIST = "list"
    BOOLEAN = "boolean"
    OPTION = "option"
    OPTIONS = "options"


@frozen
class Question:
    """
    The question for one argument: `text` says what is looked for; `options` what may be chosen, and
    `shown` what people call each.

    `path` are the names from the outermost object to the argument, `schema` is the JSON Schema of its value.
    """

    path: tuple[str, ...]
    schema: Mapping[str, Any]
    required: bool
    answer: Answer
    text: str
    options: tuple[Any, ...] = ()
    shown: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The argument's own name in words."""
        return in_words(self.path[-1])


def in_words(name: str) -> str:
    """Return a name of code as words; one that has none stays as it is."""
    return " ".join(word.folded for word in identifier_words(name)) or name.casefold()


def heading_of(name: str, description: str) -> str:
    """Return the text that the encoder knows a function by."""
    return f"{in_words(name)}: {description[:_LONGEST_DESCRIPTION]}"


def description_and_example(schema: Mapping[str, Any]) -> str:
    """Return what an argument's schema says about its values in words, and the example that a form shows."""
    return f"{schema.get('description', '')} {schema.get(PLACEHOLDER, '')}"


def questions_of(parameters: Mapping[str, Any]) -> tuple[Question, ...]:
    """Return the questions for a function's parameters (a JSON Schema of type object) in their order."""
    return tuple(_question(path, schema, required=required) for path, schema, required in leaves_of(parameters))


def _question(path: tuple[str, ...], schema: Mapping[str, Any], *, required: bool) -> Question:
    items = schema.get("items")
    item = items if schema.get("type") == "array" and isinstance(items, Mapping) else schema
    options = _options(schema) or _options(item)
    is_list = schema.get("type") == "array"
    if options:
        answer = Answer.OPTIONS if is_list else Answer.OPTION
    elif schema.get("type") == "boolean":
        answer = Answer.BOOLEAN
    else:
        answer = Answer.LIST if is_list else Answer.WORDS
    said = tuple(shown(option, item) for option in options)
    return Question(path, schema, required, answer, _text(path, schema, item, is_list=is_list), options, said)


def _options(schema: Mapping[str, Any]) -> tuple[Any, ...]:
    options = schema.get("enum")
    return tuple(options) if isinstance(options, list | tuple) else ()


def _text(path: Sequence[str], schema: Mapping[str, Any], item: Mapping[str, Any], *, is_list: bool) -> str:
    names = [in_words(part) for part in path]
    kind = "whole number" if item.get("x-integer") else str(item.get("type", "text")).replace("string", "text")
    if kind == "text" and isinstance(item.get("format"), str):
        kind = item["format"]
    kind = f"list of {kind}" if is_list else kind
    title = schema.get("title")
    title = f"{title}. " if isinstance(title, str) and title.casefold() != names[-1] else ""
    description = str(schema.get("description", ""))[:_LONGEST_DESCRIPTION]
    return f"{' '.join(names)} ({kind}): {title}{description}"
