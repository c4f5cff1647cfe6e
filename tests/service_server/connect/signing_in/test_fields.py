"""What users type in or copy: what stands around a value is taken off, and what can't be one is told."""

from pathlib import Path

import pytest

from service_server.catalog.load import load_connector
from service_server.catalog.values import Connector
from service_server.connect.signing_in.fields import form_fields, read_filled_fields
from tests.service_server.catalog.connector_folder import ConnectorFolder
from tests.service_server.shipped import shipped_catalog

SHOP = {
    "title": "Shop",
    "set_by": "user",
    "pattern": "[a-z0-9-]+",
    "example": "acme",
    "prefix": "https://",
    "suffix": ".shops.example",
}


@pytest.fixture
def shops(tmp_path: Path) -> Connector:
    """An app whose accounts are each at a host of their own."""
    folder = ConnectorFolder()
    folder.connector.update(vars={"shop": SHOP}, base_url="https://${vars.shop}.shops.example/api")
    connector, problems = load_connector(folder.write(tmp_path))
    assert [] == problems
    return connector


@pytest.mark.parametrize(
    "typed",
    ["acme", " acme ", "acme.shops.example", "https://acme.shops.example", "https://acme.shops.example/admin?a=b"],
)
def test_what_was_copied_around_a_part_of_an_address_is_taken_off(shops: Connector, typed: str) -> None:
    """However much of the address was copied, the value is the part that differs."""
    filled = read_filled_fields(shops, shops.auth[0], {"variable.shop": typed})

    assert ({"shop": "acme"}, {}) == (filled.variables, filled.problems)
    assert "https://acme.shops.example/api" == shops.base_url({"vars": filled.variables})


@pytest.mark.parametrize("typed", ["", "https://", ".shops.example", "a/b", "acme@evil.example", "acme.evil.example#"])
def test_any_other_address_is_refused(shops: Connector, typed: str) -> None:
    """What is left has to have the form of the value, since it decides where requests go."""
    assert {"variable.shop"} == set(read_filled_fields(shops, shops.auth[0], {"variable.shop": typed}).problems)


def test_the_page_shows_what_stands_around_it(shops: Connector) -> None:
    """The field carries both parts, and no pattern that a copied address would break in the browser."""
    (field,) = form_fields(shops, shops.auth, {}, {})

    assert ("https://", ".shops.example", None) == (field.prefix, field.suffix, field.pattern)


def test_addresses_are_whole(tmp_path: Path) -> None:
    """A variable that is a whole address has nothing around it."""
    folder = ConnectorFolder()
    folder.connector["vars"] = {"site": {"title": "Site", "set_by": "user", "format": "uri", "suffix": "/api"}}
    _, problems = load_connector(folder.write(tmp_path))

    assert ["vars.site.suffix"] == [problem.key for problem in problems]


@pytest.mark.parametrize(
    ("typed", "wrong_at"),
    [("\u200bkey\ufeff", None), ("\u00a0k\u200bey\u2003\n", None), ("key\u00e9", 4), ("\u201ckey\u201d", 1)],
)
def test_characters_that_no_key_has(typed: str, wrong_at: int | None) -> None:
    """What copying leaves around and in a key is taken off; what no header can hold is told."""
    sandbox = shipped_catalog().connectors["sandbox"]
    filled = read_filled_fields(sandbox, sandbox.auth_method("key"), {"field.api_key": typed})

    if wrong_at is None:
        assert ({"api_key": "key"}, {}) == (filled.creds, filled.problems)
    else:
        said = f"API key has a character that can't be in it (character {wrong_at})"
        assert said in filled.problems["field.api_key"]
