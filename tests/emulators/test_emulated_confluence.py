"""Confluence's connector against an emulator of a site that takes only what Atlassian describes."""

from typing import Any

import pytest

from tests.connectors.building import connector_of
from tests.connectors.vendors.confluence import RUN
from tests.emulators.app import App, connected
from tests.emulators.confluence.app import API_TOKEN, EMAIL
from tests.emulators.pointed import PREFIX
from tests.emulators.world import Emulated
from tests.real_apps.lists import choices

pytestmark = pytest.mark.real_apps

FIELDS = {"variable.site": "acme", "field.email": EMAIL, "field.api_token": API_TOKEN}

confluence = connected("confluence", "writer", "token", FIELDS)


def chosen(app: App, function: str, field: str, words: str, /, search: str = "", **given: Any) -> Any:
    """Return the value of a choice that a person finds by its words, perhaps by typing a part of them."""
    found = choices(app.client, f"{PREFIX}confluence-{function}", field, given, search)
    (value,) = [value for value, label in found.items() if label == words]
    return value


def text_of(app: App, page: str) -> str:
    """Return the text of a page in storage format."""
    return str(app.output("get-page", page=page)["body"]["storage"]["value"])


def test_every_function_is_called() -> None:
    """No function of the connector is left out below."""
    connector = connector_of("confluence")

    assert set() == connector.functions.keys() - RUN.called(connector)


def test_a_wrong_token_connects_nothing(emulators: Emulated) -> None:
    """Confluence's 401 is said on the page."""
    wrong = {**FIELDS, "field.api_token": "another"}
    attempt = emulators.front("confluence").try_to_connect("stranger", "token", wrong)

    assert (422, "pending") == (attempt.page.status_code, attempt.status)


def test_a_page_is_written_in_plain_text(confluence: App) -> None:
    """What a person types has paragraphs, and signs that would be markup; what is markup already stays as it is."""
    space = chosen(confluence, "create-page", "space", "Engineering", search="engin")
    made = confluence.output("create-page", space=space, title="Minutes", content="R&D: 1 < 2\nnext\n\nSecond")
    page = chosen(confluence, "update-page", "page", "Minutes", search="minu")
    first = text_of(confluence, page)
    confluence.output("append-to-page", page=page, content="Q&A", message="More")
    second = text_of(confluence, page)
    confluence.output("update-page", page=page, content="<h1>New &amp; whole</h1>", title="Minutes of May")
    confluence.output("rename-page", page=page, title="Protocol")
    version = chosen(
        confluence, "restore-version", "version", f"Version 2 – {_written(confluence, page, 2)} – More", page=page
    )
    confluence.output("restore-version", page=page, version=version)
    refused = confluence.call("create-page", space=space, title="Broken", content="<p>R&D</p>")

    assert made["id"] == page
    assert "<p>R&amp;D: 1 &lt; 2<br />next</p><p>Second</p>" == first
    assert f"{first}<p>Q&amp;A</p>" == second == text_of(confluence, page)
    assert "Minutes" == confluence.output("get-page", page=page)["title"]
    assert [5, 4, 3, 2, 1] == [each["number"] for each in _versions(confluence, page)]
    assert "400" == refused.network_code


def _versions(app: App, page: str) -> list[dict[str, Any]]:
    return list(app.output("list-versions", page=page))


def _written(app: App, page: str, number: int) -> str:
    return next(str(each["createdAt"]) for each in _versions(app, page) if each["number"] == number)


def test_pages_below_pages(confluence: App) -> None:
    """A page is put below another one that is found by its title, is moved, and deleted."""
    space = chosen(confluence, "create-page", "space", "People", search="people")
    top, other = (
        confluence.output("create-page", space=space, title=title, content="")["id"] for title in ("Holidays", "Travel")
    )
    parent = chosen(confluence, "create-page", "parent", "Holidays", search="holi")
    below = confluence.output("create-page", space=space, title="Easter", content="", parent=parent)["id"]
    children = confluence.output("list-child-pages", page=top)
    confluence.output("move-page", page=below, parent=other)
    around = confluence.call("move-page", page=other, parent=below)
    confluence.call("delete-page", page=below)

    assert [("Easter", below)] == [(each["title"], each["id"]) for each in children]
    assert "400" == around.network_code
    assert [] == confluence.output("list-child-pages", page=other)
    assert "404" == confluence.call("get-page", page=below).network_code
    assert [below] == [each["id"] for each in confluence.output("list-pages", space=space, status="trashed")]
    assert {top, other} == {each["id"] for each in confluence.output("list-pages", space=space)}


def test_comments_and_labels(confluence: App) -> None:
    """A reply is given to a comment that is chosen by its words, with the page still in the form."""
    page = confluence.output("create-page", space="65537", title="Ideas", content="Think")["id"]
    confluence.output("create-comment", page=page, content="Good & short.\nReally.")
    comment = chosen(confluence, "create-comment", "parent_comment", "Good & short. Really.", page=page)
    reply = confluence.output("create-comment", page=page, parent_comment=comment, content="<p>Yes</p>")
    listed = confluence.output("list-comments", page=page)
    confluence.output("add-label", page=page, label="roadmap")
    labels = confluence.output("list-labels", page=page)

    assert (comment, page) == (reply["parentCommentId"], reply["pageId"])
    assert [comment] == [each["id"] for each in listed]
    assert ["roadmap"] == [each["name"] for each in labels]
    assert [page] == [each["content"]["id"] for each in confluence.output("search", cql="label = roadmap")]
    assert "400" == confluence.call("create-comment", page=page, content="<p>&</p>").network_code


def test_blog_posts_and_search(confluence: App) -> None:
    """A post is published, and found by its words; titles have signs that the search language has a meaning for."""
    confluence.output("create-blog-post", space="65538", title="We moved!", content="To Leeds & back")
    confluence.output("create-blog-post", space="65538", title="Not yet", content="x", status="draft")
    posts = confluence.output("list-blog-posts", space="65538", title="We moved!")
    confluence.output("create-page", space="65537", title='Tests "A" (old) & new', content="")
    pages = confluence.output("find-pages", search='tests "a" (ol')
    found = confluence.output("search", cql='type = blogpost AND text ~ "leeds" ORDER BY created DESC')

    assert ["We moved!"] == [each["title"] for each in posts]
    assert ['Tests "A" (old) & new'] == [each["title"] for each in pages]
    assert ["We moved!"] == [each["title"] for each in found]
    assert "400" == confluence.call("search", cql="who = me").network_code


def test_lists_go_on(confluence: App) -> None:
    """All pages of the spaces come, each space once."""
    listed = [each["key"] for each in confluence.items("list-spaces")]
    me = confluence.output("passthrough-request", method="GET", url="/rest/api/user/current")

    assert 62 == len(listed) == len(set(listed))
    assert ["HR"] == [each["key"] for each in confluence.output("list-spaces", keys=["HR"], type="global")]
    assert [("TEAM7", "70007")] == [
        (each["key"], each["id"]) for each in confluence.output("list-spaces", search="team 07")
    ]
    assert "Ada Lovelace" == me["displayName"]
