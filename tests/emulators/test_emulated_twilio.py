"""Twilio's connector against an emulator of Twilio, which has messages, calls and numbers."""

import pytest

from tests.emulators.app import App, connected
from tests.emulators.seeds import TWILIO_ACCOUNT, TWILIO_NUMBER, TWILIO_TOKEN
from tests.emulators.world import Emulated

pytestmark = pytest.mark.real_apps

FIELDS = {"variable.account_sid": TWILIO_ACCOUNT, "field.auth_token": TWILIO_TOKEN}
GRACE = "+15557654321"


twilio = connected("twilio", "caller", "auth_token", FIELDS)


def test_a_wrong_token_connects_nothing(emulators: Emulated) -> None:
    """Twilio's 401 is said on the page, and nothing is connected."""
    attempt = emulators.front("twilio").try_to_connect(
        "stranger", "auth_token", {**FIELDS, "field.auth_token": "0" * 32}
    )

    assert (422, "pending") == (attempt.page.status_code, attempt.status)
    assert [] == emulators.front("twilio").accounts("stranger")


def test_all_pages_of_messages_come(twilio: App) -> None:
    """Messages are sent from a number that is offered, and lists of them go on by an address of the next page."""
    texts = [f"Message {number} ✓" for number in range(53)]
    for text in texts:
        twilio.output("send-message", **{"from": TWILIO_NUMBER, "to": GRACE, "body": text})

    assert TWILIO_NUMBER in twilio.choices("send-message", "from")
    assert set(texts) == {each["body"] for each in twilio.items("list-messages", to=GRACE)}


def test_a_call(twilio: App) -> None:
    """A call is made, listed and ended."""
    made = twilio.output("make-call", **{"from": TWILIO_NUMBER, "to": GRACE, "twiml": "Your taxi is here."})

    listed = twilio.output("list-calls", to=GRACE)
    twilio.output("hang-up", call_sid=made["sid"])

    assert [made["sid"]] == [each["sid"] for each in listed]
    assert "completed" == twilio.output("get-call", call_sid=made["sid"])["status"]


def test_a_message_is_forgotten(twilio: App) -> None:
    """A message is looked at again, until it is deleted."""
    sent = twilio.output("send-message", **{"from": TWILIO_NUMBER, "to": "+15550001111", "body": "Once"})
    shown = twilio.output("get-message", message_sid=sent["sid"])
    gone = twilio.call("delete-message", message_sid=sent["sid"])

    assert ("Once", "204") == (shown["body"], gone.network_code)
    assert "404" == twilio.call("get-message", message_sid=sent["sid"]).network_code
