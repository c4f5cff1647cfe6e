"""Microsoft's files, workbooks and lists, as the connectors ask for them and read them."""

import json
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from service_server.catalog.hooks import InvalidRequest
from service_server.onward.values import OnwardRequest
from tests.connectors.building import connector_of, request_of

GRAPH = "https://graph.microsoft.com/v1.0"


def request(app: str, function: str, **arguments: Any) -> OnwardRequest:
    """Build the request that a function makes."""
    connector = connector_of(app)
    return request_of(connector, connector.functions[f"{app}-{function}"], arguments)


def path_of(app: str, function: str, **arguments: Any) -> str:
    """Return the path of a function's request, decoded."""
    return unquote(urlsplit(request(app, function, **arguments).url).path)


def body_of(app: str, function: str, **arguments: Any) -> Any:
    """Return the body of a function's request."""
    return json.loads(request(app, function, **arguments).body)


def read(app: str, function: str, answer: Any) -> Any:
    """Return what a function makes of an answer."""
    return connector_of(app).functions[f"{app}-{function}"].pick(answer)


@pytest.mark.parametrize(
    ("app", "given", "drive"),
    [("onedrive", {}, "/v1.0/me/drive"), ("sharepoint", {"library": "b1"}, "/v1.0/drives/b1")],
)
def test_files_are_listed_or_searched(app: str, given: dict[str, Any], drive: str) -> None:
    """A folder is listed, the top one if nobody says; a search goes elsewhere, and an apostrophe can't end its text."""
    assert f"{drive}/items/root/children" == path_of(app, "list-files", **given)
    assert f"{drive}/items/f1/children" == path_of(app, "list-folders", folder="f1", **given)
    assert f"{drive}/items/f1/search(q='Ann''s'') or (''')" == path_of(
        app, "list-files", search="Ann's') or ('", folder="f1", **given
    )


@pytest.mark.parametrize(("app", "given"), [("onedrive", {}), ("sharepoint", {"library": "b1"})])
def test_files_and_folders_are_told_apart(app: str, given: dict[str, Any]) -> None:
    """Microsoft lists both together; a folder is none of the files."""
    answer = {"value": [{"id": "1", "folder": {"childCount": 0}}, {"id": "2", "file": {"mimeType": "text/plain"}}]}

    assert ["2"] == [each["id"] for each in read(app, "list-files", answer)]
    assert ["1"] == [each["id"] for each in read(app, "list-folders", answer)]


def test_a_name_can_not_leave_its_folder() -> None:
    """A slash in a file's name is part of the name, which Microsoft refuses, and never leads to another folder."""
    sent = request("onedrive", "upload-file", parent="root", name="../a:/b.txt", file="https://example.com/a.txt")

    assert f"{GRAPH}/me/drive/items/root:/..%2Fa%3A%2Fb.txt:/content" == sent.url
    assert b"content" == sent.body


@pytest.mark.parametrize(("given", "sent"), [({}, True), ({"send_invitation": False}, False)])
def test_people_are_told_of_what_is_shared(given: dict[str, Any], sent: bool) -> None:
    """Addresses become recipients, who get an e-mail unless somebody says otherwise."""
    body = body_of("onedrive", "share-with-people", file="f", emails=["ada@example.com"], role="read", **given)

    assert {"recipients": [{"email": "ada@example.com"}], "roles": ["read"], "sendInvitation": sent} == {
        key: body[key] for key in ("recipients", "roles", "sendInvitation")
    }


def test_who_has_access_has_a_name() -> None:
    """A permission is of a person, of somebody who was invited, or a link."""
    permissions = [
        {"id": "1", "grantedToV2": {"user": {"displayName": "Ada"}}},
        {"id": "2", "invitation": {"email": "bob@example.com"}},
        {"id": "3", "link": {"webUrl": "https://1drv.ms/x"}},
        {"id": "4"},
    ]
    listed = read("onedrive", "list-permissions", {"value": permissions})

    assert ["Ada", "bob@example.com", "https://1drv.ms/x", "4"] == [each["label"] for each in listed]


def test_a_row_has_all_its_cells() -> None:
    """Excel takes whole rows: what isn't given is empty, and keys of columns tell places and the width."""
    columns = read("excel", "list-columns", {"value": [{"name": "What"}, {"name": "Paid"}, {"name": "On"}]})
    row = {columns[0]["key"]: "coffee", columns[2]["key"]: "Monday"}

    assert ["1 of 3", "2 of 3", "3 of 3"] == [each["key"] for each in columns]
    assert [["coffee", None, "Monday"]] == body_of("excel", "add-row", workbook="w", table="t", row=row)["values"]


@pytest.mark.parametrize(
    "row", [{}, {"A": 1}, {"0 of 2": 1}, {"3 of 2": 1}, {"1 of 99999": 1}, {"1 of 2": 1, "1 of 3": 1}]
)
def test_a_row_of_no_table_is_refused(row: dict[str, Any]) -> None:
    """A key that is no place of one table is refused at the row."""
    with pytest.raises(InvalidRequest) as problem:
        request("excel", "add-row", workbook="w", table="t", row=row)

    assert "row" == problem.value.field


def test_cells_are_named_in_the_path() -> None:
    """The range is one segment with the function that has it, and the sheet another."""
    sent = request("excel", "get-cells", workbook="w", sheet="May/June", cells="A1:B2")

    assert sent.url.endswith("/worksheets/May%2FJune/range(address='A1%3AB2')")


@pytest.mark.parametrize(("given", "text"), [({}, ".xlsx"), ({"search": "Ann's"}, "Ann''s")])
def test_workbooks_are_found_as_files(given: dict[str, Any], text: str) -> None:
    """All workbooks are found by their extension; other files that have the text are left out."""
    answer = {"value": [{"name": "a.xlsx", "file": {"hashes": {}}}, {"name": "a.docx", "file": {"hashes": {}}}]}

    assert f"/v1.0/me/drive/items/root/search(q='{text}')" == path_of("excel", "list-workbooks", **given)
    assert ["a.xlsx"] == [each["name"] for each in read("excel", "list-workbooks", answer)]


def test_columns_of_a_list_have_types() -> None:
    """What a column holds is told by the key that is there, also an empty one; what can't be written is left out."""
    columns = [
        {"name": "Title", "displayName": "Title", "required": True, "text": {"allowMultipleLines": False}},
        {"name": "Notes", "displayName": "Notes", "text": {"allowMultipleLines": True}},
        {"name": "Paid", "displayName": "Paid", "boolean": {}},
        {"name": "Price", "displayName": "Price", "number": {}},
        {"name": "Day", "displayName": "Day", "dateTime": {"format": "dateOnly"}},
        {"name": "At", "displayName": "At", "dateTime": {"format": "dateTime"}},
        {"name": "State", "displayName": "State", "choice": {"choices": ["New", "Done"]}},
        {"name": "ID", "displayName": "ID", "readOnly": True, "number": {}},
        {"name": "Hidden", "displayName": "Hidden", "hidden": True},
    ]
    listed = read("sharepoint", "list-columns", {"value": columns})

    assert ["text", "multiline", "boolean", "number", "date", "datetime", "text"] == [each["type"] for each in listed]
    assert [["New", "Done"]] == [each["choices"] for each in listed if each["choices"]]


@pytest.mark.parametrize(("given", "text"), [({}, "*"), ({"search": "Marketing"}, "Marketing")])
def test_all_sites_are_found_without_a_text(given: dict[str, Any], text: str) -> None:
    """Microsoft finds no sites without a text, and all of them by an asterisk."""
    assert [text] == parse_qs(urlsplit(request("sharepoint", "list-sites", **given).url).query)["search"]
