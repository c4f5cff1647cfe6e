"""The places of a function's parameters that a prompt may fill."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

from service_client.models import Function
from service_server.predict.option_labels import labelled_properties, names_of
from service_server.predict.verbs import CLASS_OF
from service_server.predict.words import STOP_WORDS, identifier_words, word_set, words_of

# Deeper objects are not filled from a sentence.
_DEEPEST = 3
_ID_ENDINGS = word_set("id ids uid uuid key gid sha hash slug")


@frozen(kw_only=True)
class Slot:
    """
    One parameter, or one field of an object parameter, that takes a plain value or a list of them.

    `words` are the stems of its name and title, `hints` those of its description,
    `action` those of the function's name. An `opaque` slot holds ids that a
    source function lists and that nobody can tell from the words of a prompt.
    """

    path: tuple[str, ...]
    schema: Mapping[str, Any]
    words: frozenset[str]
    names: frozenset[tuple[str, ...]]
    hints: frozenset[str]
    action: frozenset[str]
    opaque: bool

    @property
    def type(self) -> str:
        """The JSON Schema type; text where the schema names none."""
        return str(self.schema.get("type", "string"))

    @property
    def format(self) -> str:
        """The JSON Schema format, empty where the schema does not say."""
        return str(self.schema.get("format", ""))

    @property
    def options(self) -> tuple[Any, ...]:
        """The allowed values, empty where any value is allowed."""
        return tuple(self.schema.get("enum") or ())

    @property
    def named_options(self) -> tuple[tuple[Any, str], ...]:
        """The allowed values that have names, each with one of them; a bare number has none but its label."""
        pairs = ((option, name) for option in self.options for name in names_of(option, self.schema))
        return tuple((option, name) for option, name in pairs if isinstance(option, str) or name != str(option))

    @property
    def is_identifier(self) -> bool:
        """Whether the name says that the values are ids."""
        return self.opaque or any(name[-1] in _ID_ENDINGS for name in self.names)


def slots_of(function: Function) -> tuple[Slot, ...]:
    """Return the slots of a function's parameters in their order."""
    leaves = leaves_of({"properties": labelled_properties(function)})
    return tuple(_slot(function, path, schema) for path, schema, _ in leaves)


def leaves_of(
    schema: Mapping[str, Any], parents: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Mapping[str, Any], bool]]:
    """Yield what takes a value, also within object parameters: its path, its schema, and whether it is required."""
    properties, required = schema.get("properties"), schema.get("required")
    if not isinstance(properties, Mapping):
        return
    needed = frozenset(required) if isinstance(required, list | tuple) else frozenset()
    for name, parameter in properties.items():
        if not isinstance(parameter, Mapping):
            continue
        path = (*parents, name)
        if parameter.get("type") != "object":
            yield path, parameter, name in needed
        elif len(path) < _DEEPEST:
            yield from leaves_of(parameter, path)


def _slot(function: Function, path: tuple[str, ...], schema: Mapping[str, Any]) -> Slot:
    name = identifier_words(path[-1])
    title = words_of(str(schema.get("title", "")))
    description = words_of(str(schema.get("description", "")))
    spellings = {tuple(word.folded for word in words) for words in (name, title) if words}
    spellings.add((path[-1].casefold(),))
    return Slot(
        path=path,
        schema=schema,
        words=frozenset(word.stem for word in (*name, *title) if word.folded not in STOP_WORDS),
        names=frozenset(spellings),
        hints=frozenset(word.stem for word in description if word.folded not in STOP_WORDS),
        action=frozenset(word.stem for word in identifier_words(function.name.partition("-")[2])),
        opaque=_is_opaque(function, path, schema),
    )


def _is_opaque(function: Function, path: tuple[str, ...], schema: Mapping[str, Any]) -> bool:
    field = function.meta.fields.get(".".join(path)) if function.meta else None
    if field is not None and field.source is not None:
        return field.source.value != field.source.label
    # "Call slack-list-channels for valid values."
    named = re.compile(rf"(?<![\w-]){re.escape(function.app_name)}-[a-z]\w*-[a-z]")
    return function.app_name not in CLASS_OF and named.search(str(schema.get("description", ""))) is not None
