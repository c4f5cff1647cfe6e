"""BambooHR's API by a server for agents that is made of the vendor's description, which no package holds itself."""

import re
from collections.abc import Iterator, Mapping

from tests.connectors.descriptions.clients import Operation, client_sources, words_of
from tests.connectors.descriptions.packages import pypi
from tests.connectors.descriptions.paths import template

# The wheel has its members below this.
_SERVER, _MODELS = "./server.py", "./_models.py"
_PARTS = re.DOTALL | re.MULTILINE


def _read(sources: Mapping[str, str]) -> Iterator[Operation]:
    """Read tools: each has one path and method, and names the models of what it sends, which may name others."""
    models = {match[1]: match[0] for match in re.finditer(r"^class (\w+)\(.*?(?=^class |\Z)", sources[_MODELS], _PARTS)}
    for tool in re.findall(r"^async def .*?(?=^@mcp|\Z)", sources[_SERVER], _PARTS):
        path = re.search(r"_http_path = (?:_build_path\()?\"/api(/[^\"]*)\"", tool)
        if path is not None:
            method = re.findall(r"method=\"([A-Z]+)\"", tool)[-1]
            text = "\n".join(_with_inner(re.findall(r"_models\.(\w+)", tool), models))
            yield Operation(method, template(path[1]), words_of(text))


def _with_inner(names: list[str], models: Mapping[str, str]) -> Iterator[str]:
    """Yield the texts of models, and of those that they name, without what is said in words."""
    waiting, seen = list(names), set[str]()
    while waiting:
        name = waiting.pop()
        if name in models and name not in seen:
            seen.add(name)
            text = re.sub(r"description=\"(?:[^\"\\]|\\.)*\"", "", models[name])
            yield text
            waiting += re.findall(r"\b[A-Z]\w+", text)


CHECK = client_sources(
    pypi("mcparmory-bamboohr==1.0.6"),
    base_url="https://acme.bamboohr.com/api",
    sources=(_SERVER, _MODELS),
    reader=_read,
)
