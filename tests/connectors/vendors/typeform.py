"""Typeform's API by the vendor's own client."""

from collections.abc import Iterator, Mapping

from tests.connectors.descriptions.clients import ClientSources, Operation, operations
from tests.connectors.descriptions.packages import npm

_PATH = r"""(?:headers: \{[^}]*\},\s*)?url: (?P<path>["']/[^\r\n]+),\r?\n"""
_READERS = (
    operations(r"method: '(?P<method>\w+)',\s*" + _PATH),
    # Changing a form and replacing it are one function there.
    operations(r"method: methodType,\s*" + _PATH, always="PATCH"),
)


def _read(sources: Mapping[str, str]) -> Iterator[Operation]:
    for reader in _READERS:
        yield from reader(sources)


CHECK = ClientSources(
    npm(
        "@typeform/api-client@2.8.0",
        "sha512-LCCm2qo6UT+/ZXkU/QWu4IHpGelzVa1w63cD/k/KvEwyExW0LV6NeC8yROEeZbG4l1bzpF3Nq9l5kkmsLnojvQ==",
    ),
    base_url="https://api.typeform.com",
    sources=("dist/index.esm.js",),
    reader=_read,
    types=("dist/typeform-types.d.ts",),
    free=frozenset({"properties", "validations"}),
)

UNDESCRIBED = {"test": "Typeform documents it beside its Create API; the client has no such call"}
