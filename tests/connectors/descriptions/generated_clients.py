"""
Clients that are made of an OpenAPI document: one type tells all that a call takes, its path, its query and its body.

What is sent has to be declared in the place where it is sent, and what is required has to be there.
"""

import re
from collections.abc import Iterator

from attrs import frozen

from tests.connectors.descriptions.packages import Members, Package
from tests.connectors.descriptions.paths import held_against, template
from tests.connectors.descriptions.sent import Sent, nested
from tests.connectors.descriptions.typed_clients import TypedOperation
from tests.connectors.descriptions.typescript import TypeScript
from tests.connectors.descriptions.typescript_syntax import Name

_NOTHING = (Name("never"),)


@frozen
class GeneratedClient:
    """
    A client whose member `calls` has all calls, and whose member `types` declares what each takes.

    `call` is a regular expression for a call (groups `name`, `method`, `path`); what `getThing` takes is of the type
    `GetThingData`, or of one that differs from this in letter case and underscores only.
    """

    package: Package
    base_url: str
    calls: str
    types: str
    call: str

    @property
    def members(self) -> tuple[Members, ...]:
        """See `Description`."""
        return (self.package.keeping(self.calls, self.types),)

    @property
    def way(self) -> str:
        """See `Description`."""
        return "paths, methods, and declared and required names of queries and bodies by the client's types"

    def read(self) -> "GeneratedJudge":
        """See `Description`."""
        (members,) = self.members
        (calls,) = members.texts(self.calls).values()
        types = TypeScript.of(members.texts(self.types).values())
        names = {_folded(name): name for name in types.declared}
        operations = tuple(
            TypedOperation(match["method"].upper(), template(match["path"]), names.get(_folded(f"{match['name']}Data")))
            for match in re.finditer(self.call, calls, re.MULTILINE)
        )
        if not operations:
            raise ValueError(f"no operations found in {self.package}")
        return GeneratedJudge(self.base_url, operations, types)


@frozen
class GeneratedJudge:
    """The calls of a client, and its types."""

    base_url: str
    operations: tuple[TypedOperation, ...]
    types: TypeScript

    def faults(self, request: Sent) -> Iterator[str]:
        """See `Judge`."""
        yield from held_against(
            self.base_url, self.operations, request, lambda each: self._faults(each.arguments or "", request)
        )

    def _faults(self, arguments: str, request: Sent) -> Iterator[str]:
        sent = {"query": nested(list(request.query)), "body": request.body}
        sent = {place: values for place, values in sent.items() if values}
        shape = self.types.shape(Name(arguments))
        for place in sent:
            if shape is not None and shape.fields.get(place, _NOTHING) == _NOTHING:
                yield f"there is no {place}, but one is sent"
        # The path fits already.
        yield from self.types.faults(arguments, {"path": None, "url": None, **sent})


def _folded(name: str) -> str:
    return name.replace("_", "").lower()
