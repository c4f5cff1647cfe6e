"""Which roots an expression may use where: the one table that the checks and the reference go by."""

from collections.abc import Mapping
from typing import Final

ROOTS_AT: Final[Mapping[str, frozenset[str]]] = {
    "base_url": frozenset({"vars"}),
    "headers": frozenset({"vars"}),
    "test": frozenset({"creds", "vars"}),
    "auth[].base_url": frozenset({"vars"}),
    "auth[].test": frozenset({"creds", "vars"}),
    "auth[].then.request": frozenset({"creds", "vars"}),
    "account": frozenset({"creds", "test", "token", "vars"}),
    "auth[].authorize_url": frozenset({"vars"}),
    "auth[].token_url": frozenset({"vars"}),
    "auth[].revoke_url": frozenset({"vars"}),
    "auth[].issuer": frozenset({"vars"}),
    "auth[].scopes.default": frozenset({"vars"}),
    "auth[].authorize_parameters": frozenset(),
    "auth[].token_parameters": frozenset(),
    "auth[].token_parameters of oauth2_client_credentials": frozenset({"vars"}),
    "auth[].inject of api_key": frozenset({"creds", "vars"}),
    "auth[].inject of oauth2_code": frozenset({"token", "vars"}),
    "auth[].inject of oauth2_client_credentials": frozenset({"creds", "token", "vars"}),
    "auth[].inject of jwt": frozenset({"creds", "token", "vars"}),
    "auth[].inject of token_exchange": frozenset({"creds", "token", "vars"}),
    "auth[].username": frozenset({"creds", "vars"}),
    "auth[].password": frozenset({"creds", "vars"}),
    "auth[].key": frozenset({"creds", "vars"}),
    "auth[].header": frozenset({"creds", "vars"}),
    "auth[].claims": frozenset({"creds", "vars"}),
    "auth[].login": frozenset({"creds", "vars"}),
    "auth[].refresh.request": frozenset({"creds", "token", "vars"}),
    "auth[].logout": frozenset({"creds", "token", "vars"}),
    "request": frozenset({"args", "before", "lookup", "prepared", "vars"}),
    "lookup.request": frozenset({"args", "vars"}),
    "before[].request": frozenset({"args", "before", "vars"}),
    "outcome": frozenset({"args", "output", "vars"}),
    "x-source.args": frozenset({"args"}),
    "x-fields.args": frozenset({"args"}),
}
"""By the place in the files. Anywhere else a text stands for itself."""
