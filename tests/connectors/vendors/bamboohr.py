"""BambooHR's API by a server for agents whose types are made of the vendor's description, which no package holds."""

import ast
import re
from collections.abc import Iterator

from tests.connectors.descriptions.compiled_judge import CompiledJudge, CompiledOperation
from tests.connectors.descriptions.description import Description
from tests.connectors.descriptions.packages import pypi
from tests.connectors.descriptions.paths import template
from tests.connectors.descriptions.python_types import ANYTHING, Schema, Types

# The wheel has its members below this.
_SERVER, _MODELS = "./server.py", "./_models.py"
_MEMBERS = pypi("mcparmory-bamboohr==1.0.6").keeping(_SERVER, _MODELS)
_TOOL = re.compile(r"^async def .*?(?=^@mcp|\Z)", re.DOTALL | re.MULTILINE)


def _read() -> CompiledJudge:
    sources = _MEMBERS.texts()
    types = Types.of([ast.parse(sources[_MODELS])])
    operations = tuple(_operations(sources[_SERVER], types))
    if not operations:
        raise ValueError(f"no tools found in {_MEMBERS.package}")
    return CompiledJudge("https://acme.bamboohr.com/api", operations, types.definitions())


def _operations(server: str, types: Types) -> Iterator[CompiledOperation]:
    """Read tools: each has one path and method, and hands on the parts of one model."""
    for tool in _TOOL.findall(server):
        path = re.search(r"_http_path = (?:_build_path\()?\"/api(/[^\"]*)\"", tool)
        if path is None:
            continue
        method = re.findall(r"method=\"([A-Z]+)\"", tool)[-1]
        request = re.search(r"_models\.(\w+Request)\(", tool)
        parts = {} if request is None else types.fields(request[1])["properties"]
        body = parts.get("body", False)
        if "next(iter(_http_body.values())" in tool:
            body = ANYTHING  # what its one field holds is sent in place of the body
        if "multipart/form-data" in tool and body:
            # Parts have no types.
            body = {
                "type": "object",
                "properties": {name: {} for name in _names(types, body)},
                "additionalProperties": False,
            }
        sent = {"query": parts.get("query", False), "body": body, "header": False}
        yield CompiledOperation(method, template(path[1]), sent)


def _names(types: Types, body: Schema) -> list[str]:
    """Return the names of a model's fields."""
    return list(types.fields(body["$ref"].rpartition("/")[2])["properties"])


CHECK = Description(
    (_MEMBERS,),
    "method and path; place, name, type and required of all that is sent, by the client's types, but for files, of "
    "which only the names of parts are compared",
    _read,
    untyped=frozenset(),
)
