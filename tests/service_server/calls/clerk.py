"""A connector of the sandbox app that asks for less than all of its functions need, and counts its requests."""

from pathlib import Path
from typing import Any

from tests.service_server.catalog.connector_folder import BY_API_KEY, ConnectorFolder, known_at
from tests.service_server.function_files import mutation, query

HOOKS = '''
from service_server.catalog.hooks import InvalidRequest


def ticket(arguments):
    """Split one line into title and project."""
    title, _, project = arguments["line"].partition("@")
    if title == "defect":
        raise KeyError(arguments["line"])
    if not project:
        raise InvalidRequest("line", "must name a project after an @")
    return {"title": title, "project": project}


def names(body):
    """Keep the names."""
    if any("email" in item for item in body["items"]):
        raise KeyError("people")
    return [item["name"] for item in body["items"]]
'''


def clerk() -> ConnectorFolder:
    """Return the connector `clerk`."""
    oauth = {
        "id": "oauth",
        "type": "oauth2_code",
        "title": "Sign in to Tickets",
        "authorize_url": "${vars.base_url}/oauth/authorize",
        "token_url": "${vars.base_url}/oauth/token",
        "scopes": {"default": ["tickets:read"]},
        "inject": {"header": {"Authorization": "Bearer ${token.access_token}"}},
    }
    address = {"title": "Address", "set_by": "operator", "format": "uri"}
    connector = known_at("${vars.base_url}/api/v1", oauth, BY_API_KEY, name="clerk", title="Clerk")
    connector["vars"] = {"base_url": address}
    ticket = {"title": "${prepared.title}", "project_id": "${prepared.project}"}
    made = {"title": "Create a ticket", "scopes": ["tickets:write"], "prepare": "ticket"}
    functions = {
        "list-projects": query({"get": "/projects"}, scopes=["tickets:read"]),
        "list-labels": query({"get": "/labels"}, scopes=[["tickets:admin", "tickets:read"]]),
        "list-names": query({"get": "/projects"}, reshape="names"),
        "list-people": query({"get": "/users"}, reshape="names", auth=["key"]),
        "create-ticket": mutation({"post": "/tickets", "body": ticket}, "line", required=["line"], **made),
    }
    return ConnectorFolder(connector, functions, hooks=HOOKS)


def write_clerk(directory: Path, name: str = "clerk", **changes: Any) -> Path:
    """Write the connector below a directory, under a name and with keys of it changed; return the directory."""
    folder = clerk()
    folder.connector.update(changes, name=name)
    folder.write(directory, name)
    return directory
