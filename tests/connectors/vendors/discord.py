"""Discord by the routes and types that the makers of discord.js keep."""

import re
from collections.abc import Iterator, Mapping

from tests.connectors.descriptions.compiled_types import Call, compiled_client
from tests.connectors.descriptions.packages import npm
from tests.connectors.descriptions.paths import template

_ROUTE = re.compile(r"/\*\*(?P<ways>(?:(?!\*/).)*)\*/\s*(?P<name>\w+)\(", re.DOTALL)
_WAY = re.compile(r"- (?P<method>[A-Z]+) +`(?P<path>/[^`]+)`")
_TYPE = re.compile(r"^export (?:type|interface) (REST[A-Z][a-z]+API\w+(?:JSONBody|Query))\b", re.MULTILINE)
# Routes whose types are called otherwise.
_CALLED = {
    ("GET", "/users/@me/guilds"): "RESTGetAPICurrentUserGuilds",
    ("POST", "/users/@me/channels"): "RESTPostAPICurrentUserCreateDMChannel",
    ("POST", "/channels/{}/messages/{}/threads"): "RESTPostAPIChannelMessagesThreads",
}


def _folded(name: str) -> str:
    """A route of many things and the type for one of them are called alike but for plurals."""
    return re.sub(r"s(?=[A-Z]|$)", "", name).lower()


def _read(sources: Mapping[str, str]) -> Iterator[Call]:
    """Join routes with types that are called alike: `channelMessages` and `RESTPostAPIChannelMessageJSONBody`."""
    routes = sources["_generated_/rest/v10/interfaces.d.ts"]
    types = {_folded(name): f"rest.{name}" for text in sources.values() for name in _TYPE.findall(text)}
    for route in _ROUTE.finditer(routes):
        for way in _WAY.finditer(route["ways"]):
            name = f"REST{way['method'].title()}API{route['name'][:1].upper()}{route['name'][1:]}"
            path = template(way["path"])
            name = _CALLED.get((way["method"], path), name)
            query, body = (types.get(_folded(f"{name}{kind}")) for kind in ("Query", "JSONBody"))
            yield Call(way["method"], path, query, body)


CHECK = compiled_client(
    npm("discord-api-types@0.38.57"),
    base_url="https://discord.com/api/v10",
    sources=("_generated_/rest/v10/interfaces.d.ts", "rest/v10/*.d.ts"),
    reader=_read,
    head='import type * as rest from "./rest/v10/index.js";',
    types=("*.d.ts",),
)
