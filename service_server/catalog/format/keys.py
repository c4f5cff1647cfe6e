"""What a key of a connector's files may hold: a type, with keywords of JSON Schema where that says too little."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, TypeVar

import attrs
from attrs import NOTHING, field

NAME: Final = "name"
MEANING: Final = "meaning"


class Keywords:
    """Keywords of JSON Schema that hold beside a type: `Annotated[str, Keywords(minLength=1)]`."""

    def __init__(self, **words: Any) -> None:
        self.words = words


class Form:
    """The class whose form a value has that is kept as it stands, such as a JSON Schema."""

    def __init__(self, declared: Any) -> None:
        self.declared = declared


def key(meaning: str = "", default: Any = NOTHING, name: str = "") -> Any:
    """
    Return the field of a key.

    `meaning` is what editors and the reference say of it, by default what its type says; without a `default` the key
    must be there; `name` is how files write it where Python can't.
    """
    return field(default=default, metadata={MEANING: meaning, NAME: name})


def key_fields(declared: type) -> "list[attrs.Attribute[Any]]":
    """Return the fields of a class that are keys; others hold what no file says."""
    return [each for each in attrs.fields(declared) if NAME in each.metadata]


def key_of(field: "attrs.Attribute[Any]") -> str:
    """Return the key that a field is."""
    return field.metadata[NAME] or field.name


_NAME: Final = "^[a-z][a-z0-9_]*$"

Words = Annotated[str, Keywords(minLength=1, maxLength=1000)]
"""A sentence or two, or a name that people read."""

Name = Annotated[str, Keywords(pattern=_NAME)]
LastingName = Annotated[
    str,
    Keywords(
        description="A name that stays: it is kept with every account that signed in this way.",
        pattern=_NAME,
        maxLength=40,
    ),
]
# What a text of these forms may be is told by `schemas.py`, which also says what is wrong with one that is none.
RegularExpression = Annotated[str, Keywords(format="regex")]
Jmespath = Annotated[str, Keywords(format="jmespath", minLength=1)]
AnyName = Annotated[str, Keywords(pattern="^[A-Za-z_][A-Za-z0-9_]*$")]
Text = Annotated[str, Keywords(minLength=1)]
Texts = Mapping[str, str]
Headers = Mapping[Annotated[str, Keywords(pattern="^[A-Za-z0-9-]+$")], str]
Duration = Annotated[str, Keywords(pattern="^[0-9]+(ms|s|m|h|d)$")]
Scope = Annotated[str, Keywords(pattern=r"^[!#-\[\]-~]+$")]
Status = Annotated[int, Keywords(minimum=100, maximum=599)]
Statuses = Status | Annotated[tuple[Status, ...], Keywords(minItems=1)]
AnswerPath = Annotated[
    str,
    Keywords(
        description="Where it stands in the answer: body.path.to.it or header.name; other keys in quotes, as in "
        "body.'@odata.nextLink'.",
        pattern=r"^(body|header)(\.([A-Za-z0-9_-]+|'[^']+'))+$",
    ),
]

T = TypeVar("T")


def several(value: T | tuple[T, ...]) -> tuple[T, ...]:
    """Return as several what may be one."""
    return value if isinstance(value, tuple) else (value,)


SECONDS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}


def seconds_of(text: str) -> float:
    """Return a span of time such as `500ms`, `2s`, `5m`, `1h` or `60d` in seconds; its form has been checked."""
    number = text.rstrip("mshd")
    return int(number) * SECONDS[text[len(number) :]]
