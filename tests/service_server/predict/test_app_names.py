"""Which apps a prompt names: by their titles, as people shorten or misspell them, and those that are not there."""

from datetime import UTC, datetime

import pytest

from service_server.predict.app_names import AppNames, NamedApps
from service_server.predict.reading import read

NOW = datetime(2026, 11, 28, tzinfo=UTC)
NAMES = AppNames(
    {
        "zoho_crm": ["Zoho CRM"],
        "microsoft_teams": ["Microsoft Teams", "ms teams"],
        "microsoft_365": ["Outlook", "office 365"],
        "google_sheets": ["Google Sheets", "gsheet"],
        "dynamics_365": ["Dynamics 365"],
        "onedrive": ["OneDrive"],
        "linkedin": ["LinkedIn"],
        "hubspot": ["HubSpot"],
        "stripe": ["Stripe"],
        "asana": ["Asana"],
        "box": ["Box"],
    }
)


def named(prompt: str) -> NamedApps:
    """The apps that a prompt names."""
    return NAMES.named_in(read(prompt, NOW))


@pytest.mark.parametrize(
    ("prompt", "app"),
    [
        ("open a deal in Zoho CRM for the quarry", "zoho_crm"),
        ("open a deal in zoho for the quarry", "zoho_crm"),
        ("tell the Dev channel in Teams that the lift works", "microsoft_teams"),
        ("post it on ms teams", "microsoft_teams"),
        ("send it with Office 365", "microsoft_365"),
        ("a lead in Dynamics 365 called Ben", "dynamics_365"),
        ("a new line in my google sheet Beehives", "google_sheets"),
        ("a new line in the gsheet Beehives", "google_sheets"),
        ("a new line in GoogleSheets", "google_sheets"),
        ("put notes.txt on One Drive", "onedrive"),
        ("share it on Linked In", "linkedin"),
        ("list my hub spot contacts", "hubspot"),
        ("mail bob@example.com from outlok", "microsoft_365"),
        ("a task in assana to call the roofer", "asana"),
    ],
)
def test_an_app_is_known_as_people_call_it(prompt: str, app: str) -> None:
    """By its title, its parts, what its connector says it is also called, and with a letter wrong."""
    assert NamedApps(frozenset({app}), absent=False) == named(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        *("list the teams that play on Sunday", "the ticket is linked in the report", "a shirt in stripes"),
        *("a plan for our assets", "an ad in boxes"),
    ],
)
def test_what_only_looks_like_a_name_is_none(prompt: str) -> None:
    """Everyday words name no app without a capital, and a word that another stands for isn't misspelt."""
    assert NamedApps(frozenset(), absent=False) == named(prompt)


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("is Zoho CRM still sold", True),
        ("what does stripe charge for a payment", True),
        ("are google sheets really free", True),
        ("does stripe have open disputes", False),
        ("does stripe have a free plan", True),
        ("is stripe a bank", True),
        ("how much does stripe cost for 500 payments", True),
        ("can stripe and my bank talk to each other", True),
        ("is stripe and what is in it up to date", False),
        ("is ticket 12 still open", False),
        ("does stripe", False),
        ("", False),
    ],
)
def test_a_question_about_an_app_itself(prompt: str, expected: bool) -> None:
    """What an app can do and costs isn't among the things in it."""
    assert expected == NAMES.is_asked_about(read(prompt, NOW))


@pytest.mark.parametrize("prompt", ["post it in Slack", "send the form in Typeform", "put it on the Miro"])
def test_an_app_that_is_not_there_is_absent(prompt: str) -> None:
    """A well-known app that the catalogue lacks is told from a name that is part of another's."""
    assert NamedApps(frozenset(), absent=True) == named(prompt)
