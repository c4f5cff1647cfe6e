"""Choices: for an id that a function takes, the list it is found in, with what that list needs in turn."""

from typing import Any

import pytest

from tests.service_server.openapi_import.made_documents import JSON_ANSWER, answer, document, json_body, taken

ITEMS = {
    "type": "array",
    "items": {"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}},
}


def test_sources_are_proposed() -> None:
    """A path's identifier gets the list that its item is in as source, with the parents' identifiers as arguments."""
    project = {"name": "project_id", "in": "path", "required": True, "schema": {"type": "integer"}}
    task = {"name": "taskId", "in": "path", "required": True, "schema": {"type": "integer"}}
    member = json_body(
        {
            "type": "object",
            "properties": {"label_ids": {"type": "array", "items": {"type": "integer"}}, "x": {"type": "string"}},
        }
    )
    imported = taken(
        document(
            {
                "/projects": {"get": {"operationId": "listProjects", "responses": answer(ITEMS)}},
                "/labels": {
                    "get": {
                        "operationId": "listLabels",
                        "parameters": [{"name": "q", "in": "query", "schema": {"type": "string"}}],
                        "responses": answer(ITEMS),
                    }
                },
                "/projects/{project_id}/tasks": {
                    "get": {"operationId": "listTasks", "parameters": [project], "responses": answer(ITEMS)}
                },
                "/projects/{project_id}/tasks/{taskId}": {
                    "put": {
                        "operationId": "updateTask",
                        "parameters": [project, task],
                        "requestBody": member,
                        "responses": JSON_ANSWER,
                    }
                },
            }
        )
    )
    fields = imported.functions["update-task"]["parameters"]["properties"]

    assert {"function": "list-projects", "value": "id", "label": "name"} == fields["project_id"]["x-source"]
    assert {
        "function": "list-tasks",
        "args": {"project_id": "${args.project_id}"},
        "value": "id",
        "label": "name",
    } == fields["taskId"]["x-source"]
    assert {"function": "list-labels", "value": "id", "label": "name", "search": "q"} == fields["label_ids"]["x-source"]
    assert 4 == imported.report.sources


@pytest.mark.parametrize(
    ("path", "schema"),
    [
        ("/things/{id}", {"type": "string"}),
        ("/things/{owner}/{id}", {"type": "integer"}),
        ("/others/{id}", {"type": "integer"}),
    ],
)
def test_sources_that_do_not_fit(path: str, schema: dict[str, Any]) -> None:
    """A list is no source where its values are of another type, are only a part of the identifier, or are others."""
    parameter = {"name": "id", "in": "path", "required": True, "schema": schema}
    made = document(
        {
            "/things": {"get": {"responses": answer(ITEMS)}},
            path: {"get": {"parameters": [parameter], "responses": JSON_ANSWER}},
        }
    )
    assert 0 == taken(made).report.sources


def in_path(name: str, kind: str = "integer") -> dict[str, Any]:
    """Return a parameter of a path."""
    return {"name": name, "in": "path", "required": True, "schema": {"type": kind}}


def listed_at(identifier: str, *parameters: dict[str, Any]) -> dict[str, Any]:
    """Return a path item whose GET lists things."""
    return {"get": {"operationId": identifier, "parameters": list(parameters), "responses": answer(ITEMS)}}


IN_QUERY = {"in": "query", "required": True, "schema": {"type": "integer"}}
TEAMS = {"/me/teams": listed_at("listTeams")}
PROJECTS = {"/teams/{team_id}/projects": listed_at("listProjects", in_path("team_id"))}
BOARDS = {"/boards": listed_at("listBoards", {"name": "project_id", **IN_QUERY})}
TEAM = {"function": "list-teams", "value": "id", "label": "name"}
PROJECT = {"function": "list-projects", "args": {"team_id": "${args.team_id}"}, "value": "id", "label": "name"}


@pytest.mark.parametrize(
    ("lists", "path", "parameters", "sources"),
    [
        pytest.param(TEAMS, "/teams/{team_id}/close", [in_path("team_id")], {"team_id": TEAM}, id="list elsewhere"),
        pytest.param(TEAMS, "/teams/{id}", [in_path("id")], {"id": TEAM}, id="a bare id"),
        pytest.param(
            TEAMS | PROJECTS,
            "/copies",
            [{"name": "team_id", **IN_QUERY}, {"name": "project_id", **IN_QUERY}],
            {"team_id": TEAM, "project_id": PROJECT},
            id="the parent is another argument",
        ),
        pytest.param(
            TEAMS | PROJECTS,
            "/projects/{project_id}",
            [in_path("project_id")],
            {"team_id": TEAM, "project_id": PROJECT},
            id="an argument that only narrows",
        ),
        pytest.param(
            TEAMS | PROJECTS | BOARDS,
            "/columns",
            [{"name": "board_id", **IN_QUERY}],
            {
                "team_id": TEAM,
                "project_id": PROJECT,
                "board_id": {
                    "function": "list-boards",
                    "args": {"project_id": "${args.project_id}"},
                    "value": "id",
                    "label": "name",
                },
            },
            id="two that narrow",
        ),
        pytest.param(PROJECTS, "/projects/{project_id}", [in_path("project_id")], {}, id="nothing lists the parents"),
        pytest.param(
            TEAMS | PROJECTS,
            "/copies",
            [{"name": "project_id", **IN_QUERY, "required": False}],
            {},
            id="nothing is added for what may be left out",
        ),
    ],
)
def test_chained_choices(
    lists: dict[str, Any], path: str, parameters: list[dict[str, Any]], sources: dict[str, Any]
) -> None:
    """
    An id is chosen from a list wherever it stands, with what the list needs from the other arguments.

    What no argument says is asked for by one more, which is sent nowhere and needn't be given.
    """
    post = {"operationId": "changeIt", "parameters": parameters, "responses": JSON_ANSWER}
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
    item = {"type": "object", "properties": {"gid": {"type": "string"}, "name": {"type": "string"}}}
    lists = {f"/{name}s": {"get": {"responses": answer({"type": "array", "items": item})}} for name in schemas}
    post = {"operationId": "createTask", "requestBody": json_body({"properties": schemas}), "responses": JSON_ANSWER}
    imported = taken(document({**lists, "/tasks": {"post": post}}))
    fields = imported.functions["create-task"]["parameters"]["properties"]

    assert {"project": "gid", "team": "gid"} == {
        name: each["x-source"]["value"] for name, each in fields.items() if "x-source" in each
    }


TEXTS = {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "string"}}}}


def test_a_number_is_text_where_the_list_has_texts() -> None:
    """An id that the document calls a number in a path, and a text in the list of such things, is a text of digits."""
    team = {**in_path("team_id", "number"), "example": 123}
    imported = taken(
        document(
            {
                "/teams": {"get": {"operationId": "listTeams", "responses": answer(TEXTS)}},
                "/teams/{team_id}/close": {
                    "post": {"operationId": "closeTeam", "parameters": [team], "responses": JSON_ANSWER}
                },
            }
        )
    )
    function = imported.functions["close-team"]
    field = function["parameters"]["properties"]["team_id"]

    assert ("string", r"^-?\d+$") == (field["type"], field["pattern"])
    assert {"function": "list-teams", "value": "id", "label": "id"} == field["x-source"]
    assert {"team_id": "123"} == function["examples"][0]["arguments"]


REFERENCE = {
    "type": "object",
    "required": ["id", "type"],
    "properties": {
        "id": {"type": "integer", "readOnly": True},
        "type": {"type": "string", "enum": ["team_reference"], "readOnly": True},
        "summary": {"type": "string", "readOnly": True},
    },
}


@pytest.mark.parametrize("name", ["", "-"])
def test_a_parameter_whose_name_has_no_word(name: str) -> None:
    """No list can be told to be its source, and nothing fails."""
    parameter = {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
    of_one = {"operationId": "getThing", "parameters": [parameter], "responses": JSON_ANSWER}
    lists = {"operationId": "listThings", "responses": answer(ITEMS)}
    imported = taken(document({"/": {"get": lists}, f"/{{{name}}}": {"get": of_one}}))

    assert 0 == imported.report.sources


def referring(schema: dict[str, Any]) -> dict[str, Any]:
    """Import an operation whose body this is, beside a list of teams; returns its file."""
    operation = {"operationId": "createTask", "requestBody": json_body(schema), "responses": JSON_ANSWER}
    return taken(document({**TEAMS, "/tasks": {"post": operation}})).functions["create-task"]


@pytest.mark.parametrize("shown", ["team", "teams"])
def test_references_are_chosen(shown: str) -> None:
    """An object that may only be read, but has an id that is needed, is sent with its id, out of the list of such."""
    one = REFERENCE if shown == "team" else {"type": "array", "items": REFERENCE}
    function = referring({"type": "object", "properties": {"name": {"type": "string"}, shown: one}})
    field = function["parameters"]["properties"][shown]
    members = field.get("items", field)["properties"]

    assert ["id", "type"] == list(members)
    assert TEAM == members["id"]["x-source"]
    assert "team_reference" == members["type"]["default"]


def test_the_id_in_a_wrapper_is_called_like_it() -> None:
    """Where a body holds nothing but a reference, the argument is called by what it refers to."""
    function = referring({"type": "object", "required": ["team"], "properties": {"team": REFERENCE}})
    [(name, field)] = function["parameters"]["properties"].items()

    assert ("team_id", "Team ID", TEAM) == (name, field["title"], field["x-source"])
    assert {"team": {"id": "${args.team_id}", "type": "team_reference"}} == function["request"]["body"]
