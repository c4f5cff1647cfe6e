"""The `next_page` cursor: opaque, and good only for the same user, function, account and arguments."""

import hashlib
import json
from typing import Any

from service_client.models import Code
from service_server.errors import refused
from service_server.invoke.invocation import CallRequest
from service_server.store import Account
from service_server.vault import Unsealable, Vault

_PURPOSE = "next_page"


def seal_next_page(
    vault: Vault, position: Any, request: CallRequest, account: Account, arguments: dict[str, Any]
) -> str:
    """The cursor for the page at a position."""
    return vault.seal(position, _PURPOSE, *_owner(request, account, arguments))


def open_next_page(vault: Vault, cursor: str, request: CallRequest, account: Account, arguments: dict[str, Any]) -> Any:
    """The position that a cursor stands for; a cursor that is forged or was made for another call is refused."""
    try:
        return vault.open(cursor, _PURPOSE, *_owner(request, account, arguments))
    except Unsealable:
        raise refused(
            Code.BAD_CURSOR,
            "next_page is not a cursor of this function with these arguments and this account.",
            field="next_page",
        ) from None


def _owner(request: CallRequest, account: Account, arguments: dict[str, Any]) -> tuple[str | int, ...]:
    function = request.function.name
    return (request.application_id, request.user_id, function, account.id, arguments_hash(arguments))


def arguments_hash(arguments: Any) -> str:
    """The same text for the same arguments, whatever the order of their keys."""
    return hashlib.sha256(json.dumps(arguments, sort_keys=True).encode()).hexdigest()
