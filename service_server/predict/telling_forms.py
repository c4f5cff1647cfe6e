"""Forms of values that tell which functions may be meant: "#ops", "acme/web", "WEB-12", "ch_3Nxy…", "!room:server"."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from service_server.predict.candidate import Candidate
from service_server.predict.mentions import Kind, Mention, find_addresses
from service_server.predict.words import identifier_words, words_of

# Many apps have such things, and a function that has none is hardly meant: those with arguments of such names.
COMMON = {Kind.SLUG.value: frozenset({"repo", "repositori"}), Kind.CHANNEL.value: frozenset({"channel"})}
_TOKEN = re.compile(r"[^\s\"'“”‘’()\[\]<>,;]+")
_ENDING = ".?!:"
# Each is one app's, or a few apps'. What a form is called by is its label and the part that all of its values share.
_RARE = {
    "key": re.compile(r"()[A-Z][A-Z0-9]{1,9}-[1-9]\d{0,6}"),
    "serial number": re.compile(r"()[A-Z]{2,5}-0\d{1,6}"),  # as invoices have: the numbers of issues begin with no zero
    "prefix": re.compile(r"([a-z]{2,6}_)(?=[a-z]*[A-Z0-9])[A-Za-z0-9]{6,}"),
    "hexadecimal": re.compile(r"([A-Z]{2})[0-9a-f]{32}"),
    "address": re.compile(r"([!#@$])[^\s:@/]+:[^\s:@/]+\.[^\s:@/]+"),
    "cells": re.compile(r"()(?:[^\s!:]+!)?[A-Z]{1,3}\d{1,6}:[A-Z]{1,3}\d{0,6}"),
}


def forms_in(text: str, addresses: Iterable[Mention]) -> frozenset[str]:
    """Return the telling forms of the values in a text, whose `addresses` have been found."""
    common = {mention.kind.value for mention in addresses} & COMMON.keys()
    return frozenset(common.union(_rare_in(text)))


def forms_taken(candidate: Candidate) -> frozenset[str]:
    """Return the forms that a function has arguments for, by their names and by values that are shown for them."""
    said = set()
    shown: set[str] = set()
    for name, schema in candidate.function.parameters.properties.items():
        described = schema if isinstance(schema, Mapping) else {}
        title = str(described.get("title", ""))
        said |= {word.stem for word in (*identifier_words(name), *words_of(title))}
        shown.update(_rare_in(str(described.get("description", ""))))
    for _, given in candidate.examples:
        for value in _texts(given):
            shown |= forms_in(value, find_addresses(value)) if " " not in value else set()
    return frozenset(shown | {form for form, words in COMMON.items() if said & words})


def _rare_in(text: str) -> Iterator[str]:
    for token in _TOKEN.finditer(text):
        value = token[0].rstrip(_ENDING)
        if value.isalpha():
            continue  # a word; all of these have digits or signs
        for label, pattern in _RARE.items():
            if match := pattern.fullmatch(value):
                yield f"{label} {match[1]}"


def _texts(given: Any) -> Iterator[str]:
    values = given.values() if isinstance(given, Mapping) else given if isinstance(given, list | tuple) else [given]
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping | list):
            yield from _texts(value)
