"""The REST API under /api/v1."""

from collections.abc import Mapping
from typing import Any

from attrs import asdict

from examples.sandbox_app.credentials import Caller, Credentials
from examples.sandbox_app.messages import Refusal, Request, Response, json_response, no_content
from examples.sandbox_app.paging import MAX_LIMIT, MAX_NUMBER, page_of, single, whole_number
from examples.sandbox_app.routes import Route
from examples.sandbox_app.ticket_checks import check_change, check_new, describe_custom_field
from examples.sandbox_app.workspaces import STATUSES, Member, Project, Ticket, Workspace


class Api:
    """Answers the API calls; `workspaces` is looked up at each call, so that a reset shows at once."""

    def __init__(self, url: str, credentials: Credentials, workspaces: Mapping[str, Workspace]) -> None:
        self._url = url
        self._credentials = credentials
        self._workspaces = workspaces

    def routes(self) -> tuple[Route, ...]:
        """Every call of the API."""
        return (
            Route("GET", "/api/v1/me", self.show_me),
            Route("GET", "/api/v1/projects", self.list_projects),
            Route("GET", "/api/v1/projects/{project_id}", self.show_project),
            Route("GET", "/api/v1/projects/{project_id}/custom-fields", self.list_custom_fields),
            Route("GET", "/api/v1/labels", self.list_labels),
            Route("GET", "/api/v1/users", self.list_users),
            Route("GET", "/api/v1/tickets", self.list_tickets),
            Route("POST", "/api/v1/tickets", self.create_ticket),
            Route("GET", "/api/v1/tickets/{ticket_id}", self.show_ticket),
            Route("PATCH", "/api/v1/tickets/{ticket_id}", self.change_ticket),
            Route("DELETE", "/api/v1/tickets/{ticket_id}", self.delete_ticket),
            Route("GET", "/api/v1/events", self.list_events),
        )

    def show_me(self, request: Request) -> Response:
        """Say whose credential this is."""
        caller = self._credentials.require(request, None)
        workspace = self._workspace(caller)
        user = caller.user
        return json_response(
            {
                "id": user.id,
                "username": user.username,
                "name": user.name,
                "email": user.email,
                "workspace": {"id": workspace.id, "name": workspace.name},
            }
        )

    def list_projects(self, request: Request) -> Response:
        """List projects, optionally those whose name holds `query`."""
        _, workspace = self._reader(request)
        return json_response(_search_page(request, list(workspace.projects.values()), _show_project))

    def show_project(self, request: Request, project_id: str) -> Response:
        """Show one project."""
        _, workspace = self._reader(request)
        return json_response(_show_project(_find_project(workspace, project_id)))

    def list_custom_fields(self, request: Request, project_id: str) -> Response:
        """List the fields that the tickets of a project have in addition."""
        _, workspace = self._reader(request)
        project = _find_project(workspace, project_id)
        return json_response([describe_custom_field(field) for field in project.custom_fields])

    def list_labels(self, request: Request) -> Response:
        """List the labels in use."""
        _, workspace = self._reader(request)
        return json_response([{"id": name, "name": name, "color": color} for name, color in workspace.labels.items()])

    def list_users(self, request: Request) -> Response:
        """List members, optionally those whose name holds `query`."""
        _, workspace = self._reader(request)
        return json_response(_search_page(request, list(workspace.members.values()), asdict))

    def list_tickets(self, request: Request) -> Response:
        """List tickets, oldest first, optionally of one project or status."""
        _, workspace = self._reader(request)
        project_id, status = single(request, "project_id"), single(request, "status")
        if project_id is not None and project_id not in workspace.projects:
            raise Refusal(404, "not_found", "There is no such project.")
        if status is not None and status not in STATUSES:
            raise Refusal(400, "bad_request", "status must be one of: " + ", ".join(STATUSES) + ".")
        chosen = [
            ticket
            for ticket in workspace.tickets.values()
            if project_id in (None, ticket.content.project_id) and status in (None, ticket.content.status)
        ]
        filters = {"project_id": project_id, "status": status}
        page = page_of(request, chosen, position=lambda ticket: ticket.id, show=self._show_ticket, filters=filters)
        return json_response(page)

    def create_ticket(self, request: Request) -> Response:
        """Create a ticket."""
        author, workspace = self._writer(request)
        ticket = workspace.create(check_new(request.json_object(), workspace), author)
        shown = self._show_ticket(ticket)
        return json_response(shown, 201).with_headers(("location", f"/api/v1/tickets/{ticket.id}"))

    def show_ticket(self, request: Request, ticket_id: str) -> Response:
        """Show one ticket."""
        _, workspace = self._reader(request)
        return json_response(self._show_ticket(_find_ticket(workspace, ticket_id)))

    def change_ticket(self, request: Request, ticket_id: str) -> Response:
        """Change some of a ticket's fields."""
        author, workspace = self._writer(request)
        ticket = _find_ticket(workspace, ticket_id)
        content = check_change(request.json_object(), ticket.content, workspace)
        return json_response(self._show_ticket(workspace.change(ticket, content, author)))

    def delete_ticket(self, request: Request, ticket_id: str) -> Response:
        """Delete a ticket."""
        author, workspace = self._writer(request)
        workspace.delete(_find_ticket(workspace, ticket_id), author)
        return no_content()

    def list_events(self, request: Request) -> Response:
        """
        List events by page number.

        A bare array: whether more pages follow a full one can only be told by asking for the next.
        """
        _, workspace = self._reader(request)
        page = whole_number(request, "page", 1, MAX_NUMBER)
        size = whole_number(request, "per_page", 10, MAX_LIMIT)
        return json_response([asdict(event) for event in workspace.events[(page - 1) * size : page * size]])

    def _reader(self, request: Request) -> tuple[Caller, Workspace]:
        caller = self._credentials.require(request, "tickets:read")
        return caller, self._workspace(caller)

    def _writer(self, request: Request) -> tuple[Member, Workspace]:
        caller = self._credentials.require(request, "tickets:write")
        workspace = self._workspace(caller)
        return workspace.members[caller.user.id], workspace

    def _workspace(self, caller: Caller) -> Workspace:
        return self._workspaces[caller.user.workspace_id]

    def _show_ticket(self, ticket: Ticket) -> dict[str, Any]:
        return {
            "id": ticket.id,
            **asdict(ticket.content),
            "labels": list(ticket.content.labels),
            "created_by": {"id": ticket.created_by.id, "name": ticket.created_by.name},
            "created_at": ticket.created_at,
            "updated_at": ticket.updated_at,
            "url": f"{self._url}/api/v1/tickets/{ticket.id}",
        }


def _show_project(project: Project) -> dict[str, Any]:
    return {"id": project.id, "name": project.name, "description": project.description}


def _find_project(workspace: Workspace, project_id: str) -> Project:
    project = workspace.projects.get(project_id)
    if project is None:
        raise Refusal(404, "not_found", "There is no such project.")
    return project


def _find_ticket(workspace: Workspace, ticket_id: str) -> Ticket:
    short = ticket_id.isascii() and ticket_id.isdigit() and len(ticket_id) < 10
    ticket = workspace.tickets.get(int(ticket_id)) if short else None
    if ticket is None:
        raise Refusal(404, "not_found", "There is no such ticket.")
    return ticket


def _search_page(request: Request, items: list[Any], show: Any) -> dict[str, Any]:
    query = single(request, "query") or ""
    places = {item.id: place for place, item in enumerate(items)}
    found = [item for item in items if query.casefold() in item.name.casefold()]
    return page_of(request, found, position=lambda item: places[item.id], show=show, filters={"query": query})
