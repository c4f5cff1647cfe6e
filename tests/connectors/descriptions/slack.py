"""Slack's client as a description: a list of methods, and the declared arguments of each."""

import re
from collections.abc import Iterator, Mapping

from attrs import frozen

from tests.connectors.descriptions.packages import Members, Package
from tests.connectors.descriptions.paths import below
from tests.connectors.descriptions.sent import Sent
from tests.connectors.descriptions.typescript import TypeScript

_METHOD = re.compile(r"/methods/([\w.]+) (?:(?!\*/).)*\*/\s*\w+: MethodWith\w+<(\w+),", re.DOTALL)

# Some stand without a comment: `AuthTestArguments` are those of `auth.test`.
_BARE = re.compile(r"^\s*(\w+): MethodWith\w+<(\w+)Arguments,", re.MULTILINE)


@frozen
class MethodList:
    """
    Methods that are called by their name below `base_url`, with arguments in the query, a form or JSON.

    `methods` is the member with each method's name and the name of its arguments' type, `types` declare those.
    """

    package: Package
    base_url: str
    methods: str
    types: tuple[str, ...]

    @property
    def members(self) -> tuple[Members, ...]:
        """See `Description`."""
        return (self.package.keeping(self.methods, *self.types),)

    @property
    def way(self) -> str:
        """See `Description`."""
        return "methods, and declared and required arguments by the client's types"

    def read(self) -> "MethodJudge":
        """See `Description`."""
        (members,) = self.members
        (text,) = members.texts(self.methods).values()
        methods = dict(_METHOD.findall(text))
        for leaf, words in _BARE.findall(text):
            group = words.removesuffix(leaf[:1].upper() + leaf[1:])
            if f"{words}Arguments" not in methods.values() and group:
                methods[f"{group[:1].lower()}{group[1:]}.{leaf}"] = f"{words}Arguments"
        if not methods:
            raise ValueError(f"no methods found in {self.package}")
        return MethodJudge(self.base_url, methods, TypeScript.of(members.texts(*self.types).values()))


@frozen
class MethodJudge:
    """Method names with the names of their arguments' types."""

    base_url: str
    methods: Mapping[str, str]
    types: TypeScript

    def faults(self, request: Sent) -> Iterator[str]:
        """See `Judge`."""
        path = below(self.base_url, request.url)
        if path is None:
            yield f"{request.url} isn't below {self.base_url}"
            return
        name = path.strip("/")
        if name not in self.methods:
            yield f"there is no method {name}"
            return
        if request.method not in ("GET", "POST"):
            yield f"methods are called by GET or POST, not by {request.method}"
        arguments = {**dict(request.query), **(request.body if isinstance(request.body, dict) else {})}
        yield from self.types.faults(self.methods[name], arguments)
