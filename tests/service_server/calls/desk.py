"""A connector of the sandbox app whose one mutation takes ids of five kinds, which source functions list."""

from pathlib import Path
from typing import Any

from tests.service_server.catalog.connector_folder import BY_API_KEY, ConnectorFolder, known_at, parameter
from tests.service_server.function_files import mutation, query

_TAKEN = ("text", "field", "project", "person", "ticket", "watchers", "lead")
_BY_CURSOR = {"type": "cursor", "send": "query.cursor", "next": "body.next_cursor", "limit": "query.limit", "size": 20}


def write_desk(directory: Path, address: str) -> Path:
    """Write the connector `desk` below a directory, and return the directory."""
    connector = known_at(f"{address}/api/v1", BY_API_KEY, name="desk", pagination={"by_cursor": _BY_CURSOR})
    functions = {
        "list-projects": _lists("/projects", "query"),
        "list-people": _lists("/users"),
        "list-tickets": _lists("/tickets"),
        "list-fields": query({"get": "/projects/${args.project}/custom-fields"}, "project", required=["project"]),
        # There is one team, of those who are signed in.
        "list-teams": query({"get": "/me"}, output="[@]"),
        "list-leads": _lists("/users", "team", "floor", "room", required=["team", "floor"]),
        "add-note": _add_note(),
    }
    ConnectorFolder(connector, functions).write(directory, "desk")
    return directory


def _lists(path: str, *names: str, **keys: Any) -> dict[str, Any]:
    request = {"get": path, "query": {name: f"${{args.{name}?}}" for name in names}}
    return query(request, *names, paginate="by_cursor", output="items", **keys)


def _add_note() -> dict[str, Any]:
    def listed(title: str, function: str, label: str = "name", kind: str = "string", **source: Any) -> dict[str, Any]:
        value = "key" if function == "list-fields" else "id"
        schema = parameter(kind, title=title, description=f"The {title.lower()}.")
        return schema | {"x-source": {"function": function, "value": value, "label": label, **source}}

    of_project = {"project": "${args.project}"}
    of_team = {"team": "${args.team}", "floor": "${args.floor}", "room": "${args.room?}"}
    properties = {
        "text": parameter(title="Text", description="What to note."),
        "field": listed("Field", "list-fields", args=of_project),
        "project": listed("Project", "list-projects", search="query"),
        "person": listed("Person", "list-people"),
        "ticket": listed("Ticket", "list-tickets", "title", "number"),
        "watchers": listed("Watchers", "list-people", kind="array") | {"items": {"type": "string"}},
        "team": listed("Team", "list-teams"),
        "floor": parameter(title="Floor", description="On which floor.", default="first"),
        "room": listed("Room", "list-teams"),
        "lead": listed("Lead", "list-leads", args=of_team),
    }
    words = {"title": "Add a note", "description": "Add a note to a ticket of Desk."}
    body = {name: f"${{args.{name}?}}" for name in _TAKEN}
    return mutation({"post": "/notes", "body": body}, takes=properties, required=["text", "ticket"], **words)
