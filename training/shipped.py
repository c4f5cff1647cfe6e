"""The functions of the shipped connectors, as training sees them."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from attrs import frozen

from service_server.catalog.load import SHIPPED, load_catalog
from service_server.cli.options import kept_connectors
from service_server.prediction.prediction import candidates


@frozen(kw_only=True)
class ShippedFunction:
    """A function as `{"name", "description", "parameters"}`, its app, titles and kind, and its author's examples."""

    app: str
    app_title: str
    title: str
    function: dict[str, Any]
    changes: bool
    examples: tuple[tuple[str, dict[str, Any]], ...]


@cache
def shipped_functions() -> Mapping[str, ShippedFunction]:
    """Return every function of the shipped connectors by name, except the raw requests that every app has."""
    found = {}
    for candidate in candidates(load_catalog([SHIPPED], kept_connectors())):
        function = candidate.function
        if function.type == "passthrough":
            continue
        parameters = {
            "type": "object",
            "properties": function.parameters.properties,
            "required": list(function.parameters.required),
        }
        plain = {"name": function.name, "description": function.description, "parameters": parameters}
        found[function.name] = ShippedFunction(
            app=candidate.app_name,
            app_title=candidate.app_title,
            title=candidate.title,
            function=plain,
            changes=function.type == "mutation",
            examples=candidate.examples,
        )
    return found


@cache
def functions_of_app(app: str) -> tuple[dict[str, Any], ...]:
    """Return all functions of an app."""
    return tuple(each.function for each in shipped_functions().values() if each.app == app)
