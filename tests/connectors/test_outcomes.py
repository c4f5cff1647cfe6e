"""What the shipped connectors say of good answers: each title and link comes out of a sample, and of nothing less."""

import json
from typing import Any

import pytest

from service_client.models import Outcome
from service_server.answers.reading import Reading, read_answer
from service_server.catalog.document import read_document
from service_server.catalog.expressions import references_in
from service_server.catalog.load import SHIPPED
from service_server.catalog.outcome import is_page
from service_server.catalog.values import Connector, FunctionDefinition
from service_server.onward.values import OnwardRequest, OnwardResponse
from tests.connectors.building import connector_of
from tests.service_server.shipped import shipped_catalog

APPS = sorted(shipped_catalog().connectors)
WHOLE_ADDRESSES = {"instance_url", "api_domain", "server_url"}


def said(function: FunctionDefinition, connector: Connector, answer: Any, status: int = 200) -> Outcome | None:
    """What a function says of an answer, called with the arguments of its first example."""
    assert function.outcome is not None
    arguments = function.examples[0][1] if function.examples else {}
    variables = {name: "https://app.example" if name in WHOLE_ADDRESSES else "x1" for name in connector.variables}
    reading = Reading(
        picks=function.type == "query",
        picker=function.picker,
        error_rules=connector.error_rules,
        request=OnwardRequest("POST", "https://app.example"),
        outcome=function.outcome,
        given=function.outcome.given(arguments, variables),
    )
    body = b"" if answer is None else json.dumps(answer).encode()
    return read_answer(
        reading, OnwardResponse(status, {"content-type": "application/json"}, body, "https://app.example")
    ).outcome


def functions_with_an_outcome(app: str) -> list[str]:
    """The names of an app's functions that say what comes of them."""
    return [name for name, each in connector_of(app).functions.items() if each.outcome is not None]


def test_what_people_do_most_has_an_outcome() -> None:
    """Sending, creating and updating in the apps that people use most."""
    found = [len(functions_with_an_outcome(app)) for app in APPS]
    assert sum(found) >= 120
    assert sum(map(bool, found)) >= 30


@pytest.mark.parametrize("app", APPS)
def test_a_good_answer_has_a_title_and_a_link(app: str, subtests: pytest.Subtests) -> None:
    """By the sample everything comes out; of an answer that says no, or of less than was expected, nothing does."""
    for name in functions_with_an_outcome(app):
        with subtests.test(name):
            check_outcome(app, name)


def check_outcome(app: str, name: str) -> None:
    """Check one function."""
    connector = connector_of(app)
    function = connector.functions[name]
    declared = function.outcome
    assert declared is not None
    sample = read_document(SHIPPED / app / "functions" / f"{name.partition('-')[2]}.yaml").value["outcome"]["sample"]
    outcome = said(function, connector, sample)

    assert outcome is not None
    assert "${" not in outcome.title
    assert all(str(reference) not in outcome.title for reference in references_in(declared.title))
    assert (declared.link is not None) == (outcome.link is not None)
    assert outcome.link is None or is_page(outcome.link)
    expected_facts = {title for title, text in declared.facts.items() if "args." not in text}
    assert expected_facts <= {fact.title for fact in outcome.facts}
    for refusal in ({"ok": False, "error": "not_allowed"}, {"errors": [{"message": "no"}], "data": None}, [], "no"):
        assert said(function, connector, refusal) is None
    assert said(function, connector, sample, status=404) is None


def test_an_override_that_pagerduty_refuses_is_none() -> None:
    """PagerDuty says 201 to all overrides together, and of each one whether it was made."""
    connector = connector_of("pagerduty")
    function = connector.functions["pagerduty-create-schedule-override"]
    refused = {"status": 400, "errors": ["Override must end after its start"], "override": {"user": {"id": "P1"}}}

    assert said(function, connector, [refused], status=201) is None


def test_what_apps_refuse_in_a_200_is_none() -> None:
    """Beside what is wrong they may give the thing itself, as it was before."""
    account = {"code": "SUCCESS", "status": "success", "message": "record added", "details": {"id": "57"}}
    there = {**account, "code": "DUPLICATE_DATA", "status": "error", "message": "duplicate data"}
    product = {"productCreate": {"product": {"title": "Socks", "status": "DRAFT", "handle": "socks"}}}
    item = {"create_item": {"id": "11", "name": "Call", "url": "https://acme.monday.com/boards/1/pulses/11"}}
    user_errors = {"productCreate": {**product["productCreate"], "userErrors": [{"message": "Title is taken"}]}}
    cases = [
        ("shopify", "create-product", {"data": product}, {"data": user_errors}),
        ("zoho_crm", "create-account", {"data": [account]}, {"data": [there]}),
        ("monday", "create-item", {"data": item}, {"data": item, "errors": [{"message": "no such column"}]}),
    ]
    for app, name, good, refused in cases:
        connector = connector_of(app)
        function = connector.functions[f"{app}-{name}"]

        assert said(function, connector, good) is not None
        assert said(function, connector, refused) is None
