"""The `request` of a function, of the connection test and of calls at signing in."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final, Literal

from attrs import frozen

from service_server.catalog.format.keys import Headers, Keywords, Text, key

METHODS: Final = ("get", "head", "post", "put", "patch", "delete")
_MEDIA_TYPE: Final = "[a-z0-9.+-]+/[a-z0-9.+-]+(; charset=utf-8)?"

Target = Annotated[
    str,
    Keywords(
        description="Below the base URL, or a whole https URL (http with a port) on one of the connector's "
        "allow_hosts; each value is one segment. Or an address on one of these hosts that the app gave before, such as "
        "${before.upload_url}.",
        pattern=r"^(/|https://[A-Za-z0-9.-]+(:[0-9]+)?/|http://[A-Za-z0-9.-]+:[0-9]+/|\$\{(before|lookup)\.\w+\}$)",
    ),
]
ListStyle = Annotated[
    Literal["repeat", "brackets", "indexes"], Keywords(description="a=1&a=2, a[]=1&a[]=2 or a[0]=1&a[1]=2.")
]
Encoding = Annotated[
    Literal["text", "base64"], Keywords(description="How the content comes in an argument (default: text).")
]


@frozen(kw_only=True)
class DeclaredList:
    """A list in the query, and how it is written."""

    keywords: ClassVar = Keywords(minProperties=2, maxProperties=2)

    value: str = key("The list.")
    join: Literal[",", " ", "|", ";"] | None = key("What stands between the items in one value.", None)
    lists: ListStyle | None = key(default=None)


@frozen(kw_only=True)
class DeclaredPart:
    """A file in a multipart body."""

    file: str = key("The file's content: a text, base64, or a parameter of the format file.")
    name: str | None = key("The file's name (default: that of the given file).", None)
    type: Annotated[str, Keywords(pattern=f"^{_MEDIA_TYPE}$")] | None = key(
        "The media type, such as text/csv (default: that of the given file).", None
    )
    encoding: Encoding = key(default="text")


@frozen(kw_only=True)
class DeclaredOperation:
    """A GraphQL operation, sent by post as JSON."""

    query: Text = key("The operation's text; expressions can't stand in it.")
    variables: Mapping[str, Any] = key("The values of the operation's variables.", {})


@frozen(kw_only=True)
class DeclaredContent:
    """Sent as it is, with this media type."""

    content: str = key(
        "The content: a text, base64, or a parameter of the format file; of a hook also a list of these, with a file "
        "in lines of base64 as {base64: file}."
    )
    type: Annotated[str, Keywords(pattern=rf"^({_MEDIA_TYPE}|\$\{{[^{{}}]+\}})$")] | None = key(
        "The media type, such as text/csv, or an expression (default: that of the given file).", None
    )
    encoding: Encoding = key(default="text")


@frozen(kw_only=True)
class DeclaredRequest:
    """A method with its path, then query, headers and body."""

    keywords: ClassVar = Keywords(minProperties=1, oneOf=[{"required": [method]} for method in METHODS])

    get: Target | None = key(default=None)
    head: Target | None = key(default=None)
    post: Target | None = key(default=None)
    put: Target | None = key(default=None)
    patch: Target | None = key(default=None)
    delete: Target | None = key(default=None)
    query: Mapping[str, str | float | bool | DeclaredList] = key(
        "Lists are repeated, joined ({value: …, join: ','}) or written with brackets ({value: …, lists: brackets}: "
        "a[]=1; indexes: a[0]=1).",
        {},
    )
    headers: Headers = key("Headers of this request, which replace the app's of the same names.", {})
    body: Annotated[Any, Keywords(type=["object", "string", "array"])] = key(
        "Sent as JSON; '...' spreads an object.", None
    )
    form: Mapping[str, Any] | None = key(
        "Sent as a form: what is inside objects as a[b]=c, lists as form_lists says.", None
    )
    form_lists: ListStyle | None = key("How lists in the form are written (default: repeat).", None)
    multipart: Annotated[Mapping[str, str | float | bool | DeclaredPart], Keywords(minProperties=1)] | None = key(
        "Sent as multipart/form-data: plain values, and files as {file: …, name: …, type: …}.", None
    )
    graphql: DeclaredOperation | None = key(default=None)
    raw: DeclaredContent | None = key(default=None)

    @property
    def method(self) -> str:
        """The key of its method, such as `get`."""
        return next(method for method in METHODS if getattr(self, method) is not None)

    @property
    def target(self) -> str:
        """Where it goes: what stands at the key of its method."""
        target: str = getattr(self, self.method)
        return target

    @property
    def bodies(self) -> list[str]:
        """The keys of bodies that are there; there should be one at most."""
        return [name for name in ("body", "form", "multipart", "graphql", "raw") if getattr(self, name) is not None]

    @property
    def templates(self) -> dict[str, Any]:
        """What can hold expressions, by its keys; the text of a GraphQL operation can't."""
        templates: dict[str, Any] = {self.method: self.target, "query": _inner(self.query), "headers": self.headers}
        templates |= {"body": self.body, "form": self.form}
        if self.multipart is not None:
            templates["multipart"] = _inner(self.multipart)
        if self.graphql is not None:
            templates["graphql"] = {"variables": self.graphql.variables}
        if self.raw is not None:
            templates["raw"] = {"content": self.raw.content, "type": self.raw.type}
        return templates


def _inner(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values, of which some are objects with an expression in them."""
    return {
        name: {"value": each.value}
        if isinstance(each, DeclaredList)
        else {"file": each.file, "name": each.name}
        if isinstance(each, DeclaredPart)
        else each
        for name, each in values.items()
    }
