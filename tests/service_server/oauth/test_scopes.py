"""What an account has been granted, read as providers write it, and what is asked for in its place."""

from typing import Any

import attrs
import pytest

from service_server.catalog.auth import OAuth2Code
from service_server.catalog.auth_parts import Scopes
from service_server.catalog.load import SHIPPED, load_connector
from service_server.catalog.values import FunctionDefinition
from service_server.oauth.refresh import renewed_secrets
from service_server.oauth.scopes import granted_scopes, missing_scopes, scopes_to_ask_for, with_granted
from service_server.oauth.secrets_of_account import Secrets
from service_server.oauth.token_answer import TokenAnswer
from tests.service_server.calls.clerk import clerk


@pytest.fixture(scope="module")
def auth() -> OAuth2Code:
    """A way to sign in whose usual scope is `tickets:read`."""
    connector, _ = load_connector(SHIPPED / "sandbox")
    method = connector.auth_method("oauth")
    assert isinstance(method, OAuth2Code)
    return method


@pytest.fixture(scope="module")
def functions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, FunctionDefinition]:
    """Functions with scopes, by their short names."""
    connector, problems = load_connector(clerk().write(tmp_path_factory.mktemp("clerk"), "clerk"))
    assert [] == problems
    return {name.partition("-")[2]: function for name, function in connector.functions.items()}


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        ({"scope": "a b"}, ("a", "b")),
        ({"scope": "a,b, c"}, ("a", "b", "c")),
        ({"scope": ["a", "b", 7]}, ("a", "b")),
        ({"scope": "b a b"}, ("b", "a")),
        ({"scope": " "}, None),
        ({"scope": 7}, None),
        ({}, None),
    ],
)
def test_what_providers_answer(auth: OAuth2Code, token: dict[str, Any], expected: tuple[str, ...] | None) -> None:
    """Blanks, commas and lists are read; whoever says nothing has not said what was granted."""
    assert expected == granted_scopes(auth, token)


def test_silence_means_all_that_was_asked(auth: OAuth2Code) -> None:
    """A first answer without a scope granted what was asked for (RFC 6749, 5.1); one with a scope stands."""
    assert ("a", "b") == granted_scopes(auth, with_granted(auth, {"access_token": "x"}, ["a", "b"]))
    assert ("a",) == granted_scopes(auth, with_granted(auth, {"scope": "a"}, ["a", "b"]))
    assert {"access_token": "x"} == with_granted(auth, {"access_token": "x"}, [])


def test_a_refresh_may_narrow(auth: OAuth2Code) -> None:
    """What a refresh says was granted counts from then on; where it says nothing, everything stays."""
    kept = Secrets(token={"access_token": "1", "scope": "a b"})
    silent = renewed_secrets(kept, TokenAnswer({"access_token": "2"}, None), 0.0)
    narrowed = renewed_secrets(silent, TokenAnswer({"access_token": "3", "scope": "a"}, None), 0.0)

    assert ("a", "b") == granted_scopes(auth, silent.token)
    assert ("a",) == granted_scopes(auth, narrowed.token)


@pytest.mark.parametrize(
    ("name", "granted", "missing"),
    [
        ("create-ticket", ("tickets:read",), ("tickets:write",)),
        ("create-ticket", ("tickets:read", "tickets:write"), ()),
        ("create-ticket", ("https://tickets.example/auth/Tickets:Write",), ()),
        ("create-ticket", None, ()),
        ("list-labels", ("tickets:read",), ()),
        ("list-labels", ("other",), ("tickets:admin",)),
        ("list-names", (), ()),
    ],
)
def test_what_is_missing(
    functions: dict[str, FunctionDefinition], name: str, granted: tuple[str, ...] | None, missing: tuple[str, ...]
) -> None:
    """Of alternatives one is enough and the first is named; scopes that nobody told are never missing."""
    assert missing == missing_scopes(functions[name], granted)


def test_what_is_asked_for(auth: OAuth2Code, functions: dict[str, FunctionDefinition]) -> None:
    """The usual scopes, what is granted of those that functions name, and what the wanted ones lack; each once."""
    little = attrs.evolve(auth, scopes=Scopes(default=("tickets:read",)))
    create, every = [functions["create-ticket"]], functions.values()
    both = ("tickets:read", "tickets:write")

    assert ("tickets:read",) == scopes_to_ask_for(little, (), (), every)
    assert both == scopes_to_ask_for(little, (), [*create, functions["list-labels"]], every)
    assert both == scopes_to_ask_for(little, ("tickets:write", "identify"), (), every)
    assert both == scopes_to_ask_for(little, ("https://tickets.example/tickets:write",), create, every)
