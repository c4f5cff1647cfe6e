"""Variables that come from a token answer, for example the address of the account's own server."""

from collections.abc import Mapping
from typing import Any

from service_server.catalog.expressions import ABSENT, parse_path
from service_server.catalog.values import Connector


def captured_variables(connector: Connector, token: Mapping[str, Any]) -> dict[str, str]:
    """Return the variables that a token answer sets; those it lacks or that have no valid form are left out."""
    captured = {}
    for name, variable in connector.variables.items():
        if variable.set_by != "token" or variable.token_path is None:
            continue
        value = parse_path(f"token.{variable.token_path}").find({"token": token})
        if value is not ABSENT and isinstance(value, str | int) and variable.problem(str(value)) is None:
            captured[name] = str(value)
    return captured
