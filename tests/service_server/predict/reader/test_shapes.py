"""A value goes only to an argument that takes its shape, and is whole."""

from datetime import UTC, datetime
from typing import Any

import pytest

from service_client.models import Function, Parameters
from service_server.predict.reader.answers import Reply, Span
from service_server.predict.reader.arguments import ReaderFiller
from service_server.predict.reader.filling import filled, validators_of
from service_server.predict.reader.questions import questions_of
from service_server.predict.reader.reader import Reader
from service_server.predict.reader.shapes import shape_of, shapes_in
from service_server.predict.reading import read

NOW = datetime(2026, 11, 18, 9, 30, tzinfo=UTC)


def function(name: str, description: str, required: tuple[str, ...], **properties: dict[str, Any]) -> Function:
    """Return a function that takes the given arguments."""
    parameters = Parameters(properties=properties, required=required)
    return Function(name=name, description=description, parameters=parameters, type="mutation")


def text(description: str, **more: Any) -> dict[str, Any]:
    """Return the schema of a string."""
    return {"type": "string", "description": description, **more}


@pytest.mark.parametrize(
    ("shape", "value"),
    [("@", "ana@example.com"), ("ch", "ch_3Mm01"), (None, "ch_"), (None, "due_date"), (None, "WEB-12"), (None, 7)],
)
def test_shapes(shape: str | None, value: object) -> None:
    """E-mail addresses and ids with a prefix have one."""
    assert shape == shape_of(value)


def test_shapes_are_learnt_from_examples() -> None:
    """Where every example's value has a shape, it is the argument's."""
    examples = [("a", {"payment": "pi_1Gs", "note": "pi_1Gs"}), ("b", {"payment": "py_2Ab", "note": "any text"})]

    assert {"payment": frozenset({"pi", "py"})} == shapes_in(examples)


def test_an_id_of_another_kind_is_not_taken(installed_reader: Reader) -> None:
    """A charge is no payment."""
    refund = function("acme-create-refund", "Refund a payment.", ("payment",), payment=text("The id of the payment."))
    filler = ReaderFiller(refund, installed_reader, {"payment": frozenset({"pi"})})

    assert {"payment": "pi_123a"} == filler.fill(read("refund the payment pi_123a", NOW), NOW).arguments
    assert {} == filler.fill(read("refund the charge ch_123a", NOW), NOW).arguments


def test_an_address_is_no_id(installed_reader: Reader) -> None:
    """Who gives an e-mail address has not given an id."""
    delete = function("acme-delete-contact", "Delete a contact.", ("contact_id",), contact_id=text("The contact's id."))

    found = ReaderFiller(delete, installed_reader).fill(read("delete the contact ana@example.com", NOW), NOW)

    assert "contact_id" not in found.arguments
    assert ("contact_id",) == found.missing


def test_an_address_is_no_user_name(installed_reader: Reader) -> None:
    """People are known by a name of their own in some apps."""
    add = function("hub-add-member", "Invite a person.", ("username",), username=text("The person's user name."))
    filler = ReaderFiller(add, installed_reader)

    assert {} == filler.fill(read("invite ana@example.com", NOW), NOW).arguments
    assert {"username": "juniper"} == filler.fill(read("invite juniper", NOW), NOW).arguments


def test_an_address_of_a_page_may_be_an_id(installed_reader: Reader) -> None:
    """Where an app's ids are addresses, the one in the prompt is the id and no name that has to be looked up."""
    link = text("The link. Call acme-list-links for valid values.")
    revoke = function("acme-revoke-link", "Revoke a shared link.", ("url",), url=link)

    found = ReaderFiller(revoke, installed_reader).fill(read("revoke the link https://s.example/x8Kq2", NOW), NOW)

    assert {"url": "https://s.example/x8Kq2"} == found.arguments


def test_no_word_is_cut() -> None:
    """The encoder reads pieces of words; what is filled in ends with a word."""
    prompt = "remind #desk to fill in timesheets"
    (question,) = questions_of({"properties": {"text": text("What to say.")}, "required": ["text"]})
    cut = Span(prompt.index("ill in"), len(prompt) - len("ts"), 0.9)
    reply = Reply(question, (cut,), (), None, 0.9, 0.1)

    (found,) = filled([reply], prompt, NOW, validators_of([question]))

    assert "fill in timesheets" == found.value


def test_a_channel_is_not_cut(installed_reader: Reader) -> None:
    """What is said in a channel begins behind its name, with or without the reader's help."""
    properties = {"channel": text("The channel."), "text": text("What it says.")}
    post = function("acme-send-message", "Send a message.", ("channel", "text"), **properties)

    found = ReaderFiller(post, installed_reader).fill(read("acme: tell #support the outage is over", NOW), NOW)

    assert {"channel": "#support", "text": "the outage is over"} == found.arguments


def test_a_name_behind_a_preposition_is_no_truth(installed_reader: Reader) -> None:
    """A card that is moved to the list Done is not marked as done, and one that is done is."""
    done = {"done": {"type": "boolean", "description": "Whether it is done."}}
    update = function("acme-update-card", "Change a card.", ("card",), card=text("The card's name."), **done)
    filler = ReaderFiller(update, installed_reader)

    assert "done" not in filler.fill(read('move the card "Logo" to Done', NOW), NOW).arguments
    assert filler.fill(read('mark the card "Logo" as done', NOW), NOW).arguments.get("done") is True


def test_a_day_is_no_name(installed_reader: Reader) -> None:
    """What is planned for a day is planned in no list of that name."""
    listed = text("The list. Call acme-list-lists for valid values.")
    plan = function("acme-create-task", "Create a task.", ("list", "title"), list=listed, title=text("What to do."))
    filler = ReaderFiller(plan, installed_reader)

    assert {"list": "Errands"} == filler.fill(read('add "buy cake" to the list Errands', NOW), NOW).named
    assert {} == filler.fill(read('add "buy cake" to my list for saturday', NOW), NOW).named


def test_who_is_written_to_is_not_the_sender(installed_reader: Reader) -> None:
    """An address is the sender's only where the prompt says so."""
    send = function(
        "acme-send", "Send an e-mail.", (), **{"from": text("Whose address it is sent from.", format="email")}
    )
    filler = ReaderFiller(send, installed_reader)

    assert "from" not in filler.fill(read("email bob@example.com that lunch is at 12", NOW), NOW).arguments


def test_whom_something_comes_from_is_not_who_gets_it(installed_reader: Reader) -> None:
    """An address behind "from" is no recipient's."""
    rule = function("acme-create-rule", "Sort mails.", (), recipient=text("Who a mail is sent to.", format="email"))
    filler = ReaderFiller(rule, installed_reader)

    assert {} == filler.fill(read("sort whatever comes from bob@example.com", NOW), NOW).arguments
    sorted_by = filler.fill(read("sort what is sent to bob@example.com", NOW), NOW).arguments
    assert {"recipient": "bob@example.com"} == sorted_by


def test_the_end_is_not_the_start(installed_reader: Reader) -> None:
    """One moment is not both; of two, the later one is on the day of the first."""
    when = {each: text(f"When it {each}s.", format="date-time") for each in ("start", "end")}
    event = function("agenda-create-event", "Create an event.", ("start", "end"), **when)
    filler = ReaderFiller(event, installed_reader)

    assert ("end",) == filler.fill(read("schedule lunch with Ana tomorrow at noon", NOW), NOW).missing
    found = filler.fill(read("schedule lunch tomorrow from noon to 1pm", NOW), NOW)
    assert {"start": "2026-11-19T12:00:00Z", "end": "2026-11-19T13:00:00Z"} == found.arguments


def test_whoever_sends_receives_nothing(installed_reader: Reader) -> None:
    """ "Whatever ana@example.com sends" comes from her."""
    people = {"sender": text("Whose messages are meant."), "recipient": text("Whom the messages are to.")}
    filler = ReaderFiller(
        function("acme-create-filter", "Create a filter of messages.", (), **people), installed_reader
    )

    assert "recipient" not in filler.fill(read("filter whatever ana@example.com sends", NOW), NOW).arguments
