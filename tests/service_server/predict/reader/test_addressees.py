"""Who a message goes to, where a function takes a list of objects with an address in each."""

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.service_server.predict.catalogue import function, text
from tests.service_server.predict.conftest import Fill

NOW = datetime(2026, 11, 26, 10, 0, tzinfo=UTC)
ADDRESS = text("The address it goes to.", format="email")


def listed(description: str) -> dict[str, Any]:
    """Return the schema of a list of objects that need an address."""
    properties = {"email": ADDRESS, "name": text("The name that goes with it.")}
    items = {"type": "object", "required": ["email"], "properties": properties}
    return {"type": "array", "description": description, "items": items}


COPIES = {
    "to": listed("Who it goes to."),
    "cc": listed("Who gets a copy that all see."),
    "bcc": listed("Who gets a copy that nobody sees."),
}
SENDER = {"type": "object", "required": ["email"], "properties": {"email": {**ADDRESS, "description": "Who sends."}}}


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("mail tom@oak.example that we are closed", {"to": ["tom@oak.example"]}),
        (
            "mail tom@oak.example and eva@elm.example that we are closed, cc boss@ash.example",
            {"to": ["tom@oak.example", "eva@elm.example"], "cc": ["boss@ash.example"]},
        ),
        (
            "mail tom@oak.example that we are closed, with a blind copy to eva@elm.example",
            {"to": ["tom@oak.example"], "bcc": ["eva@elm.example"]},
        ),
        ("mail from me@ash.example to tom@oak.example that we are closed", {"to": ["tom@oak.example"]}),
        ("tell everyone by mail that we are closed", {}),
    ],
)
def test_who_it_goes_to(fill: Fill, prompt: str, expected: dict[str, list[str]]) -> None:
    """Addresses go to the list that the words before them speak of, and the sender's to none."""
    properties = {**COPIES, "from": SENDER, "text": text("What it says.")}
    letter = function("acme-send-letter", "Send a message.", ("to", "from", "text"), **properties)

    found = fill(letter, prompt, NOW)

    lists = {name: found.arguments[name] for name in COPIES if name in found.arguments}
    assert {name: [{"email": each} for each in own] for name, own in expected.items()} == lists
    assert expected.keys() == lists.keys() & found.evidence.keys()


@pytest.mark.parametrize(
    ("verb", "required", "emails"), [("add", ("name",), [{"email": "tom@oak.example"}]), ("update", (), None)]
)
def test_a_list_that_exists_is_not_replaced(fill: Fill, verb: str, required: tuple[str, ...], emails: Any) -> None:
    """The address in "rename tom@oak.example" says who is meant; one of a new person is theirs."""
    name = {"add": "acme-create-person", "update": "acme-update-person"}[verb]
    properties = {"name": text("The full name."), "emails": listed("The addresses.")}
    person = function(name, "Send a message.", required, **properties)

    assert emails == fill(person, f"{verb} the person Tom Oak, tom@oak.example", NOW).arguments.get("emails")


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        (
            "send a letter to a@x.example, cc b@x.example, bcc c@x.example",
            {"to": ["a@x.example"], "cc": ["b@x.example"], "bcc": ["c@x.example"]},
        ),
        ("send a letter to a@x.example, copy to b@x.example", {"to": ["a@x.example"], "cc": ["b@x.example"]}),
        ("send a letter to a@x.example and put b@x.example in copy", {"to": ["a@x.example"], "cc": ["b@x.example"]}),
        (
            "send a letter to a@x.example and b@x.example on blind copy",
            {"to": ["a@x.example"], "bcc": ["b@x.example"]},
        ),
        ("send a copy of the letter to a@x.example", {"to": ["a@x.example"]}),
    ],
)
def test_copies_go_where_they_are_seen_or_not(fill: Fill, prompt: str, expected: dict[str, list[str]]) -> None:
    """In plain lists of addresses, too, what stands behind "bcc" isn't shown to others."""
    plain = {name: {**schema, "items": ADDRESS} for name, schema in COPIES.items()}
    letter = function("post-send-letter", "Send a message.", ("to",), **plain)

    assert expected == fill(letter, prompt, NOW).arguments
