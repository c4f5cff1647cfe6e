"""A value goes only to an argument that takes its shape, and is whole."""

from datetime import UTC, datetime
from typing import Any

import pytest

from service_client.models import Function
from service_server.predict.reader.answers import Reply, Span
from service_server.predict.reader.filling import filled, validators_of
from service_server.predict.reader.questions import questions_of
from service_server.predict.reader.shapes import shape_of, shapes_in
from tests.service_server.predict.catalogue import flag, function, number, text
from tests.service_server.predict.conftest import Fill

NOW = datetime(2026, 11, 18, 9, 30, tzinfo=UTC)
CONTACT = function("acme-delete-contact", "Delete a contact.", ("contact_id",), contact_id=text("The contact's id."))
MEMBER = function("hub-add-member", "Invite a person.", ("username",), username=text("The person's user name."))
LINK = function(
    "acme-revoke-link", "Revoke a shared link.", ("url",), url=text("The link. Call acme-list-links for valid values.")
)
MESSAGE = function(
    "acme-send-message",
    "Send a message.",
    ("channel", "text"),
    channel=text("The channel."),
    text=text("What it says."),
)
CARD = function(
    "acme-update-card", "Change a card.", ("card",), card=text("The card's name."), done=flag("Whether it is done.")
)
MAIL = function("acme-send", "Send an e-mail.", (), **{"from": text("Whose address it is sent from.", format="email")})
RULE = function("acme-create-rule", "Sort mails.", (), recipient=text("Who a mail is sent to.", format="email"))
PAYMENT = function(
    "books-create-payment",
    "Record that an invoice was paid.",
    ("invoice_id", "amount"),
    invoice_id=text("The id of the invoice that was paid."),
    amount=number("How much was paid."),
)
FILTER = function(
    "acme-create-filter",
    "Create a filter of messages.",
    (),
    sender=text("Whose messages are meant."),
    recipient=text("Whom the messages are to."),
)


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


def test_an_id_of_another_kind_is_not_taken(fill: Fill) -> None:
    """A charge is no payment."""
    refund = function("acme-create-refund", "Refund a payment.", ("payment",), payment=text("The id of the payment."))
    shapes = {"payment": frozenset({"pi"})}

    assert {"payment": "pi_123a"} == fill(refund, "refund the payment pi_123a", NOW, shapes).arguments
    assert {} == fill(refund, "refund the charge ch_123a", NOW, shapes).arguments


@pytest.mark.parametrize(
    ("function", "prompt", "arguments"),
    [
        # People are known by a name of their own in some apps.
        (MEMBER, "invite ana@example.com", {}),
        (MEMBER, "invite juniper", {"username": "juniper"}),
        # Where an app's ids are addresses, the one in the prompt is the id and no name that has to be looked up.
        (LINK, "revoke the link https://s.example/x8Kq2", {"url": "https://s.example/x8Kq2"}),
        # What is said in a channel begins behind its name, with or without the reader's help.
        (MESSAGE, "acme: tell #support the outage is over", {"channel": "#support", "text": "the outage is over"}),
        # An address behind "from" is no recipient's.
        (RULE, "sort whatever comes from bob@example.com", {}),
        (RULE, "sort what is sent to bob@example.com", {"recipient": "bob@example.com"}),
        # The number of an invoice is no sum.
        (PAYMENT, "mark invoice 1044 as paid", {"invoice_id": "1044"}),
        (PAYMENT, "record a payment of 300 for invoice 1044", {"invoice_id": "1044", "amount": 300}),
    ],
)
def test_what_is_taken(fill: Fill, function: Function, prompt: str, arguments: dict[str, Any]) -> None:
    """What has another shape or another role is not."""
    assert arguments == fill(function, prompt, NOW).arguments


@pytest.mark.parametrize(
    ("function", "prompt", "name"),
    [
        (CONTACT, "delete the contact ana@example.com", "contact_id"),
        (CARD, 'move the card "Logo" to Done', "done"),
        (MAIL, "email bob@example.com that lunch is at 12", "from"),
        (FILTER, "filter whatever ana@example.com sends", "recipient"),
    ],
)
def test_what_stays_open(fill: Fill, function: Function, prompt: str, name: str) -> None:
    """An address is no id; a list is no truth; who is written to is not the sender, and who sends receives nothing."""
    found = fill(function, prompt, NOW)

    assert name not in found.arguments
    assert (name in function.parameters.required) == (name in found.missing)


@pytest.mark.parametrize(
    ("prompt", "seen", "expected"),
    [
        ("remind #desk to fill in timesheets", "ill in timeshee", "fill in timesheets"),
        ("look at vhost /orders", "orders", "/orders"),
        ("and/or", "or", "or"),
    ],
)
def test_no_word_is_cut(prompt: str, seen: str, expected: str) -> None:
    """The encoder reads pieces of words; what is filled in ends with a word, and begins with the "/" before it."""
    (question,) = questions_of({"properties": {"text": text("What to say.")}, "required": ["text"]})
    start = prompt.rindex(seen)
    reply = Reply(question, (Span(start, start + len(seen), 0.9),), (), None, 0.9, 0.1)

    (found,) = filled([reply], prompt, NOW, validators_of([question]))

    assert expected == found.value


def test_a_year_in_a_name_is_no_number_of_anything(fill: Fill) -> None:
    """Else "Best jackets 2019" would be gone with post 2019."""
    post = {**number("The number of the post. Call acme-list-posts for valid values."), "multipleOf": 1}
    delete = function("acme-delete-post", "Delete a post.", ("post_id",), post_id=post)

    assert {} == fill(delete, "delete Best jackets 2019", NOW).arguments
    assert {"post_id": 2019} == fill(delete, "delete post 2019", NOW).arguments


def test_a_branch_is_all_of_its_name(fill: Fill) -> None:
    """What stands before its "/" is a part of it."""
    request = function("review-update-draft", "Change a review request.", (), branch=text("The branch it is made on."))

    assert "topic/ice" == fill(request, "the review request should be made on topic/ice", NOW).arguments.get("branch")


def test_a_card_that_is_done_is_marked(fill: Fill) -> None:
    """Unlike one that is moved to the list Done."""
    assert fill(CARD, 'mark the card "Logo" as done', NOW).arguments.get("done") is True


def test_a_day_is_no_name(fill: Fill) -> None:
    """What is planned for a day is planned in no list of that name."""
    listed = text("The list. Call acme-list-lists for valid values.")
    plan = function("acme-create-task", "Create a task.", ("list", "title"), list=listed, title=text("What to do."))

    assert {"list": "Errands"} == fill(plan, 'add "buy cake" to the list Errands', NOW).named
    assert {} == fill(plan, 'add "buy cake" to my list for saturday', NOW).named


def test_the_end_is_not_the_start(fill: Fill) -> None:
    """One moment is not both; of two, the later one is on the day of the first."""
    when = {each: text(f"When it {each}s.", format="date-time") for each in ("start", "end")}
    event = function("agenda-create-event", "Create an event.", ("start", "end"), **when)

    assert ("end",) == fill(event, "schedule lunch with Ana tomorrow at noon", NOW).missing
    found = fill(event, "schedule lunch tomorrow from noon to 1pm", NOW)
    assert {"start": "2026-11-19T12:00:00Z", "end": "2026-11-19T13:00:00Z"} == found.arguments
