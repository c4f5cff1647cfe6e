"""
Clients with type declarations as descriptions: each of their methods names the type of what it sends.

Stronger than words in sources: a key has to be declared where it stands, and required ones have to be there.
"""

import re
from collections.abc import Iterator, Mapping

from attrs import frozen

from tests.connectors.descriptions.packages import Members, Package
from tests.connectors.descriptions.paths import held_against, template
from tests.connectors.descriptions.sent import Sent, nested
from tests.connectors.descriptions.typescript import TypeScript


@frozen
class TypedOperation:
    """What a client can call; `arguments` is the name of the type of what is sent, None where nothing can be."""

    method: str
    path: str
    arguments: str | None


@frozen
class TypedClient:
    """
    A client whose modules come in pairs: `<module>.js` calls, `<module>.d.ts` declares.

    `call` is a regular expression for a method that calls (groups `name`, `method`, `path`), `declaration` one for its
    declaration in the other file (groups `name`, `type`). `types` are the members with further types.
    """

    package: Package
    base_url: str
    modules: str
    call: str
    declaration: str
    types: tuple[str, ...] = ()

    @property
    def members(self) -> tuple[Members, ...]:
        """See `Description`."""
        return (self.package.keeping(f"{self.modules}.js", f"{self.modules}.d.ts", *self.types),)

    @property
    def way(self) -> str:
        """See `Description`."""
        return "paths, methods, and declared and required names by the client's types"

    def read(self) -> "TypedJudge":
        """See `Description`."""
        (members,) = self.members
        declared = members.texts("*.d.ts")
        operations = tuple(
            operation
            for path, text in members.texts("*.js").items()
            for operation in self._operations(text, declared[path.removesuffix(".js") + ".d.ts"])
        )
        if not operations:
            raise ValueError(f"no operations found in {self.package}")
        return TypedJudge(self.base_url, operations, TypeScript.of(declared.values()))

    def _operations(self, calls: str, declarations: str) -> Iterator[TypedOperation]:
        types: Mapping[str, str] = {
            match["name"]: match["type"] for match in re.finditer(self.declaration, declarations, re.MULTILINE)
        }
        for match in re.finditer(self.call, calls, re.MULTILINE):
            yield TypedOperation(match["method"], template(match["path"]), types.get(match["name"]))


@frozen
class TypedJudge:
    """The operations of a client, and its types."""

    base_url: str
    operations: tuple[TypedOperation, ...]
    types: TypeScript

    def faults(self, request: Sent) -> Iterator[str]:
        """See `Judge`."""
        body = request.body if isinstance(request.body, dict) else {}
        sent = {**nested(list(request.query)), **body}
        yield from held_against(self.base_url, self.operations, request, lambda each: self._faults(each, sent))

    def _faults(self, operation: TypedOperation, sent: dict[str, object]) -> Iterator[str]:
        if operation.arguments is not None:
            yield from self.types.faults(operation.arguments, sent)
        elif sent:
            yield f"nothing can be sent, but {', '.join(sent)} is"
