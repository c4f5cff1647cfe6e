"""
GitHub's connector against an emulator of GitHub.

The emulator takes any token and doesn't compare the code's proof (PKCE), so neither is tested here; its search doesn't
know the words by which the repositories of an owner are asked for, and it doesn't list who may be assigned.
"""

import pytest

from tests.emulators.app import App, signed_in
from tests.emulators.world import Emulated

pytestmark = pytest.mark.real_apps

ENGINE = {"owner": "ada", "repo": "engine"}


coder = signed_in("github", "coder", "Ada Lovelace", "delete-repository")


@pytest.fixture(scope="module")
def github(coder: App) -> App:
    """GitHub for a user who has signed in as Ada, with labels in her repository."""
    for name in ("bug", "enhancement"):
        labels = {"name": name, "color": "d73a4a"}
        coder.client.functions.passthrough("emulated_github", "POST", "/repos/ada/engine/labels", labels)
    return coder


def test_accounts_and_dropdowns_have_names(emulators: Emulated, github: App) -> None:
    """An account is called by the person's name and login; labels are offered for a repository."""
    assert ["Ada Lovelace (ada)"] == [each.display_name for each in emulators.front("github").accounts("coder")]
    assert ["engine"] == [each["name"] for each in github.output("list-repositories")]
    assert {"bug": "bug", "enhancement": "enhancement"} == github.choices("create-issue", "labels", **ENGINE)


def test_an_issue_from_its_creation_to_its_end(github: App) -> None:
    """An issue is opened, labelled, commented on, found and closed in the user's name."""
    words = {"title": "Leak “here”", "body": "One\ntwo", "labels": ["bug"], "assignees": ["ada"]}
    issue = github.output("create-issue", **ENGINE, **words)
    number = {**ENGINE, "issue_number": issue["number"]}
    github.output("create-comment", **number, body="Seen")
    comments = github.output("list-issue-comments", **number)
    github.output("add-labels", **number, labels=["enhancement"])
    both = github.output("get-issue", **number)
    github.output("remove-label", **number, label="enhancement")
    closed = github.output("update-issue", **number, state="closed")
    shown = github.output("get-issue", **number)

    assert ("Leak “here”", "One\ntwo", "ada") == (issue["title"], issue["body"], issue["user"]["login"])
    assert [("Seen", "ada")] == [(each["body"], each["user"]["login"]) for each in comments]
    assert ["closed", "closed"] == [closed["state"], shown["state"]]
    assert [{"bug", "enhancement"}, {"bug"}] == [{label["name"] for label in each["labels"]} for each in (both, shown)]
    assert ["ada"] == [each["login"] for each in shown["assignees"]]


def test_a_change_from_a_branch_to_a_release(github: App) -> None:
    """A repository is made; a change on a branch is asked for, merged, seen among the commits and released."""
    made = github.output("create-repository", name="loom", description="Punched cards", auto_init=True)
    loom = {"owner": "ada", "repo": "loom"}
    main = github.output("list-branches", **loom)[0]["commit"]["sha"]
    github.output("create-branch", **loom, name="cards", sha=main)
    card = {"message": "Add a card", "content": "Y2FyZA==", "branch": "cards"}
    github.client.functions.passthrough("emulated_github", "PUT", "/repos/ada/loom/contents/card.txt", card)
    asked = github.output("create-pull-request", **loom, title="Cards", head="cards", base=made["default_branch"])
    waiting = github.output("list-pull-requests", **loom)
    number = {"pull_number": asked["number"]}
    renamed = github.output("update-pull-request", **loom, **number, title="Punched cards")
    reviewed = github.output("review-pull-request", **loom, **number, event="COMMENT", body="Looks good")
    merged = github.output("merge-pull-request", **loom, pull_number=asked["number"])
    commits = github.output("list-commits", **loom)
    github.output("create-release", **loom, tag_name="v1", name="First", body="Cards")

    assert "Punched cards" == github.output("get-repository", **loom)["description"]
    assert ("Punched cards", "COMMENTED") == (renamed["title"], reviewed["state"])
    assert github.output("get-pull-request", **loom, **number)["merged"]
    assert {"cards", made["default_branch"]} == {each["name"] for each in github.output("list-branches", **loom)}
    assert [asked["number"]] == [each["number"] for each in waiting]
    assert merged["sha"] in [each["sha"] for each in commits]
    assert ["First"] == [each["name"] for each in github.output("list-releases", **loom)]

    github.output("delete-branch", **loom, branch="cards")
    assert [made["default_branch"]] == [each["name"] for each in github.output("list-branches", **loom)]


def test_all_pages_of_issues_come(github: App) -> None:
    """Lists go on by the Link header, each item once; filters stay in force on later pages."""
    titles = [f"Task {number}" for number in range(53)]
    for title in titles:
        github.output("create-issue", **ENGINE, title=title, labels=["enhancement"])
    listed = github.items("list-issues", **ENGINE, labels=["enhancement"], sort="created", direction="asc")

    assert titles == [each["title"] for each in listed]


def test_a_repository_changes_and_goes(github: App) -> None:
    """A repository gets another name and archived, a release is taken back, and in the end nothing of it is there."""
    github.output("create-repository", name="shed", auto_init=True)
    shed = {"owner": "ada", "repo": "shed"}
    release = github.output("create-release", **shed, tag_name="v1")
    github.output("delete-release", **shed, release_id=release["id"])
    left = github.output("list-releases", **shed)
    renamed = github.output("update-repository", **shed, name="barn", description="Tools")
    barn = {"owner": "ada", "repo": "barn"}
    shown = github.output("get-repository", **barn)
    github.output("delete-repository", **barn)

    assert [] == left
    assert ("ada/barn", "Tools") == (renamed["full_name"], shown["description"])
    assert "barn" not in [each["name"] for each in github.output("list-repositories")]


def test_files_are_written_and_read(github: App) -> None:
    """A file below a folder is made, listed, read and replaced; one that is there already isn't made again."""
    github.output("create-repository", name="notes", auto_init=True)
    notes = {"owner": "ada", "repo": "notes"}
    file = {**notes, "path": "docs/hello.md"}
    github.output("create-file", **file, text="Grüße\n", message="Say hello")
    paths = [each["path"] for each in github.output("list-files", **notes)]
    first = github.output("read-file", **file)
    github.output("update-file", **file, text="Hello ✓", message="Say it in English")

    assert "docs/hello.md" in paths
    assert ("docs/hello.md", "Grüße\n") == (first["path"], first["text"])
    assert "Hello ✓" == github.output("read-file", **file)["text"]
