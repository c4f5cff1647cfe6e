"""Greenhouse's Harvest API, version 3, by a server for agents, since the vendor keeps neither in a package."""

import re
from collections.abc import Iterator, Mapping

from tests.connectors.descriptions.clients import Operation, client_sources, operations
from tests.connectors.descriptions.packages import pypi

_PATH = r"\s*f?\"(?P<path>/[^\"]*)\""
_READERS = (
    operations(rf"\.harvest_(?P<method>get|post|patch|put|delete)(?:_by_id|_ids|_cached)?\({_PATH}", names="file"),
    # Rows that belong to others are looked up by their ids.
    operations(rf"_lookup\(\s*client,{_PATH}", always="GET", names="file"),
)


def _read(sources: Mapping[str, str]) -> Iterator[Operation]:
    """Read the calls, with the words of their file but for what it says to people and models."""
    code = {
        name: re.sub(r"description=(?:\s*f?\"[^\"\n]*\"|\(\s*)+", "", re.sub(r'""".*?"""', "", text, flags=re.DOTALL))
        for name, text in sources.items()
    }
    for read in _READERS:
        yield from read(code)


CHECK = client_sources(
    pypi("open-greenhouse-mcp==0.5.0"),
    base_url="https://harvest.greenhouse.io/v3",
    sources=("greenhouse_mcp/harvest/*.py",),
    reader=_read,
    # Only what the server says in words has it; the vendor documents it as a part of the e-mail of a rejection.
    extra=frozenset({"send_email_at"}),
)
