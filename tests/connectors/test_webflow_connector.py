"""Items of Webflow's CMS, as the connector sends them, and the fields that it shows for them."""

import json
from typing import Any

import pytest

from tests.connectors.building import connector_of, request_of


def fields_of(function: str, **arguments: Any) -> Any:
    """Return the fields of the item that a function sends."""
    connector = connector_of("webflow")
    body = request_of(connector, connector.functions[f"webflow-{function}"], arguments).body
    return json.loads(body)["fieldData"]


@pytest.mark.parametrize(
    ("name", "expected"), [("Summer sale!", "summer-sale"), ("Café Ölmühle", "cafe-olmuhle"), ("  A  &  B ", "a-b")]
)
def test_a_new_item_has_a_name_for_its_address(name: str, expected: str) -> None:
    """It is made of the item's name, in small letters, digits and hyphens."""
    assert expected == fields_of("create-item", collection="c1", name=name)["slug"]


def test_a_given_name_for_the_address_counts() -> None:
    """What somebody gives is sent as it is; a name without any letter of the alphabet is left to Webflow."""
    assert "sale" == fields_of("create-item", collection="c1", name="Summer sale", slug="sale")["slug"]
    assert {"name": "夏"} == fields_of("create-item", collection="c1", name="夏")


def test_other_fields_stand_beside_the_name() -> None:
    """The values of the collection's own fields are sent by their keys."""
    sent = fields_of("create-item", collection="c1", name="Sale", fields={"price": 9, "name": "no"})

    assert {"name": "Sale", "slug": "sale", "price": 9} == sent


def test_fields_are_shown_with_their_types_and_options() -> None:
    """Fields that people can't fill in aren't shown; a choice has its options by their names."""
    picker = connector_of("webflow").functions["webflow-list-fields"].picker
    assert picker is not None
    shown = picker(
        {
            "fields": [
                {"slug": "name", "displayName": "Name", "type": "PlainText", "isRequired": True},
                {"slug": "on", "displayName": "On", "type": "Switch", "isRequired": False},
                {"slug": "made", "displayName": "Made", "type": "DateTime", "isRequired": False, "isEditable": False},
                {
                    "slug": "size",
                    "displayName": "Size",
                    "type": "Option",
                    "isRequired": True,
                    "validations": {"options": [{"id": "o1", "name": "Small"}]},
                },
            ]
        }
    )

    assert [("on", "boolean", []), ("size", "string", [{"value": "o1", "label": "Small"}])] == [
        (each["key"], each["type"], each["options"]) for each in shown
    ]
