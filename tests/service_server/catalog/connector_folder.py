"""Writes connector folders for tests that need one with something particular in it."""

from pathlib import Path
from typing import Any

import yaml
from attrs import define, field

from service_server.catalog.load import load_connector
from service_server.catalog.problems import Problem
from service_server.catalog.values import Connector

ICON = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>'
BY_API_KEY = {
    "id": "key",
    "type": "api_key",
    "title": "API key",
    "fields": {"api_key": {"title": "API key"}},
    "inject": {"header": {"X-Api-Key": "${creds.api_key}"}},
}


def minimal_connector() -> dict[str, Any]:
    """Return the least that a connector needs."""
    return {
        "name": "acme",
        "title": "Acme",
        "description": "An app.",
        "base_url": "https://api.acme.example",
        "auth": [{"id": "open", "type": "none"}],
    }


def known_at(base_url: str, *ways: dict[str, Any], **keys: Any) -> dict[str, Any]:
    """Return a connector of an app that tells at `/me` whose credentials it was shown; by default it wants none."""
    known = {"base_url": base_url, "test": {"get": "/me"}, "account": {"id": "${test.id}", "name": "${test.name}"}}
    return minimal_connector() | known | ({"auth": list(ways)} if ways else {}) | keys


def minimal_function() -> dict[str, Any]:
    """Return the least that a function needs."""
    return {
        "type": "query",
        "title": "Find",
        "description": "Find things.",
        "request": {"get": "/things"},
        "parameters": {"type": "object", "properties": {}},
    }


def parameter(kind: str = "string", **more: Any) -> dict[str, Any]:
    """Return the schema of one parameter."""
    return {"type": kind, "title": "Title", "description": "Description.", **more}


@define
class ConnectorFolder:
    """A connector whose parts a test changes before it is written; functions by their short names."""

    connector: dict[str, Any] = field(factory=minimal_connector)
    functions: dict[str, dict[str, Any]] = field(factory=lambda: {"find": minimal_function()})
    icon: str | None = ICON
    hooks: str | None = None

    def write(self, directory: Path, name: str = "acme") -> Path:
        """Write the folder below a directory and return it."""
        folder = directory / name
        (folder / "functions").mkdir(parents=True)
        (folder / "connector.yaml").write_text(yaml.safe_dump(self.connector))
        for stem, function in self.functions.items():
            (folder / "functions" / f"{stem}.yaml").write_text(yaml.safe_dump(function))
        if self.icon is not None:
            (folder / "icon.svg").write_text(self.icon)
        if self.hooks is not None:
            (folder / "hooks.py").write_text(self.hooks)
        return folder

    def problems(self, directory: Path) -> list[Problem]:
        """Write the folder and return what keeps it from being loaded."""
        return load_connector(self.write(directory))[1]

    def loaded(self, directory: Path) -> Connector:
        """Write the folder and load it, which finds no problem."""
        connector, problems = load_connector(self.write(directory))
        assert [] == problems
        assert connector is not None
        return connector


def connector_with(**keys: Any) -> ConnectorFolder:
    """Return the least connector with these keys besides."""
    return ConnectorFolder(minimal_connector() | keys)


def function_with(**keys: Any) -> ConnectorFolder:
    """Return the least connector, whose function `find` has these keys besides."""
    return ConnectorFolder(functions={"find": minimal_function() | keys})
