"""The cursor of a call's next page: good for the same user, function, account and arguments."""

from typing import Any

import pytest
from attrs import evolve

from service_client.models import Code
from service_server.errors import ServiceError
from service_server.invoke import CallRequest
from service_server.invoke.next_page import arguments_hash, open_next_page, seal_next_page
from service_server.store import Account
from service_server.vault import Vault, new_keys
from tests.service_server.calls.callers import account_of, request_of
from tests.service_server.calls.scripted_calls import written

VAULT = Vault(new_keys())
POSITION = {"cursor": "a", "page": 2}


@pytest.fixture(scope="module")
def request_of_ann(tmp_path_factory: pytest.TempPathFactory) -> CallRequest:
    """A call of a function that has pages."""
    return request_of(written(tmp_path_factory.mktemp("connectors")), "acme-find")


def test_a_cursor_stands_for_a_position(request_of_ann: CallRequest) -> None:
    """What is opened is what was sealed, whatever the order of the arguments; nobody can read it in the cursor."""
    cursor = seal_next_page(VAULT, POSITION, request_of_ann, account_of(), {"a": 1, "b": {"c": 2, "d": 3}})

    assert POSITION == open_next_page(VAULT, cursor, request_of_ann, account_of(), {"b": {"d": 3, "c": 2}, "a": 1})
    assert "page" not in cursor


def test_a_cursor_is_good_for_its_call_only(request_of_ann: CallRequest) -> None:
    """Another application's, user's, function's, account's or argument's cursor is refused, and what was never one."""
    cursor = seal_next_page(VAULT, POSITION, request_of_ann, account_of(), {"a": 1})
    other_function = request_of_ann.connector.functions["acme-fields"]
    owner = (1, "ann", "acme-find", 3, arguments_hash({"a": 1}))
    given: list[tuple[str, CallRequest, Account, dict[str, Any]]] = [
        (cursor, evolve(request_of_ann, application_id=2), account_of(), {"a": 1}),
        (cursor, evolve(request_of_ann, user_id="bob"), account_of(), {"a": 1}),
        (cursor, evolve(request_of_ann, function=other_function), account_of(), {"a": 1}),
        (cursor, request_of_ann, account_of(4), {"a": 1}),
        (cursor, request_of_ann, account_of(), {"a": "1"}),
        (cursor, request_of_ann, account_of(), {}),
        (VAULT.seal(POSITION, "cursor", *owner), request_of_ann, account_of(), {"a": 1}),
        ("x", request_of_ann, account_of(), {"a": 1}),
    ]

    for attempt in given:
        with pytest.raises(ServiceError) as caught:
            open_next_page(VAULT, *attempt)

        refusal = caught.value.status, caught.value.code, caught.value.details[0].field
        assert (400, Code.BAD_CURSOR, "next_page") == refusal


def test_cursors_outlive_an_update(request_of_ann: CallRequest) -> None:
    """What a cursor is bound to is written the same by every version, so that an update refuses no cursor."""
    owner = (1, "ann", "acme-find", 3, arguments_hash({"b": 1, "a": "é"}))
    cursor = VAULT.seal(POSITION, "next_page", *owner)

    assert POSITION == open_next_page(VAULT, cursor, request_of_ann, account_of(), {"a": "é", "b": 1})
    assert "d73913ef" == arguments_hash({"b": 1, "a": "é"})[:8]
