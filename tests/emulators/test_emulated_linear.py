"""
Linear's connector against an emulator of Linear's GraphQL API.

The emulator compares the code's proof (PKCE), but takes any key for the first person's. It knows no filter of workflow
states, no search, and little else that `seeds.py` names.
"""

import pytest

from tests.emulators.app import App, signed_in
from tests.emulators.seeds import ADA, LINEAR_KEY
from tests.emulators.world import Emulated

pytestmark = pytest.mark.real_apps


linear = signed_in("linear", "builder", ADA)


def test_accounts_are_named(emulators: Emulated, linear: App) -> None:
    """An account is called by the person and the organization, however it was connected."""
    emulators.front("linear").connect("keyholder", "key", {"field.key": LINEAR_KEY})

    for user in ("builder", "keyholder"):
        assert ["Ada Lovelace at Acme"] == [each.display_name for each in emulators.front("linear").accounts(user)]


def by_label(offered: dict[str, str]) -> dict[str, str]:
    """Return the values of what is offered, by their labels."""
    return {label: value for value, label in offered.items()}


def test_an_issue_from_its_creation_to_its_end(linear: App) -> None:
    """An issue is made in a team that is offered, with a label and a person, changed, commented on and archived."""
    ((team, name),) = linear.choices("create-issue", "team").items()
    labels = by_label(linear.choices("create-issue", "labels", team=team))
    people = by_label(linear.choices("create-issue", "assignee", team=team))
    content = {"title": "Leak “here”", "description": "One\ntwo", "priority": 2, "labels": [labels["Bug"]]}
    made = linear.output("create-issue", team=team, assignee=people["Ada Lovelace"], **content)
    issue = made["data"]["issueCreate"]["issue"]["id"]
    linear.output("update-issue", issue=issue, title="Leak there")
    comment = linear.output("create-comment", issue=issue, text="Seen")
    (shown,) = [each for each in linear.output("list-issues") if each["id"] == issue]
    archived = linear.output("archive-issue", issue=issue)

    assert "Engineering" == name
    assert ("Leak there", 2) == (shown["title"], shown["priority"])
    assert ("Ada Lovelace", ["Bug"]) == (shown["assignee"]["name"], [each["name"] for each in shown["labels"]["nodes"]])
    assert [True, True] == [comment["data"]["commentCreate"]["success"], archived["data"]["issueArchive"]["success"]]


def test_an_issue_goes_on_to_a_status_that_is_offered(linear: App) -> None:
    """The statuses are those of the issue's own team, by name; and nobody has it once it is unassigned."""
    (team,) = linear.choices("create-issue", "team")
    people = by_label(linear.choices("create-issue", "assignee", team=team))
    made = linear.output("create-issue", team=team, title="Gate", assignee=people["Ada Lovelace"])
    issue = made["data"]["issueCreate"]["issue"]["identifier"]
    statuses = by_label(linear.choices("update-issue", "state", issue=issue))
    linear.output("update-issue", issue=issue, state=statuses["Done"])
    linear.output("unassign-issue", issue=issue)
    (shown,) = [each for each in linear.output("list-issues") if each["identifier"] == issue]

    assert ("Done", None) == (shown["state"]["name"], shown["assignee"])


def test_all_pages_of_issues_come(linear: App) -> None:
    """Lists go on by the cursor among the query's variables, each issue once."""
    (team,) = linear.choices("create-issue", "team")
    titles = {f"Task {number}" for number in range(53)}
    for title in titles:
        linear.output("create-issue", team=team, title=title)
    listed = [each["title"] for each in linear.items("list-issues") if each["title"].startswith("Task")]

    assert titles == set(listed)
    assert len(titles) == len(listed)
