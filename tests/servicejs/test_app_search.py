"""What is offered for a search that no app is named by: what is near, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service_client.models import App
from servicejs.screens.app_search import MOST_NEAR, is_named, near
from servicejs.screens.listed_apps import subject_of

APPS = [
    App(
        id=number,
        name=title.casefold().replace(" ", "-"),
        title=title,
        icon_url="",
        description=words,
        categories=kinds,
    )
    for number, (title, words, kinds) in enumerate(
        [
            ("Airtable", "Bases, tables, records and comments in Airtable.", ("productivity", "projects")),
            ("Calendly", "Event types, scheduled meetings and scheduling links of Calendly.", ("productivity",)),
            ("Confluence", "Spaces, pages and comments on a Confluence Cloud site.", ("files", "productivity")),
            ("DocuSign", "Envelopes, recipients, documents and templates.", ("files",)),
            ("Gmail", "E-mails, conversations, drafts and labels in Gmail.", ("communication",)),
            ("Google Calendar", "Calendars, events, guests and free times.", ("productivity",)),
            ("Google Drive", "Files, folders and shared drives.", ("files",)),
            ("HubSpot", "Contacts, companies, deals, tickets and notes.", ("sales", "marketing")),
            ("Outlook", "E-mail and calendar of Microsoft 365.", ("communication", "productivity")),
            ("Salesforce", "Leads, contacts, accounts and opportunities.", ("sales",)),
            ("Shopify", "Products, orders and customers of a store.", ("commerce",)),
            ("Slack", "Channels, messages, threads and people.", ("communication",)),
            ("Stripe", "Customers, invoices and subscriptions.", ("commerce",)),
        ]
    )
]
NAMES = sorted({word for app in APPS for word in app.title.casefold().split() if len(word) > 4})


def found(search: str) -> list[str]:
    """The titles of what is offered where no app is named like that."""
    return [app.title for app in near(APPS, search, subject_of, exactly=False)]


@pytest.mark.parametrize(
    ("search", "offered"),
    [
        (
            "calender",
            ["Google Calendar", "Outlook"],
        ),  # neither Calendly, two mistakes away, nor all that has notes, too
        ("salesfroce", ["Salesforce"]),
        ("confluance", ["Confluence"]),
        ("confleunze", ["Confluence"]),  # a long word may have two
        ("slak", ["Slack"]),
        ("gmial", ["Gmail"]),
        ("microsft", ["Outlook"]),
        ("google calander", ["Google Calendar"]),
        ("google docs", ["Google Calendar", "Google Drive"]),  # what it has of the words; "docs" is no nearly DocuSign
        ("payments", ["Shopify", "Stripe"]),
        ("docz", []),
        ("clea", []),
        ("qwxz", []),
        ("x" * 500, []),
    ],
)
def test_mistakes_lead_to_what_was_meant(search: str, offered: list[str]) -> None:
    """The nearest are offered alone."""
    assert offered == found(search)


def test_apps_are_found_by_what_they_are_also_called() -> None:
    """In any case, and like by their title."""
    app = App(id=1, name="google_calendar", title="Google Calendar", also_called=("GCal",), icon_url="")

    assert is_named(app, "gcal")
    assert not is_named(app, "gdrive")


@st.composite
def mistaken(draw: st.DrawFn) -> tuple[str, str]:
    """A word of an app's title, and the same with one mistake behind its first letter."""
    word = draw(st.sampled_from(NAMES))
    at = draw(st.integers(1, len(word) - 1))
    letter = draw(st.sampled_from("abcdefghijklmnopqrstuvwxyz"))
    swapped = word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :]
    kinds = [word[:at] + letter + word[at:], word[:at] + letter + word[at + 1 :], word[:at] + word[at + 1 :], swapped]
    return word, draw(st.sampled_from(kinds))


@given(mistaken())
def test_one_mistake_is_forgiven(words: tuple[str, str]) -> None:
    """Whatever it is, and wherever it is but at the beginning."""
    meant, typed = words

    assert any(meant in title.casefold() for title in found(typed)), (typed, found(typed))


@given(st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=12))
def test_what_is_offered_begins_like_what_was_typed(typed: str) -> None:
    """What has not the word in its name has one in its texts that begins with the same letter; few are offered."""
    offered = near(APPS, typed, subject_of, exactly=False)

    assert len(offered) <= MOST_NEAR
    for app in offered:
        subject = subject_of(app)
        texts = f"{app.title} {app.name.replace('-', ' ')} {subject.description} {subject.kind}".casefold().split()
        assert typed in app.title.casefold() or any(each.startswith(typed[0]) for each in texts)
