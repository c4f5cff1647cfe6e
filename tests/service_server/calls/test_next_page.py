"""The cursor of a call's next page: good for the same user, function, account and arguments."""

from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from service_client.models import Code
from service_server.errors import ServiceError
from service_server.invoke.next_page import arguments_hash, open_next_page, seal_next_page
from service_server.vault import Vault, new_keys
from tests.service_server.calls.callers import account_of, request_of
from tests.service_server.calls.scripted_calls import written

VAULT = Vault(new_keys())
POSITION = {"cursor": "a", "page": 2}
ARGUMENTS: dict[str, Any] = {"a": 1, "b": {"c": 2, "d": "é"}}
OWNER = (1, "ann", "acme-find", 3, arguments_hash(ARGUMENTS))


def test_a_cursor_is_good_for_its_call_only(tmp_path: Path) -> None:
    """Another application's, user's, function's, account's or argument's cursor is refused, and what was never one."""
    call, ann = request_of(written(tmp_path), "acme-find"), account_of()
    cursor = seal_next_page(VAULT, POSITION, call, ann, ARGUMENTS)

    assert POSITION == open_next_page(VAULT, cursor, call, ann, {"b": {"d": "é", "c": 2}, "a": 1})
    assert "page" not in cursor
    for attempt in [
        (cursor, evolve(call, application_id=2), ann, ARGUMENTS),
        (cursor, evolve(call, user_id="bob"), ann, ARGUMENTS),
        (cursor, evolve(call, function=call.connector.functions["acme-fields"]), ann, ARGUMENTS),
        (cursor, call, account_of(4), ARGUMENTS),
        (cursor, call, ann, ARGUMENTS | {"a": "1"}),
        (cursor, call, ann, {}),
        (VAULT.seal(POSITION, "cursor", *OWNER), call, ann, ARGUMENTS),
        ("x", call, ann, ARGUMENTS),
    ]:
        with pytest.raises(ServiceError) as caught:
            open_next_page(VAULT, *attempt)
        refusal = caught.value.status, caught.value.code, caught.value.details[0].field
        assert (400, Code.BAD_CURSOR, "next_page") == refusal


def test_cursors_outlive_an_update(tmp_path: Path) -> None:
    """What a cursor is bound to is written the same by every version, so that an update refuses no cursor."""
    cursor = VAULT.seal(POSITION, "next_page", *OWNER)
    call = request_of(written(tmp_path), "acme-find")

    assert POSITION == open_next_page(VAULT, cursor, call, account_of(), ARGUMENTS)
    assert "d73913ef" == arguments_hash({"b": 1, "a": "é"})[:8]
