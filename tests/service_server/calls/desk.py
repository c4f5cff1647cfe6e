"""A connector of the sandbox app whose one mutation takes ids of five kinds, which source functions list."""

from pathlib import Path
from typing import Any

from tests.service_server.catalog.connector_folder import ConnectorFolder, minimal_function, parameter

_TAKEN = ("text", "field", "project", "person", "ticket", "watchers", "lead")


def write_desk(directory: Path, address: str) -> Path:
    """Write the connector `desk` below a directory, and return the directory."""
    search = {"properties": {"query": parameter()}, "type": "object"}
    ConnectorFolder(
        connector={
            "name": "desk",
            "title": "Desk",
            "description": "Notes on tickets.",
            "base_url": f"{address}/api/v1",
            "auth": [
                {
                    "id": "key",
                    "type": "api_key",
                    "title": "API key",
                    "fields": {"api_key": {"title": "API key"}},
                    "inject": {"header": {"X-Api-Key": "${creds.api_key}"}},
                }
            ],
            "test": {"get": "/me"},
            "account": {"id": "${test.id}", "name": "${test.name}"},
            "pagination": {
                "by_cursor": {
                    "type": "cursor",
                    "send": "query.cursor",
                    "next": "body.next_cursor",
                    "limit": "query.limit",
                    "size": 20,
                }
            },
        },
        functions={
            "list-projects": _lists("/projects") | {"parameters": search},
            "list-people": _lists("/users"),
            "list-tickets": _lists("/tickets"),
            "list-fields": _list_fields(),
            # There is one team, of those who are signed in.
            "list-teams": minimal_function() | {"request": {"get": "/me"}, "output": "[@]"},
            "list-leads": _list_leads(),
            "add-note": _add_note(),
        },
    ).write(directory, "desk")
    return directory


def _lists(path: str) -> dict[str, Any]:
    request = {"get": path, "query": {"query": "${args.query?}"}} if path == "/projects" else {"get": path}
    return minimal_function() | {"request": request, "paginate": "by_cursor", "output": "items"}


def _list_fields() -> dict[str, Any]:
    parameters = {"type": "object", "required": ["project"], "properties": {"project": parameter()}}
    request = {"get": "/projects/${args.project}/custom-fields"}
    return minimal_function() | {"request": request, "parameters": parameters}


def _list_leads() -> dict[str, Any]:
    names = ("team", "floor", "room")
    parameters = {"type": "object", "required": ["team", "floor"], "properties": {each: parameter() for each in names}}
    request = {"get": "/users", "query": {each: f"${{args.{each}?}}" for each in names}}
    return _lists("/users") | {"request": request, "parameters": parameters}


def _add_note() -> dict[str, Any]:
    def listed(title: str, function: str, label: str = "name", kind: str = "string", **source: Any) -> dict[str, Any]:
        value = "key" if function == "list-fields" else "id"
        schema = parameter(kind, title=title, description=f"The {title.lower()}.")
        return schema | {"x-source": {"function": function, "value": value, "label": label, **source}}

    watchers = listed("Watchers", "list-people", kind="array") | {"items": {"type": "string"}}
    return minimal_function() | {
        "type": "mutation",
        "title": "Add a note",
        "description": "Add a note to a ticket of Desk.",
        "request": {"post": "/notes", "body": {name: f"${{args.{name}?}}" for name in _TAKEN}},
        "parameters": {
            "type": "object",
            "required": ["text", "ticket"],
            "properties": {
                "text": parameter(title="Text", description="What to note."),
                "field": listed("Field", "list-fields", args={"project": "${args.project}"}),
                "project": listed("Project", "list-projects", search="query"),
                "person": listed("Person", "list-people"),
                "ticket": listed("Ticket", "list-tickets", "title", "number"),
                "watchers": watchers,
                "team": listed("Team", "list-teams"),
                "floor": parameter(title="Floor", description="On which floor.", default="first"),
                "room": listed("Room", "list-teams"),
                "lead": listed(
                    "Lead",
                    "list-leads",
                    args={"team": "${args.team}", "floor": "${args.floor}", "room": "${args.room?}"},
                ),
            },
        },
    }
