"""What Zoho CRM makes of arguments and answers."""

import json
from typing import Any

from tests.connectors.building import connector_of, request_of

_FIELDS = [
    {"api_name": "Last_Name", "field_label": "Last Name", "data_type": "text", "system_mandatory": True},
    {"api_name": "Owner", "field_label": "Owner", "data_type": "ownerlookup"},
    {"api_name": "id", "field_label": "Id", "data_type": "bigint", "read_only": True},
    {"api_name": "Interests", "field_label": "Interests", "data_type": "multiselectpicklist"}
    | {"pick_list_values": [{"actual_value": "Tea", "display_value": "Tea!"}]},
]


def read(function: str, answer: Any) -> Any:
    """Return what a function makes of an answer."""
    return connector_of("zoho_crm").functions[f"zoho_crm-{function}"].pick(answer)


def test_fields_can_be_filled_in() -> None:
    """What can't be written, and links to other records, are left out; choices are the values that Zoho takes."""
    fields = read("list-fields", {"fields": _FIELDS})

    assert ["Last_Name", "Interests"] == [each["api_name"] for each in fields]
    assert ("multiselect", ["Tea"]) == (fields[1]["type"], fields[1]["options"])


def test_every_record_has_a_name() -> None:
    """A record is shown by the name that those of its module have, else by its id."""
    records = [{"id": "1", "Full_Name": "Ada"}, {"id": "2", "Deal_Name": "Printers", "Account_Name": {"name": "Acme"}}]
    listed = read("list-records", {"data": [*records, {"id": "3"}]})

    assert ["Ada", "Printers", "3"] == [each["label"] for each in listed]


def test_a_lead_is_converted_without_a_deal() -> None:
    """Zoho wants an object also where nothing is to be said, and takes no deal without a name."""
    connector = connector_of("zoho_crm")
    request = request_of(connector, connector.functions["zoho_crm-convert-lead"], {"lead": "1"})

    assert {"data": [{}]} == json.loads(request.body)
