"""The `parameters` of a function: a JSON Schema, with keys of our own that begin with `x-`."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from attrs import frozen

from service_server.catalog.format.keys import AnyName, Keywords, RegularExpression, Words, key

SourceArguments = Annotated[
    Mapping[str, str | float | bool],
    Keywords(description="The source function's arguments: constants, or ${args.name} for a value of this function."),
]
Required = Annotated[tuple[str, ...], Keywords(description="The names of those that must be given.", uniqueItems=True)]
Properties = Annotated[
    Mapping[AnyName, "Annotated[DeclaredParameter, Keywords(required=['type', 'title', 'description'])]"],
    Keywords(description="Parameters or fields, by name."),
]


@frozen(kw_only=True)
class DeclaredSource:
    """The query function of this app whose results are the valid values."""

    function: str = key("Its name without the app's.")
    value: str = key("The key of each result that is sent.")
    label: str = key("The key of each result that is shown.")
    search: Annotated[str | None, Keywords(type=["string", "null"])] = key(
        "Its argument that takes a search text.", None
    )
    args: SourceArguments = key(default={})


@frozen(kw_only=True)
class DeclaredFields:
    """The query function of this app whose results are the fields of this object."""

    function: str = key("Its name without the app's.")
    field_key: str = key("The key of each result that holds the field's key.", name="key")
    title: str | None = key("The key that holds the field's title.", None)
    type: str | None = key(
        "The key that holds the field's type, in a word such as integer, checkbox or datetime; the end of the "
        "reference lists them. Any other word means a text.",
        None,
    )
    required: str | None = key("The key that says whether the field is required.", None)
    options: str | None = key("The key that holds the field's values, where it has a list of them.", None)
    args: SourceArguments = key(default={})


@frozen(kw_only=True)
class DeclaredParameter:
    """A parameter, a field of an object or an item of a list."""

    type: Literal["string", "number", "boolean", "array", "object"] = key("The type of the value.")
    title: Words | None = key("What a form calls it.", None)
    description: Words | None = key("What it means, in words that help to fill it in.", None)
    enum: Annotated[tuple[str | float, ...], Keywords(minItems=1, uniqueItems=True)] | None = key(
        "The only values there are.", None
    )
    format: Literal["date", "date-time", "time", "email", "uri", "file"] | None = key(
        "The form of a text; a time is one of a day, such as 14:30 or 14:30:00; a file is the id of one that was "
        "uploaded, or where it is in the web: requests find its content there, and its name, media_type and size below "
        "it.",
        None,
    )
    default: Any = key(
        "What the app takes where none is given; where it takes none by itself, ${args.name} without a ? sends this.",
        None,
    )
    minimum: float | None = key("The least number.", None)
    maximum: float | None = key("The greatest number.", None)
    multiple_of: Literal[1] | None = key("1 makes the number an integer.", None, name="multipleOf")
    pattern: RegularExpression | None = key(
        "A regular expression that is searched for in the text, as in every JSON Schema: write ^ at its beginning and "
        "$ at its end where the whole text has to fit.",
        None,
    )
    items: "DeclaredParameter | None" = key("What each item of an array is.", None)
    properties: Properties | None = key(default=None)
    required: Required = key(default=())
    additional: bool = key("true lets an object have keys that are not listed.", False, name="additionalProperties")
    source: DeclaredSource | None = key(default=None, name="x-source")
    fields: DeclaredFields | None = key(default=None, name="x-fields")
    typed_in: Words | None = key(
        "Why people have to type it in: the reason why an id that must be given has no choices, or an object no "
        "fields.",
        None,
        name="x-typed-in",
    )
    sensitive: bool = key("The value is never logged.", False, name="x-sensitive")
    multiline: bool = key("The text may have several lines.", False, name="x-multiline")
    labels: Annotated[Mapping[str, Words], Keywords(minProperties=1)] | None = key(
        "What a form shows for values of `enum`, by the values; others are shown as they are.", None, name="x-labels"
    )
    placeholder: str = key("What an empty field shows.", "", name="x-placeholder")


@frozen(kw_only=True)
class DeclaredParameters:
    """What the function takes: a JSON Schema of an object, with the five types of the service's interface."""

    type: Literal["object"] = key("Always object.")
    required: Required = key(default=())
    properties: Properties = key()
    additional: bool = key("true lets arguments through that are not listed here.", False, name="additionalProperties")
