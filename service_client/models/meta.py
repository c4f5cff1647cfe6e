"""What `include=meta` adds to a function: all that a form needs besides the parameters."""

from collections.abc import Mapping
from typing import Any, Final

from attrs import field, frozen


@frozen(kw_only=True)
class Source:
    """
    The source function whose results fill a dropdown.

    `arguments` maps its arguments to constants or `${param}` references; inside an array a reference means the same
    item. `value` and `label` are the keys of each result item; `search` names the argument that takes a search text.
    """

    function: str
    arguments: dict[str, Any] = field(factory=dict[str, Any])
    value: str
    label: str
    search: str | None = None
    depends_on: tuple[str, ...] = ()


FIELD_TYPES: Final[Mapping[str, tuple[str, ...]]] = {
    "number": ("number", "double", "float", "decimal", "currency", "monetary", "percent", "numeric"),
    "integer": ("integer", "int", "long", "bigint", "rating"),
    "boolean": ("boolean", "bool", "checkbox", "flag"),
    "date": ("date",),
    "date-time": ("datetime", "date-time", "date_time", "timestamp"),
    "time": ("time",),
    "email": ("email",),
    "uri": ("uri", "url", "link"),
    "multiline": ("textarea", "multiline", "long_text", "longtext", "rich_text", "richtext", "multilinetext"),
    "array": ("array", "list", "set", "multiselect", "multi_select", "multienum", "multi_enum", "multipleselects"),
    "object": ("object", "json", "map"),
}
"""The words that apps use for the types of dynamic fields, by their meaning; any other word means a text."""


@frozen(kw_only=True)
class DynamicFields:
    """
    The source function whose results are the fields of an object parameter.

    `key`, `title`, `type`, `required` and `options` name the keys of each result item that hold them.
    """

    function: str
    arguments: dict[str, Any] = field(factory=dict[str, Any])
    key: str
    title: str | None = None
    type: str | None = None
    required: str | None = None
    options: str | None = None
    depends_on: tuple[str, ...] = ()


@frozen(kw_only=True)
class FieldMeta:
    """
    How one field is shown; the path of a field is `a`, `a.b` or `a[].b`.

    `help` is what a form says about it, in place of the parameter's description if there is one: people choose by
    names what programs give by ids.
    """

    title: str
    widget: str
    placeholder: str = ""
    help: str | None = None
    default: Any = None
    options: tuple[Any, ...] | None = None
    source: Source | None = None
    dynamic_fields: DynamicFields | None = None


@frozen(kw_only=True)
class FunctionApp:
    """The app of a function, as a form shows it."""

    name: str
    title: str
    icon_url: str


@frozen(kw_only=True)
class FunctionMeta:
    """
    All that a form needs to show a function and to warn of what it does.

    `scopes` are those the function needs beyond the ones usually asked for when an account signs in at its provider.
    """

    app: FunctionApp
    title: str
    type: str
    paginated: bool = False
    destructive: bool = False
    idempotent: bool = False
    scopes: tuple[str, ...] = ()
    fields: dict[str, FieldMeta] = field(factory=dict[str, FieldMeta])
