"""Defaults that a request sends itself, where an app insists on a value that nobody has to give."""

from collections.abc import Mapping
from typing import Any

from service_server.catalog.expressions import references
from service_server.catalog.requests import Request


def sent_defaults(request: Request, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the defaults of what is not required and yet always sent: `${args.name}` without a `?`."""
    insisted = {
        reference.keys[0]
        for _, reference in references(request.templates)
        if reference.root == "args" and reference.keys and not reference.optional
    }
    return {
        name: schema["default"]
        for name, schema in parameters["properties"].items()
        if "default" in schema and name in insisted.difference(parameters.get("required", ()))
    }


def with_defaults_required(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters as a request finds their values: none that has a default is absent."""
    there = [name for name, schema in parameters["properties"].items() if "default" in schema]
    return {**parameters, "required": [*parameters.get("required", ()), *there]}
