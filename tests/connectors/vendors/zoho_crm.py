"""Zoho CRM's API by the vendor's own client, with the fields that its modules begin with."""

import re
from collections.abc import Iterator, Mapping

from tests.connectors.descriptions.clients import ClientSources, Operation, words_of
from tests.connectors.descriptions.packages import pypi

_METHOD = re.compile(r"^\tdef \w+\(self.*?(?=^\tdef |\Z)", re.DOTALL | re.MULTILINE)


def _read(sources: Mapping[str, str]) -> Iterator[Operation]:
    """Read `api_path = api_path + '/crm/v8/'` and `api_path = api_path + str(id)`, one below the other."""
    for text in sources.values():
        words = words_of(text)
        for call in _METHOD.findall(text):
            parts = re.findall(r"api_path = api_path \+ (.*)", call)
            path = "".join(part.strip("'") if part.startswith("'") else "{}" for part in parts)
            for method in re.findall(r"set_http_method\(Constants\.REQUEST_METHOD_(\w+)\)", call):
                yield Operation(method, path, words)


CHECK = ClientSources(
    pypi(
        "zohocrmsdk8-0==7.0.0",
        "sha256:0a12dc153a7ac063fafed2834dc91e93d151bd0c58fc5f8003ebcad772b915a1",
    ),
    base_url="https://www.zohoapis.com",
    sources=tuple(
        f"zohocrmsdk/src/com/zoho/crm/api/{name}/{name}_operations.py"
        for name in ("convert_lead", "fields", "modules", "notes", "record", "users")
    ),
    reader=_read,
    types=(
        "zohocrmsdk/src/com/zoho/crm/api/convert_lead/*.py",
        "zohocrmsdk/src/com/zoho/crm/api/notes/*.py",
        "zohocrmsdk/src/com/zoho/crm/api/record/*.py",
    ),
)
