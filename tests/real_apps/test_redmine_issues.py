"""Functions of Redmine through the whole service: what a user's calls do there, and what comes back."""

from collections.abc import Iterator

import pytest

from service_client import Client
from tests.real_apps.lists import choices, field_of, pages_of
from tests.real_apps.redmine_world import RedmineWorld

BUG, FEATURE = 1, 2


@pytest.fixture(scope="module")
def ada(at_redmine: RedmineWorld) -> Iterator[Client]:
    """The client of a user with Ada's account, an administrator's."""
    at_redmine.front.connect("administrator", "key", at_redmine.redmine.fields("ada"))
    with at_redmine.front.client("administrator") as client:
        yield client


@pytest.fixture(scope="module")
def grace(at_redmine: RedmineWorld) -> Iterator[Client]:
    """The client of a user with Grace's account, that of a project's member."""
    at_redmine.front.connect("member", "key", at_redmine.redmine.fields("grace"))
    with at_redmine.front.client("member") as client:
        yield client


def test_an_issue_from_its_creation_to_its_end(ada: Client) -> None:
    """Create, update with a comment, get and delete happen in Redmine; empty answers are null."""
    arguments = {"project_id": "website", "subject": "Lamp is broken", "tracker_id": BUG, "due_date": "2027-01-31"}
    created = ada.functions.call("redmine-create-issue", arguments)
    issue = {"issue_id": created.output["issue"]["id"]}
    changed = ada.functions.call("redmine-update-issue", {**issue, "notes": "Seen it too", "done_ratio": 50})
    shown = ada.functions.call("redmine-get-issue", issue)
    removed = ada.functions.call("redmine-delete-issue", issue)
    gone = ada.functions.call("redmine-get-issue", issue)

    assert "201" == created.network_code
    assert ("Lamp is broken", "2027-01-31") == tuple(created.output["issue"][key] for key in ("subject", "due_date"))
    assert ("204", None) == (changed.network_code, changed.output)
    assert ("200", 50) == (shown.network_code, shown.output["done_ratio"])
    assert "Seen it too" in [entry["notes"] for entry in shown.output["journals"]]
    assert ("204", None) == (removed.network_code, removed.output)
    assert ("404", None) == (gone.network_code, gone.output)


def test_every_issue_comes_once_and_nothing_behind_the_end(ada: Client, at_redmine: RedmineWorld) -> None:
    """Pages by offset give all 230 issues once; a page that lies behind the end meanwhile is empty and the last."""
    where = {"project_id": "archive", "sort": "id"}
    pages = pages_of(ada, "redmine-list-issues", where)
    issues = [issue["subject"] for page in pages for issue in page.output]
    last = [issue["id"] for issue in pages[-1].output]
    with at_redmine.redmine.api("ada") as api:
        api.delete("/issues.json", params={"ids[]": last}, timeout=60).raise_for_status()
    behind = ada.functions.call("redmine-list-issues", {**where, "next_page": pages[-2].next_page})

    assert [100, 100, 30] == [len(page.output) for page in pages]
    assert [f"Issue {number}" for number in range(1, 231)] == issues
    assert ("200", [], "") == (behind.network_code, behind.output, behind.next_page)


def test_dropdowns_come_from_redmine(ada: Client) -> None:
    """The form's dropdowns name their source functions, two of which depend on the project that is chosen."""
    website = {"tracker_id": {"project_id": "website"}, "assigned_to_id": {"project_id": "website"}}
    labels = {
        field: list(choices(ada, "redmine-create-issue", field, website.get(field)).values())
        for field in ("project_id", "tracker_id", "status_id", "priority_id", "assigned_to_id")
    }

    assert ["Archive", "Shop", "Website"] == sorted(labels["project_id"])
    assert ["Bug", "Feature"] == labels["tracker_id"]
    assert {"New", "In Progress", "Closed"} <= set(labels["status_id"])
    assert {"Low", "Normal", "Urgent"} <= set(labels["priority_id"])
    assert ["Grace Hopper"] == labels["assigned_to_id"]


def test_custom_fields_come_from_redmine(ada: Client, at_redmine: RedmineWorld) -> None:
    """The form's custom fields are Redmine's, with types, options and who needs them; their values arrive."""
    source = field_of(ada, "redmine-create-issue", "custom_fields").dynamic_fields
    rows = {row[source.key]: row for row in ada.functions.items(source.function)}
    stage, amount, areas = (str(at_redmine.redmine.custom_fields[name]) for name in ("stage", "amount", "areas"))
    values = {amount: 12, areas: ["North", "South"]}
    arguments = {"project_id": "shop", "subject": "Two areas", "tracker_id": BUG, "custom_fields": values}
    bug = ada.functions.call("redmine-create-issue", arguments)
    arguments |= {"tracker_id": FEATURE, "custom_fields": {stage: "Won"}}
    feature = ada.functions.call("redmine-create-issue", arguments)

    assert {stage: ("Stage", "string"), amount: ("Amount", "integer"), areas: ("Areas", "array")} == {
        key: (row[source.title], row[source.type]) for key, row in rows.items()
    }
    assert ["Lead", "Won"] == [option["value"] for option in rows[stage][source.options]]
    assert ["Required. Trackers: Feature", "Trackers: Bug, Feature"] == [
        rows[key]["description"] for key in (stage, amount)
    ]
    assert {"Amount": "12", "Areas": ["North", "South"]} == kept(bug.output["issue"])
    assert "Won" == kept(feature.output["issue"])["Stage"]


def kept(issue: dict[str, list[dict[str, object]]]) -> dict[object, object]:
    """The values of an issue's custom fields by their names."""
    return {field["name"]: field["value"] for field in issue["custom_fields"]}


def test_members_may_do_less(grace: Client) -> None:
    """What Redmine keeps from a project's member is relayed as its 403, and asks nobody to reconnect."""
    fields = grace.functions.call("redmine-list-custom-fields")
    projects = [project["identifier"] for project in grace.functions.items("redmine-list-projects")]

    assert "403" == fields.network_code
    assert ["website"] == projects
