"""
Copies of shipped connectors whose apps are the recorder's, and which are signed in to by a key.

Functions are as they ship, but for where they go, the scopes that no key has, and links to the vendors' own pages.
"""

import re
from pathlib import Path
from typing import Any

import yaml

from service_server.catalog.document import read_document
from service_server.catalog.load import SHIPPED
from tests.emulators.pointed import PREFIX

KEY = {
    "id": "key",
    "type": "api_key",
    "title": "Key",
    "fields": {"key": {"title": "Key"}},
    "inject": {"header": {"X-Key": "${creds.key}"}},
}
_ELSEWHERE = re.compile(r"https://[a-z0-9.]+(?=/)")


def write_opened(name: str, directory: Path, url: str) -> None:
    """Write the copy of a connector into a directory, as `emulated_<name>`: shipped names are taken."""
    source, folder = SHIPPED / name, directory / f"{PREFIX}{name}"
    (folder / "functions").mkdir(parents=True)
    connector = dict(read_document(source / "connector.yaml").value)
    for key in ("test", "account", "budget"):
        connector.pop(key, None)
    variables = {
        each: {"title": each, "set_by": "operator", "default": "acme", "pattern": "[a-z]+"}
        for each in connector.get("vars", {})
    }
    allowed = re.sub(r"https?://", "", url)
    connector |= {
        "name": f"{PREFIX}{name}",
        "base_url": f"{url}/{name}",
        "auth": [KEY],
        "allow_hosts": [allowed],
        "vars": variables,
    }
    _write(folder / "connector.yaml", connector)
    for kept in ("icon.svg", "hooks.py"):
        if (source / kept).exists():
            (folder / kept).write_bytes((source / kept).read_bytes())
    for file in (source / "functions").glob("*.yaml"):
        function = dict(read_document(file).value)
        for key in ("auth", "scopes", "outcome"):
            function.pop(key, None)
        for exchange in (function, function.get("instead", {}), function.get("lookup", {})):
            _redirect(exchange.get("request", {}), f"{url}/{name}")
        _write(folder / "functions" / file.name, function)


def _redirect(request: dict[str, Any], to: str) -> None:
    for method in ("get", "post", "put", "patch", "delete"):
        if request.get(method, "").startswith("https://"):
            request[method] = _ELSEWHERE.sub(to, request[method], count=1)


def _write(file: Path, value: Any) -> None:
    file.write_text(yaml.safe_dump(value, sort_keys=False, allow_unicode=True), encoding="utf-8")
