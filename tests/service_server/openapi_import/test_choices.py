"""Choices: for an id that a function takes, the list it is found in, with what that list needs in turn."""

from typing import Any

import pytest

from tests.service_server.openapi_import.made_documents import (
    TEXT,
    answer,
    document,
    holding,
    in_path,
    in_query,
    json_body,
    taken,
)

ITEMS = {"type": "array", "items": holding(id={"type": "integer"}, name=TEXT)}


def listed(identifier: str, *parameters: dict[str, Any]) -> dict[str, Any]:
    """Return a path item whose GET lists things."""
    return {"get": {"operationId": identifier, "parameters": list(parameters), "responses": answer(ITEMS)}}


def test_sources_are_proposed() -> None:
    """A path's identifier gets the list that its item is in as source, with the parents' identifiers as arguments."""
    project = in_path("project_id", "integer")
    member = json_body(holding(label_ids={"type": "array", "items": {"type": "integer"}}, x=TEXT))
    update = {"operationId": "updateTask", "parameters": [project, in_path("taskId", "integer")], "requestBody": member}
    paths = {
        "/projects": listed("listProjects"),
        "/labels": listed("listLabels", in_query("q")),
        "/projects/{project_id}/tasks": listed("listTasks", project),
        "/projects/{project_id}/tasks/{taskId}": {"put": update},
    }
    imported = taken(document(paths))
    fields = imported.functions["update-task"]["parameters"]["properties"]

    named = {"value": "id", "label": "name"}
    assert {
        "project_id": {"function": "list-projects", **named},
        "taskId": {"function": "list-tasks", "args": {"project_id": "${args.project_id}"}, **named},
        "label_ids": {"function": "list-labels", **named, "search": "q"},
    } == {name: field["x-source"] for name, field in fields.items() if "x-source" in field}
    assert 4 == imported.report.sources


@pytest.mark.parametrize(
    ("path", "name", "kind"),
    [
        ("/things/{id}", "id", "string"),
        ("/things/{owner}/{id}", "id", "integer"),
        ("/others/{id}", "id", "integer"),
        ("/{}", "", "string"),
        ("/{-}", "-", "string"),
    ],
)
def test_sources_that_do_not_fit(path: str, name: str, kind: str) -> None:
    """A list is no source where its values are of another type, only a part, or others; or where no word names them."""
    one = {path: {"get": {"parameters": [in_path(name, kind)]}}}

    assert 0 == taken(document({"/things": listed("listThings"), "/": listed("listAll"), **one})).report.sources


TEAM_ID, PROJECT_ID = in_path("team_id", "integer"), in_path("project_id", "integer")
TEAM_ASKED, PROJECT_ASKED, BOARD_ASKED = (
    in_query(f"{name}_id", "integer", required=True) for name in ("team", "project", "board")
)
TEAMS = {"/me/teams": listed("listTeams")}
PROJECTS = {"/teams/{team_id}/projects": listed("listProjects", TEAM_ID)}
BOARDS = {"/boards": listed("listBoards", PROJECT_ASKED)}
TEAM = {"function": "list-teams", "value": "id", "label": "name"}
PROJECT = {"function": "list-projects", "args": {"team_id": "${args.team_id}"}, "value": "id", "label": "name"}
BOARD = {"function": "list-boards", "args": {"project_id": "${args.project_id}"}, "value": "id", "label": "name"}


@pytest.mark.parametrize(
    ("lists", "path", "parameters", "sources"),
    [
        # a list elsewhere, a bare id, a parent that is another argument, one or two arguments that only narrow
        (TEAMS, "/teams/{team_id}/close", [TEAM_ID], {"team_id": TEAM}),
        (TEAMS, "/teams/{id}", [in_path("id", "integer")], {"id": TEAM}),
        (TEAMS | PROJECTS, "/copies", [TEAM_ASKED, PROJECT_ASKED], {"team_id": TEAM, "project_id": PROJECT}),
        (TEAMS | PROJECTS, "/projects/{project_id}", [PROJECT_ID], {"team_id": TEAM, "project_id": PROJECT}),
        (
            TEAMS | PROJECTS | BOARDS,
            "/columns",
            [BOARD_ASKED],
            {"team_id": TEAM, "project_id": PROJECT, "board_id": BOARD},
        ),
        # nothing lists the parents; and nothing is added for what may be left out
        (PROJECTS, "/projects/{project_id}", [PROJECT_ID], {}),
        (TEAMS | PROJECTS, "/copies", [PROJECT_ASKED | {"required": False}], {}),
    ],
)
def test_chained_choices(
    lists: dict[str, Any], path: str, parameters: list[dict[str, Any]], sources: dict[str, Any]
) -> None:
    """
    An id is chosen from a list wherever it stands, with what the list needs from the other arguments.

    What no argument says is asked for by one more, which is sent nowhere and needn't be given.
    """
    post = {"operationId": "changeIt", "parameters": parameters}
    [*_, function] = taken(document({**lists, path: {"post": post}})).functions.values()
    fields = function["parameters"]["properties"]

    assert sources == {name: each["x-source"] for name, each in fields.items() if "x-source" in each}
    assert {each["name"] for each in parameters if each["required"]} == set(function["parameters"].get("required", ()))
    added = fields.keys() - {each["name"] for each in parameters}
    assert not [name for name in added if name in str(function["request"])]


def test_names_in_bodies() -> None:
    """A body's `project` is an id where its description or its example says so, and a name where neither does."""
    schemas = {
        "project": {"type": "string", "description": "The gid of a project."},
        "team": {"type": "string", "example": "123456"},
        "tag": {"type": "string", "description": "What it is about."},
    }
    listed = {"responses": answer({"type": "array", "items": holding(gid=TEXT, name=TEXT)})}
    lists = {f"/{name}s": {"get": listed} for name in schemas}
    post = {"operationId": "createTask", "requestBody": json_body({"properties": schemas})}
    imported = taken(document({**lists, "/tasks": {"post": post}}))
    fields = imported.functions["create-task"]["parameters"]["properties"]

    assert {"project": "gid", "team": "gid"} == {
        name: each["x-source"]["value"] for name, each in fields.items() if "x-source" in each
    }


def test_a_number_is_text_where_the_list_has_texts() -> None:
    """An id that the document calls a number in a path, and a text in the list of such things, is a text of digits."""
    texts = answer({"type": "array", "items": holding(id=TEXT)})
    close = {"operationId": "closeTeam", "parameters": [in_path("team_id", "number", example=123)]}
    paths = {
        "/teams": {"get": {"operationId": "listTeams", "responses": texts}},
        "/teams/{team_id}/close": {"post": close},
    }
    function = taken(document(paths)).functions["close-team"]
    field = function["parameters"]["properties"]["team_id"]

    assert ("string", r"^-?\d+$") == (field["type"], field["pattern"])
    assert {"function": "list-teams", "value": "id", "label": "id"} == field["x-source"]
    assert {"team_id": "123"} == function["examples"][0]["arguments"]


REFERENCE = holding(
    "id",
    "type",
    id={"type": "integer", "readOnly": True},
    type={"type": "string", "enum": ["team_reference"], "readOnly": True},
    summary={"type": "string", "readOnly": True},
)


def referring(schema: dict[str, Any]) -> dict[str, Any]:
    """Import an operation whose body this is, beside a list of teams; returns its file."""
    operation = {"operationId": "createTask", "requestBody": json_body(schema)}
    return taken(document({**TEAMS, "/tasks": {"post": operation}})).functions["create-task"]


@pytest.mark.parametrize("shown", ["team", "teams"])
def test_references_are_chosen(shown: str) -> None:
    """An object that may only be read, but has an id that is needed, is sent with its id, out of the list of such."""
    one = REFERENCE if shown == "team" else {"type": "array", "items": REFERENCE}
    function = referring(holding(name=TEXT, **{shown: one}))
    field = function["parameters"]["properties"][shown]
    members = field.get("items", field)["properties"]

    assert ["id", "type"] == list(members)
    assert TEAM == members["id"]["x-source"]
    assert "team_reference" == members["type"]["default"]


def test_the_id_in_a_wrapper_is_called_like_it() -> None:
    """Where a body holds nothing but a reference, the argument is called by what it refers to."""
    function = referring(holding("team", team=REFERENCE))
    [(name, field)] = function["parameters"]["properties"].items()

    assert ("team_id", "Team ID", TEAM) == (name, field["title"], field["x-source"])
    assert {"team": {"id": "${args.team_id}", "type": "team_reference"}} == function["request"]["body"]
