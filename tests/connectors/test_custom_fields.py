"""How the connectors read an app's own description of its custom fields, from answers of the form that it documents."""

import json
from functools import cache
from typing import Any

import pytest

from service_server.catalog.load import SHIPPED, load_connector
from service_server.catalog.values import Connector
from tests.connectors.building import request_of

HUBSPOT = {
    "results": [
        {
            "name": "plan",
            "label": "Plan",
            "description": "What was bought",
            "groupName": "sales",
            "type": "enumeration",
            "fieldType": "select",
            "hidden": False,
            "modificationMetadata": {"readOnlyValue": False},
            "options": [
                {"label": "Gold", "value": "gold", "hidden": False},
                {"label": "Old", "value": "old", "hidden": True},
            ],
        },
        {
            "name": "topics",
            "label": "Topics",
            "type": "enumeration",
            "fieldType": "checkbox",
            "hidden": False,
            "modificationMetadata": {"readOnlyValue": False},
            "options": [{"label": "News", "value": "news", "hidden": False}],
        },
        {
            "name": "score",
            "label": "Score",
            "type": "number",
            "fieldType": "number",
            "hidden": False,
            "modificationMetadata": {"readOnlyValue": False},
            "options": [],
        },
        {
            "name": "createdate",
            "label": "Created",
            "type": "datetime",
            "fieldType": "date",
            "hidden": False,
            "modificationMetadata": {"readOnlyValue": True},
            "options": [],
        },
    ]
}
SALESFORCE = {
    "fields": [
        {
            "name": "LastName",
            "label": "Last Name",
            "type": "string",
            "createable": True,
            "nillable": False,
            "defaultedOnCreate": False,
            "picklistValues": [],
        },
        {
            "name": "Rating__c",
            "label": "Rating",
            "type": "picklist",
            "createable": True,
            "nillable": True,
            "defaultedOnCreate": False,
            "picklistValues": [
                {"active": True, "value": "hot", "label": "Hot"},
                {"active": False, "value": "cold", "label": "Cold"},
            ],
        },
        {
            "name": "Employees",
            "label": "Employees",
            "type": "int",
            "createable": True,
            "nillable": True,
            "defaultedOnCreate": False,
            "picklistValues": [],
        },
        {"name": "Id", "label": "Id", "type": "id", "createable": False, "nillable": False, "picklistValues": []},
    ]
}
PIPEDRIVE = {
    "data": [
        {"field_code": "title", "field_name": "Title", "field_type": "varchar", "is_custom_field": False},
        {
            "field_code": "a1",
            "field_name": "Plan",
            "field_type": "enum",
            "is_custom_field": True,
            "options": [{"id": 5, "label": "Gold"}],
        },
        {
            "field_code": "b2",
            "field_name": "Topics",
            "field_type": "set",
            "is_custom_field": True,
            "options": [{"id": 7, "label": "News"}],
        },
        {"field_code": "c3", "field_name": "Budget", "field_type": "monetary", "is_custom_field": True},
        {"field_code": "d4", "field_name": "Start", "field_type": "date", "is_custom_field": True, "options": None},
    ]
}
ZENDESK = {
    "ticket_fields": [
        {"id": 1, "title": "Subject", "type": "subject", "active": True, "removable": False},
        {
            "id": 360001,
            "title": "Plan",
            "type": "tagger",
            "active": True,
            "removable": True,
            "custom_field_options": [{"name": "Gold", "value": "gold"}],
        },
        {"id": 360002, "title": "Seats", "type": "integer", "active": True, "removable": True},
        {"id": 360003, "title": "Gone", "type": "text", "active": False, "removable": True},
    ]
}
INTERCOM = {
    "data": [
        {
            "name": "email",
            "label": "Email",
            "data_type": "string",
            "custom": False,
            "api_writable": True,
            "archived": False,
        },
        {
            "name": "plan",
            "label": "Plan",
            "data_type": "string",
            "custom": True,
            "api_writable": True,
            "archived": False,
            "options": ["gold", "silver"],
        },
        {"name": "seats", "label": "Seats", "data_type": "integer", "custom": True, "api_writable": True},
    ]
}
INTERCOM_TICKETS = {
    "ticket_type_attributes": {
        "data": [
            {
                "name": "_default_title_",
                "data_type": "string",
                "required_to_create": True,
                "archived": False,
                "input_options": {"multiline": False},
            },
            {
                "name": "_default_description_",
                "data_type": "string",
                "required_to_create": False,
                "archived": False,
                "input_options": {"multiline": True},
            },
        ]
    }
}
MAILCHIMP = {
    "merge_fields": [
        {"tag": "FNAME", "name": "First Name", "type": "text", "required": False, "options": {"size": 25}},
        {
            "tag": "PLAN",
            "name": "Plan",
            "type": "dropdown",
            "required": True,
            "options": {"choices": ["Gold", "Silver"]},
        },
        {"tag": "ADDRESS", "name": "Address", "type": "address", "required": False, "options": {}},
    ]
}
SENDGRID = {
    "custom_fields": [
        {"id": "e1_T", "name": "plan", "field_type": "Text"},
        {"id": "e2_N", "name": "seats", "field_type": "Number"},
    ]
}


@cache
def connector(name: str) -> Connector:
    """Load a shipped connector."""
    found, problems = load_connector(SHIPPED / name)
    assert [] == problems
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("app", "function", "answer", "expected"),
    [
        (
            "hubspot",
            "list-properties",
            HUBSPOT,
            [("plan", "string", ["gold"]), ("topics", "string", []), ("score", "number", [])],
        ),
        (
            "salesforce",
            "list-fields",
            SALESFORCE,
            [("LastName", "string", []), ("Rating__c", "string", ["hot"]), ("Employees", "integer", [])],
        ),
        (
            "pipedrive",
            "list-deal-fields",
            PIPEDRIVE,
            [("a1", "integer", [5]), ("b2", "array", [7]), ("c3", "object", []), ("d4", "date", [])],
        ),
        (
            "pipedrive",
            "list-person-fields",
            PIPEDRIVE,
            [("a1", "integer", [5]), ("b2", "array", [7]), ("c3", "object", []), ("d4", "date", [])],
        ),
        ("zendesk", "list-ticket-fields", ZENDESK, [("360001", "string", ["gold"]), ("360002", "integer", [])]),
        ("intercom", "list-attributes", INTERCOM, [("plan", "string", ["gold", "silver"]), ("seats", "integer", [])]),
        (
            "intercom",
            "list-ticket-attributes",
            INTERCOM_TICKETS,
            [("_default_title_", "string", []), ("_default_description_", "textarea", [])],
        ),
        (
            "mailchimp",
            "list-merge-fields",
            MAILCHIMP,
            [("FNAME", "string", []), ("PLAN", "string", ["Gold", "Silver"]), ("ADDRESS", "object", [])],
        ),
        ("sendgrid", "list-contact-fields", SENDGRID, [("e1_T", "string", []), ("e2_N", "number", [])]),
    ],
)
def test_fields_have_their_types_and_options(
    app: str, function: str, answer: Any, expected: list[tuple[str, str, list[Any]]]
) -> None:
    """Fields that can be filled in come with a type that forms know, and with the options that can be chosen."""
    picker = connector(app).functions[f"{app}-{function}"].picker
    assert picker is not None
    rows = picker(answer)

    assert expected == [(row["key"], row["type"], [value_of(each) for each in row.get("options", ())]) for row in rows]


def value_of(option: Any) -> Any:
    """Return what is sent for an option."""
    return option["value"] if isinstance(option, dict) else option


@pytest.mark.parametrize(
    ("app", "function", "answer", "required"),
    [
        ("salesforce", "list-fields", SALESFORCE, {"LastName"}),
        ("intercom", "list-ticket-attributes", INTERCOM_TICKETS, {"_default_title_"}),
        ("mailchimp", "list-merge-fields", MAILCHIMP, {"PLAN"}),
    ],
)
def test_required_fields_are_known(app: str, function: str, answer: Any, required: set[str]) -> None:
    """Where an app tells which fields it insists on, forms learn it."""
    picker = connector(app).functions[f"{app}-{function}"].picker
    assert picker is not None

    assert required == {row["key"] for row in picker(answer) if row["required"]}


def sent(app: str, function: str, **arguments: Any) -> Any:
    """Return the body that a function sends."""
    return json.loads(request_of(connector(app), connector(app).functions[f"{app}-{function}"], arguments).body)


def test_zendesk_takes_custom_fields_as_pairs() -> None:
    """Fields by their numbers become the list that Zendesk takes; without any nothing is sent of them."""
    changed = sent("zendesk", "update-ticket", ticket_id=35, custom_fields={"360001": "gold", "360002": 7})
    solved = sent("zendesk", "update-ticket", ticket_id=35, status="solved")

    assert [{"id": 360001, "value": "gold"}, {"id": 360002, "value": 7}] == changed["ticket"]["custom_fields"]
    assert {"ticket": {"status": "solved"}} == solved


def test_fields_never_replace_what_the_function_names() -> None:
    """A field given twice is sent as the function's own parameter says."""
    body = sent(
        "salesforce",
        "create-lead",
        last_name="Silva",
        company="Globex",
        fields={"LastName": "Other", "Rating__c": "hot"},
    )

    assert {"LastName": "Silva", "Company": "Globex", "Rating__c": "hot"} == body
