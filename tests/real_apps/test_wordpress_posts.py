"""Functions of WordPress through the whole service: what a user's calls do there, and what comes back."""

from base64 import b64decode
from collections.abc import Iterator

import pytest

from service_client import Client
from tests.real_apps.lists import choices, field_of, pages_of
from tests.real_apps.wordpress_world import WordPressWorld

# One grey pixel.
_PIXEL = b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==")

pytestmark = pytest.mark.usefixtures("at_wordpress")


@pytest.fixture(scope="module")
def ada(one_wordpress: WordPressWorld) -> Iterator[Client]:
    """The client of a user with Ada's account, an editor's."""
    wordpress = one_wordpress.wordpress
    one_wordpress.front.connect("editor", "password", wordpress.fields(wordpress.new_password("ada")))
    with one_wordpress.front.client("editor") as client:
        yield client


@pytest.fixture(scope="module")
def grace(one_wordpress: WordPressWorld) -> Iterator[Client]:
    """The client of a user with Grace's account, who may not publish."""
    wordpress = one_wordpress.wordpress
    one_wordpress.front.connect("contributor", "password", wordpress.fields(wordpress.new_password("grace")))
    with one_wordpress.front.client("contributor") as client:
        yield client


def test_a_post_from_its_creation_to_its_end(ada: Client) -> None:
    """A post is written, published, commented on and deleted in WordPress, in the user's name."""
    category = ada.functions.call("wordpress-create-category", {"name": "Gardening"}).output["id"]
    arguments = {"title": "Spring", "content": "<p>Dig!</p>", "status": "draft", "categories": [category]}
    created = ada.functions.call("wordpress-create-post", arguments)
    post = {"post_id": created.output["id"]}
    changed = ada.functions.call("wordpress-update-post", {**post, "status": "publish", "excerpt": "Digging"})
    comment = ada.functions.call("wordpress-create-comment", {**post, "content": "Well said!"})
    comments = ada.functions.call("wordpress-list-comments", post)
    found = ada.functions.call("wordpress-list-posts", {"search": "Spring", "categories": [category, 1]})
    shown = ada.functions.call("wordpress-get-post", post)
    removed = ada.functions.call("wordpress-delete-post", {**post, "force": True})
    gone = ada.functions.call("wordpress-get-post", post)

    assert ("201", "draft", [category]) == (
        created.network_code,
        created.output["status"],
        created.output["categories"],
    )
    assert ("200", "publish") == (changed.network_code, changed.output["status"])
    assert ("201", "Ada Lovelace") == (comment.network_code, comment.output["author_name"])
    assert [comment.output["id"]] == [each["id"] for each in comments.output]
    assert [post["post_id"]] == [each["id"] for each in found.output]
    assert "<p>Dig!</p>" == shown.output["content"]["rendered"].strip()
    assert ("200", True) == (removed.network_code, removed.output["deleted"])
    assert ("404", "rest_post_invalid_id") == (gone.network_code, gone.output["code"])


def test_files_are_in_the_media_library(ada: Client) -> None:
    """An uploaded image is in WordPress as it was, under its name and with what was said of it."""
    kept = ada.files.upload(_PIXEL, name="garden.png")
    said = {"title": "Garden", "alternative_text": "A garden", "caption": "In May"}
    made = ada.functions.call("wordpress-upload-file", {"file": kept.id, **said})

    assert ("201", "Garden", "image/png") == (made.network_code, made.output["title"]["raw"], made.output["mime_type"])
    assert "A garden" == made.output["alt_text"]
    details = made.output["media_details"]
    assert (1, 1, len(_PIXEL)) == (details["width"], details["height"], details["filesize"])


def test_wordpress_refusal_is_relayed(ada: Client, grace: Client) -> None:
    """What WordPress finds wrong or forbids is an executed call with its own words, and asks nobody to reconnect."""
    empty = ada.functions.call("wordpress-create-post", {"title": ""})
    forbidden = grace.functions.call("wordpress-create-post", {"title": "Not by me", "status": "publish"})
    allowed = grace.functions.call("wordpress-create-post", {"title": "By me", "status": "pending"})

    assert ("400", "empty_content") == (empty.network_code, empty.output["code"])
    assert ("403", "rest_cannot_publish") == (forbidden.network_code, forbidden.output["code"])
    assert "201" == allowed.network_code


def test_every_tag_comes_once(ada: Client) -> None:
    """The Link header leads through all 230 tags, each once."""
    pages = pages_of(ada, "wordpress-list-tags")
    some = ada.functions.call("wordpress-list-tags", {"search": "Tag 12"})

    assert [100, 100, 30] == [len(page.output) for page in pages]
    assert [f"Tag {number:03}" for number in range(1, 231)] == [tag["name"] for page in pages for tag in page.output]
    assert [f"Tag {number:03}" for number in range(120, 130)] == [tag["name"] for tag in some.output]


def test_behind_the_last_page_of_posts(ada: Client, at_wordpress: WordPressWorld) -> None:
    """A page that lies behind the end meanwhile, which WordPress answers with 400, is empty and the last."""
    search = {"search": "Numbered", "status": "draft"}
    with at_wordpress.wordpress.api() as api:
        made = [api.post("/posts", json={"title": f"Numbered {number}"}).json()["id"] for number in range(101)]
        first = ada.functions.call("wordpress-list-posts", search)
        second = ada.functions.call("wordpress-list-posts", {**search, "next_page": first.next_page})
        for post in made[:2]:
            api.delete(f"/posts/{post}", params={"force": True}).raise_for_status()
    behind = ada.functions.call("wordpress-list-posts", {**search, "next_page": first.next_page})

    assert [100, 1] == [len(page.output) for page in (first, second)]
    assert 101 == len({post["id"] for page in (first, second) for post in page.output})
    assert ("400", [], "") == (behind.network_code, behind.output, behind.next_page)


def test_dropdowns_come_from_wordpress(ada: Client) -> None:
    """The form's dropdowns name their source functions, which list the site's categories, tags and authors."""
    for field, label in (("categories", "Uncategorized"), ("tags", "Tag 230"), ("author", "admin")):
        assert label in choices(ada, "wordpress-create-post", field, search="a").values()


def test_further_fields_come_from_the_site(ada: Client) -> None:
    """The fields that a plugin adds to posts are listed with types and options; only right values arrive."""
    source = field_of(ada, "wordpress-create-post", "meta").dynamic_fields
    rows = {row[source.key]: row for row in ada.functions.items(source.function)}
    values = {"mood": "cheerful", "rating": 5, "reviewed": True}
    created = ada.functions.call("wordpress-create-post", {"title": "With fields", "meta": values})
    refused = ada.functions.call("wordpress-create-post", {"title": "With fields", "meta": {"mood": "angry"}})

    assert {"mood": "string", "rating": "integer", "reviewed": "boolean"} == {
        key: row[source.type] for key, row in rows.items()
    }
    assert ("Mood", ["calm", "cheerful"]) == (rows["mood"][source.title], rows["mood"][source.options])
    assert values == created.output["meta"]
    assert ("400", "rest_not_in_enum") == (refused.network_code, refused.output["code"])
