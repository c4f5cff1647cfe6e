"""Who a message goes to, where a function takes a list of objects with an address in each."""

from datetime import UTC, datetime
from typing import Any

import pytest

from service_client.models import Function, Parameters
from service_server.predict.reader.arguments import ReaderFiller
from service_server.predict.reader.reader import Reader
from service_server.predict.reading import read

NOW = datetime(2026, 11, 26, 10, 0, tzinfo=UTC)
ADDRESS = {"type": "string", "format": "email", "description": "The address it goes to."}


def listed(description: str) -> dict[str, Any]:
    """Return the schema of a list of objects that need an address."""
    items = {
        "type": "object",
        "required": ["email"],
        "properties": {"email": ADDRESS, "name": {"type": "string", "description": "The name that goes with it."}},
    }
    return {"type": "array", "description": description, "items": items}


LETTER = {
    "to": listed("Who it goes to."),
    "cc": listed("Who gets a copy that all see."),
    "bcc": listed("Who gets a copy that nobody sees."),
    "from": {
        "type": "object",
        "required": ["email"],
        "properties": {"email": {**ADDRESS, "description": "Who sends."}},
    },
    "text": {"type": "string", "description": "What it says."},
}


def function(name: str, required: tuple[str, ...], properties: dict[str, Any]) -> Function:
    """Return a function that changes something."""
    parameters = Parameters(properties=properties, required=required)
    return Function(name=name, description="Send a message.", parameters=parameters, type="mutation")


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
def test_who_it_goes_to(installed_reader: Reader, prompt: str, expected: dict[str, list[str]]) -> None:
    """Addresses go to the list that the words before them speak of, and the sender's to none."""
    filler = ReaderFiller(function("acme-send-letter", ("to", "from", "text"), LETTER), installed_reader)

    found = filler.fill(read(prompt, NOW), NOW)

    lists = {name: found.arguments[name] for name in ("to", "cc", "bcc") if name in found.arguments}
    assert {name: [{"email": each} for each in own] for name, own in expected.items()} == lists
    assert expected.keys() == lists.keys() & found.evidence.keys()


def test_a_list_that_exists_is_not_replaced(installed_reader: Reader) -> None:
    """The address in "rename tom@oak.example" says who is meant; one of a new person is theirs."""
    properties = {"name": {"type": "string", "description": "The full name."}, "emails": listed("The addresses.")}
    create = function("acme-create-person", ("name",), properties)
    update = function("acme-update-person", (), properties)
    prompt = "the person Tom Oak, tom@oak.example"

    assert [{"email": "tom@oak.example"}] == ReaderFiller(create, installed_reader).fill(
        read(f"add {prompt}", NOW), NOW
    ).arguments.get("emails")
    assert "emails" not in ReaderFiller(update, installed_reader).fill(read(f"update {prompt}", NOW), NOW).arguments


def test_a_blind_copy_is_seen_by_nobody(installed_reader: Reader) -> None:
    """In plain lists of addresses, too, what stands behind "bcc" isn't shown to others."""
    copies = {
        name: {"type": "array", "description": LETTER[name]["description"], "items": ADDRESS}
        for name in ("to", "cc", "bcc")
    }
    filler = ReaderFiller(function("post-send-letter", ("to",), copies), installed_reader)
    prompt = "send a letter to a@x.example, cc b@x.example, bcc c@x.example"

    assert {"to": ["a@x.example"], "cc": ["b@x.example"], "bcc": ["c@x.example"]} == filler.fill(
        read(prompt, NOW), NOW
    ).arguments
