"""What Dynamics 365 makes of arguments and answers, and where people sign in."""

import json
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from service_server.catalog.auth import ClientCredentials, OAuth2Code
from service_server.catalog.hooks import reshaped
from service_server.oauth.authorization import authorization_request
from service_server.oauth.token_request import client_credentials_request
from tests.connectors.building import connector_of, prior_requests_of, request_of

_ID = "475b158c-541c-e511-80d3-3863bb347ba8"
_VARIABLES = {"organization": "acme.crm4", "tenant": "7f0bd6b1-2c3e-4a5d-9e8f-0a1b2c3d4e5f"}


def query_of(function: str, **arguments: Any) -> dict[str, str]:
    """Return the query that a function sends."""
    connector = connector_of("dynamics_365")
    request = request_of(connector, connector.functions[f"dynamics_365-{function}"], arguments)
    return {name: value for name, (value,) in parse_qs(urlsplit(request.url).query).items()}


def body_of(function: str, **arguments: Any) -> Any:
    """Return the body that a function sends."""
    connector = connector_of("dynamics_365")
    return json.loads(request_of(connector, connector.functions[f"dynamics_365-{function}"], arguments).body)


def read(function: str, answer: Any) -> Any:
    """Return what a function makes of an answer."""
    return connector_of("dynamics_365").functions[f"dynamics_365-{function}"].pick(answer)


def test_people_sign_in_for_their_own_organization() -> None:
    """Microsoft gives tokens for one environment, which the scope names; a service's token is asked for likewise."""
    person, service = connector_of("dynamics_365").auth
    assert isinstance(person, OAuth2Code)
    assert isinstance(service, ClientCredentials)
    page = authorization_request(person, {"vars": _VARIABLES}, "id", "https://service.test/oauth/callback")
    context = {"vars": _VARIABLES, "creds": {"client_id": "a", "client_secret": "b"}}
    request = client_credentials_request(service, context)

    scopes = parse_qs(urlsplit(page.url).query)["scope"]
    assert ["offline_access https://acme.crm4.dynamics.com/user_impersonation"] == scopes
    assert ["https://acme.crm4.dynamics.com/.default"] == parse_qs(request.body.decode())["scope"]
    assert f"https://login.microsoftonline.com/{_VARIABLES['tenant']}/oauth2/v2.0/token" == request.url


@pytest.mark.parametrize(
    ("function", "arguments", "expected"),
    [
        ("list-accounts", {}, None),
        ("list-accounts", {"search": "O'Brien"}, "(contains(name,'O''Brien'))"),
        ("list-leads", {}, "statecode eq 0"),
        ("list-leads", {"all": True}, None),
        (
            "list-opportunities",
            {"status": "won", "account": _ID},
            f"statecode eq 1 and _parentaccountid_value eq {_ID}",
        ),
        (
            "list-tasks",
            {"search": "call", "due_before": "2026-12-01T00:00:00Z"},
            "(contains(subject,'call')) and statecode eq 0 and scheduledend le 2026-12-01T00:00:00Z",
        ),
        ("list-records", {"table": "product"}, None),
        ("list-records", {"table": "product", "search": "a'b"}, "contains(1,'a''b')"),
    ],
)
def test_conditions(function: str, arguments: dict[str, Any], expected: str | None) -> None:
    """All conditions have to hold, a quotation mark in a text is doubled, and without a condition none is sent."""
    assert expected == query_of(function, **arguments).get("$filter")


def test_notes_and_tasks_are_about_records() -> None:
    """What something is about is linked under a name of its own for each kind of record."""
    note = body_of("add-note", table="lead", record=_ID, text="Hi")
    task = body_of("create-task", subject="Call", table="opportunity", record=_ID)

    assert {"notetext": "Hi", "objectid_lead@odata.bind": f"/leads({_ID})"} == note
    assert {"subject": "Call", "regardingobjectid_opportunity_task@odata.bind": f"/opportunities({_ID})"} == task
    assert {"subject": "Call"} == body_of("create-task", subject="Call")


def test_links_are_left_out() -> None:
    """Where nobody names a company or a person, nothing is linked."""
    assert {"name": "Printers"} == body_of("create-opportunity", name="Printers")


def test_the_set_of_a_table_is_asked_for() -> None:
    """What a table's records are found under, Dataverse knows: it isn't always the name with an s."""
    connector = connector_of("dynamics_365")
    function = connector.functions["dynamics_365-delete-record"]
    (prior,) = prior_requests_of(connector, function, {"table": "opportunity", "record": _ID})

    assert unquote(prior.url).endswith("/EntityDefinitions(LogicalName='opportunity')?$select=EntitySetName")


def test_records_of_any_table_have_an_id_and_a_name() -> None:
    """Whatever a table calls them, what looks like an id is the id, and the other text is the name."""
    rows = [{"@odata.etag": 'W/"1"', "productid": _ID, "name": "Toner"}, {"name": None, "productid": _ID}]
    reshape = connector_of("dynamics_365").functions["dynamics_365-list-records"].reshape
    assert reshape is not None
    found = reshaped(reshape, {"value": rows, "@odata.nextLink": "n"})

    assert [(_ID, "Toner"), (_ID, _ID)] == [(each["id"], each["label"]) for each in found["value"]]
    assert "n" == found["@odata.nextLink"]


def test_fields_can_be_filled_in() -> None:
    """Plain values that may be written are fields; links, choices and what belongs to another field are left out."""
    label = {"UserLocalizedLabel": {"Label": "Name"}}
    field = {"LogicalName": "name", "DisplayName": label, "AttributeType": "String", "IsValidForUpdate": True}
    field |= {"RequiredLevel": {"Value": "ApplicationRequired"}, "AttributeOf": None}
    others = [
        {**field, "AttributeType": "Lookup"},
        {**field, "AttributeOf": "ownerid"},
        {**field, "IsValidForUpdate": False},
        {**field, "LogicalName": "revenue", "AttributeType": "Money", "RequiredLevel": {"Value": "None"}},
        {**field, "LogicalName": "description", "AttributeType": "Memo"},
    ]
    fields = read("list-fields", {"value": [field, *others]})

    assert {"key": "name", "title": "Name", "required": True, "type": "String"} == fields[0]
    assert [("name", "String"), ("revenue", "number"), ("description", "textarea")] == [
        (each["key"], each["type"]) for each in fields
    ]


def test_choices_have_labels() -> None:
    """The options of a field are numbers, shown in the language of the user."""
    option = {"Value": 6, "Label": {"UserLocalizedLabel": {"Label": "Consulting"}}}

    assert [{"value": 6, "label": "Consulting"}] == read("list-choices", {"OptionSet": {"Options": [option]}})
