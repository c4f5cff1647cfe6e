"""Review requests, reviews and groups in Review Board by the connector's functions, and what Review Board refuses."""

from collections.abc import Iterator

import pytest

from service_client import Client
from tests.real_apps.lists import choices, pages_of
from tests.real_apps.review_board_world import ReviewBoardWorld

GROUPS = [f"group-{number:02}" for number in range(53)]


@pytest.fixture(scope="module")
def author(at_review_board: ReviewBoardWorld) -> Iterator[Client]:
    """The client of a user with one account, that of `alan`."""
    at_review_board.connect("author", "alan")
    with at_review_board.front.client("author") as client:
        yield client


@pytest.fixture(scope="module")
def reviewer(at_review_board: ReviewBoardWorld) -> Iterator[Client]:
    """The client of a user whose account, that of `rita`, is connected by API token."""
    token = at_review_board.review_board.create_api_token("rita")
    at_review_board.front.connect("reviewer", "token", {"field.api_token": token})
    with at_review_board.front.client("reviewer") as client:
        yield client


@pytest.fixture(scope="module")
def administrator(at_review_board: ReviewBoardWorld) -> Iterator[Client]:
    """The client of a user who administers Review Board, and made all groups."""
    at_review_board.connect("administrator", "admin")
    with at_review_board.front.client("administrator") as client:
        for name in GROUPS:
            made = client.functions.call("review_board-create-group", {"name": name, "display_name": name.upper()})
            assert "201" == made.network_code, made
        yield client


def create(author: Client) -> int:
    """Make a review request without a repository; its number."""
    made = author.functions.call("review_board-create-review-request")
    assert "201" == made.network_code, made
    return int(made.output["review_request"]["id"])


def test_a_review_request_from_its_creation_to_its_end(author: Client, reviewer: Client) -> None:
    """Create, fill in, publish, review, list and close happen in Review Board, each in the name of who did it."""
    where = {"review_request": create(author)}
    words = {"summary": "Fix the parser", "description": "It met a\nline end & “quotes”.", "people": "rita"}
    drafted = author.functions.call("review_board-update-draft", {**where, **words})
    hidden = reviewer.functions.call("review_board-get-review-request", where)
    published = author.functions.call("review_board-publish-review-request", where)
    asked = list(reviewer.functions.items("review_board-list-review-requests", {"to_user": "rita"}))
    reviewed = reviewer.functions.call("review_board-create-review", {**where, "text": "Good", "ship_it": True})
    reviews = list(author.functions.items("review_board-list-reviews", where))
    end = {"status": "submitted", "description": "In trunk."}
    closed = author.functions.call("review_board-close-review-request", {**where, **end})
    shown = author.functions.call("review_board-get-review-request", where)

    assert ("200", "Fix the parser") == (drafted.network_code, drafted.output["draft"]["summary"])
    assert ("403", 101) == (hidden.network_code, hidden.output["err"]["code"])
    assert ["200", "201", "200"] == [each.network_code for each in (published, reviewed, closed)]
    assert [where["review_request"]] == [each["id"] for each in asked]
    assert [("Good", True, "rita")] == [(each["body_top"], each["ship_it"], title(each, "user")) for each in reviews]
    assert "alan" == title(shown.output, "submitter")
    assert ["Fix the parser", words["description"], "submitted", "In trunk."] == [
        shown.output[key] for key in ("summary", "description", "status", "close_description")
    ]


def title(shown: dict[str, dict[str, dict[str, str]]], link: str) -> str:
    """What Review Board calls a thing that it links to."""
    return shown["links"][link]["title"]


def test_every_group_comes_once(administrator: Client, author: Client) -> None:
    """Pages of fifty, one after the other by next_page, give every group exactly once and end with an empty one."""
    pages = pages_of(author, "review_board-list-groups")
    found = [group["name"] for page in pages for group in page.output]

    assert [50, len(GROUPS) - 50] == [len(page.output) for page in pages]
    assert GROUPS == sorted(found)
    some = list(author.functions.items("review_board-list-groups", {"search": "group-5"}))
    assert ["group-50", "group-51", "group-52"] == sorted(group["name"] for group in some)


def test_dropdowns_come_from_review_board(administrator: Client, author: Client) -> None:
    """The sources of a form's dropdowns list people by user name and groups by name, and can be searched."""
    listing = "review_board-list-review-requests"

    assert ["alan"] == list(choices(author, listing, "from_user", search="ala"))
    assert "GROUP-07" in choices(author, listing, "to_group").values()
    assert [] == list(author.functions.items("review_board-list-repositories"))


def test_review_boards_refusals_are_relayed(administrator: Client, author: Client) -> None:
    """Its error bodies and statuses come through as executed calls, and the account stays as it was."""
    where = {"review_request": create(author)}
    calls = [
        ("review_board-update-draft", {**where, "people": "nobody-at-all"}),
        ("review_board-publish-review-request", where),
        ("review_board-get-review-request", {"review_request": 999_999}),
        ("review_board-create-group", {"name": "mine", "display_name": "Mine"}),
    ]
    refusals = [author.functions.call(name, arguments) for name, arguments in calls]
    taken = administrator.functions.call("review_board-create-group", {"name": "group-01", "display_name": "Again"})

    assert [("400", 105), ("500", 225), ("404", 100), ("403", 101), ("409", 223)] == [
        (each.network_code, each.output["err"]["code"]) for each in (*refusals, taken)
    ]
    assert "target_people" in refusals[0].output["fields"]


def test_a_missing_scope_is_relayed(at_review_board: ReviewBoardWorld, author: Client) -> None:
    """What the user's consent does not cover is Review Board's 403, and no reason to reconnect."""
    answer = author.functions.passthrough("review_board", "GET", "/webhooks/")
    (account,) = at_review_board.front.accounts("author")

    assert ("403", 112) == (answer.network_code, answer.output["err"]["code"])
    assert "active" == account.state
