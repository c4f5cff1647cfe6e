"""Google's documents, forms and tasks, as the connectors' hooks write and read them."""

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from service_server.catalog.hooks import InvalidRequest
from service_server.onward.values import OnwardRequest
from tests.connectors.building import connector_of, request_of


def request(app: str, function: str, **arguments: Any) -> OnwardRequest:
    """Build the request that a function makes."""
    connector = connector_of(app)
    return request_of(connector, connector.functions[f"{app}-{function}"], arguments)


def change(app: str, function: str, **arguments: Any) -> Any:
    """Return the one change that a function asks for."""
    (only,) = json.loads(request(app, function, **arguments).body)["requests"]
    return only


def read(app: str, function: str, answer: Any) -> Any:
    """Return what a function makes of an answer."""
    return connector_of(app).functions[f"{app}-{function}"].pick(answer)


def paragraph(*elements: dict[str, Any]) -> dict[str, Any]:
    """Return a paragraph of a Google document."""
    return {"paragraph": {"elements": list(elements)}}


def run(text: str) -> dict[str, Any]:
    """Return a text in one style."""
    return {"textRun": {"content": text}}


def tab(title: str, *content: dict[str, Any], below: tuple[Any, ...] = ()) -> dict[str, Any]:
    """Return a tab of a Google document."""
    return {
        "tabProperties": {"tabId": f"t.{title}", "title": title},
        "documentTab": {"body": {"content": list(content)}},
        "childTabs": list(below),
    }


@pytest.mark.parametrize(
    ("app", "function", "kind"), [("google_docs", "list-documents", "document"), ("google_forms", "list-forms", "form")]
)
def test_a_name_stays_a_text(app: str, function: str, kind: str) -> None:
    """An apostrophe in a name that somebody searches for can't end the text."""
    sent = parse_qs(urlsplit(request(app, function, name="Ann's \\ plan").url).query)["q"]

    assert [
        f"mimeType = 'application/vnd.google-apps.{kind}' and trashed = false and name contains 'Ann\\'s \\\\ plan'"
    ] == sent


def test_a_document_is_read_as_plain_text() -> None:
    """Paragraphs, people and tables are read in their order; a single tab needs no title."""
    person = {"person": {"personProperties": {"email": "ada@example.com"}}}
    cell = {"content": [paragraph(run("a\n"))]}
    table = {"table": {"tableRows": [{"tableCells": [cell, cell]}]}}
    content = ({"sectionBreak": {}}, paragraph(run("Hello "), run("World, "), person, run("\n")), table)

    assert {"documentId": "d", "title": "Plans", "text": "Hello World, ada@example.com\na\ta"} == read(
        "google_docs", "read-document", {"documentId": "d", "title": "Plans", "tabs": [tab("One", *content)]}
    )


def test_all_tabs_are_read_and_listed() -> None:
    """Tabs below others belong to the document, too; each text says which tab it is of."""
    tabs = [tab("One", paragraph(run("first\n")), below=(tab("Two", paragraph(run("second\n"))),))]

    assert "One\n\nfirst\n\nTwo\n\nsecond" == read("google_docs", "read-document", {"tabs": tabs})["text"]
    assert ["t.One", "t.Two"] == [each["tabId"] for each in read("google_docs", "list-tabs", {"tabs": tabs})]


def test_text_goes_to_the_end_also_without_a_tab() -> None:
    """The end of a document is an empty object, which Google insists on."""
    assert {"insertText": {"text": "Hi", "endOfSegmentLocation": {}}} == change(
        "google_docs", "append-text", document="d", text="Hi"
    )
    assert {"tabId": "t.1"} == change("google_docs", "append-text", document="d", text="Hi", tab="t.1")["insertText"][
        "endOfSegmentLocation"
    ]


@pytest.mark.parametrize(("given", "size"), [({}, None), ({"width": 72}, {"width": {"magnitude": 72, "unit": "PT"}})])
def test_an_image_is_as_large_as_it_is_unless_somebody_says(given: dict[str, Any], size: Any) -> None:
    """A width is one in points; none is sent where none is given."""
    sent = change("google_docs", "insert-image", document="d", url="https://example.com/a.png", **given)

    assert size == sent["insertInlineImage"].get("objectSize")


def test_choices_are_options() -> None:
    """Each answer is an option; another answer may be one, too; the question goes to the beginning if nobody says."""
    sent = change(
        "google_forms", "add-choice-question", form="f", question="Q", kind="RADIO", options=["A", "B"], other=True
    )["createItem"]

    assert [{"value": "A"}, {"value": "B"}, {"isOther": True}] == sent["item"]["questionItem"]["question"][
        "choiceQuestion"
    ]["options"]
    assert {"index": 0} == sent["location"]


def test_places_are_counted() -> None:
    """Items have the places by which they are changed; a new one can go before each of them and to the end."""
    answer = {"items": [{"itemId": "a", "title": "Name"}, {"itemId": "b"}]}
    items = read("google_forms", "list-items", answer)
    places = read("google_forms", "list-positions", answer)

    assert [(0, "Name"), (1, "Item 2")] == [(each["position"], each["title"]) for each in items]
    assert [(2, "At the end"), (0, "Name"), (1, "Item 2")] == [(each["position"], each["title"]) for each in places]
    assert [{"position": 0, "title": "At the end"}] == read("google_forms", "list-positions", {})


def test_only_what_is_given_of_a_form_is_changed() -> None:
    """The names of the values that are given go with them; a call without any is refused."""
    sent = change("google_forms", "update-form", form="f", description="Two minutes")["updateFormInfo"]

    assert {"info": {"description": "Two minutes"}, "updateMask": "description"} == sent
    with pytest.raises(InvalidRequest):
        request("google_forms", "update-form", form="f")


@pytest.mark.parametrize(("given", "due"), [({}, None), ({"due": "2026-12-01"}, "2026-12-01T00:00:00.000Z")])
def test_a_task_is_due_on_a_day(given: dict[str, Any], due: str | None) -> None:
    """Google wants a moment where it keeps a day; nothing is sent where there is none."""
    sent = json.loads(request("google_tasks", "create-task", list="l", title="Buy milk", **given).body)

    assert due == sent.get("due")
