"""Files of functions for connectors that tests put together."""

from collections.abc import Mapping, Sequence
from typing import Any

from tests.service_server.catalog.connector_folder import minimal_function, parameter


def query(
    request: dict[str, Any],
    *texts: str,
    takes: Mapping[str, Any] | None = None,
    required: Sequence[str] = (),
    **keys: Any,
) -> dict[str, Any]:
    """Return a query that sends a request; it takes some texts by name, and other parameters by their schemas."""
    parameters = {"type": "object", "properties": {**{name: parameter() for name in texts}, **(takes or {})}}
    if required:
        parameters["required"] = list(required)
    return {**minimal_function(), "request": request, "parameters": parameters, **keys}


def mutation(request: dict[str, Any], *texts: str, **keys: Any) -> dict[str, Any]:
    """Return a mutation, whose parts are given as those of a query."""
    return query(request, *texts, **{"type": "mutation", **keys})
