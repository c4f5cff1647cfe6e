"""Which names of fields and query parameters say that what they hold is secret."""

import re
from collections.abc import Iterator
from functools import lru_cache

_WORDS = re.compile(
    r"pass(?:word|wd|phrase)|secret|(?:api|private)[-_]?key|(?:access|refresh|id|bearer|auth|api)[-_]?token"
    r"|authorization|cookie|credential"
)
_STEMS = ("pass", "secret", "key", "token", "auth", "cookie", "credential")
"""One of them is in every such name; looking for them first takes a fraction of the time."""
_LONGEST_NAME = 200
_PARAMETER = re.compile(rf"[?&]([\w.-]{{1,{_LONGEST_NAME}}}+)=")
_VALUE = re.compile(r"[^&#\s\"'<>]+")


@lru_cache(maxsize=4096)
def names_secret(name: str) -> bool:
    """Whether a name says so; of a very long one the beginning counts."""
    name = name[:_LONGEST_NAME].lower()
    return any(stem in name for stem in _STEMS) and (name == "token" or _WORDS.search(name) is not None)


def parameters_in(text: str) -> int:
    """At most how many query parameters stand in a text; counted much faster than they are read."""
    return text.count("?") + text.count("&") if "=" in text else 0


def secrets_in_queries(text: str) -> list[str]:
    """The values of query parameters with such names, wherever in a text a query stands."""
    return [text[begin:end] for begin, end in _places(text)]


def without_secrets_in_queries(text: str, replacement: str) -> str:
    """The text with these values replaced."""
    parts, done = [], 0
    for begin, end in _places(text):
        parts += [text[done:begin], replacement]
        done = end
    return "".join([*parts, text[done:]]) if parts else text


def _places(text: str) -> Iterator[tuple[int, int]]:
    """Where the secrets stand; what looks like a query in the value of another parameter is one, too."""
    if not parameters_in(text):
        return
    done = 0
    for parameter in _PARAMETER.finditer(text):
        if parameter.start() < done or not names_secret(parameter[1]):
            continue
        value = _VALUE.match(text, parameter.end())
        if value is not None:
            done = value.end()
            yield value.span()
