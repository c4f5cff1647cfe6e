"""Box's API by the vendor's own client."""

import re
from collections.abc import Iterator, Mapping

from tests.connectors.descriptions.clients import ClientSources, Operation, Read, words_of
from tests.connectors.descriptions.description import AnyOf
from tests.connectors.descriptions.packages import npm

_PACKAGE = npm(
    "box-node-sdk@10.12.0",
    "sha512-FIMawCT0vsFqpoadOzVbZMwyaqZotCBDHVQHPtgtuPFr50bdo7BeqxV9zyn6BYhKyM8dxiv7eKwmPo5a6HMvng==",
)


def _calls(host: str) -> Read:
    """Read `….baseUrls.baseUrl, '/2.0/files/', toString(id), '/copy'), method: 'POST'`."""
    expression = re.compile(rf"baseUrls\.{host}, (?P<path>'/2\.0.*?)\),\s*method: '(?P<method>\w+)'", re.DOTALL)

    def read(sources: Mapping[str, str]) -> Iterator[Operation]:
        for text in sources.values():
            for match in expression.finditer(text):
                parts = re.findall(r"'([^']*)'|\(\w+\)", match["path"] + ")")
                yield Operation(match["method"], "".join(part or "{}" for part in parts), words_of(text))

    return read


CHECK = AnyOf(
    ClientSources(_PACKAGE, base_url="https://api.box.com", sources=("lib/managers/*.js",), reader=_calls("baseUrl")),
    ClientSources(
        _PACKAGE,
        base_url="https://upload.box.com/api",
        sources=("lib/managers/uploads.js",),
        reader=_calls("uploadUrl"),
    ),
)
