"""What a workspace holds: projects with their custom fields, members, tickets and the events about them."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Literal

from attrs import define, evolve, field, frozen

FieldType = Literal["string", "number", "boolean", "enum"]
Status = Literal["open", "in_progress", "closed"]
STATUSES: tuple[Status, ...] = ("open", "in_progress", "closed")
Priority = Literal["low", "normal", "high"]
PRIORITIES: tuple[Priority, ...] = ("low", "normal", "high")


@frozen
class CustomField:
    """A field that the tickets of one project have beside the usual ones; `options` only for an enum."""

    key: str
    name: str
    type: FieldType
    required: bool = False
    options: tuple[str, ...] = ()
    description: str = ""


@frozen
class Project:
    """A project, to which tickets belong."""

    id: str
    name: str
    description: str
    custom_fields: tuple[CustomField, ...] = ()


@frozen
class Member:
    """Someone in the workspace to whom a ticket can be assigned."""

    id: str
    name: str
    email: str


@frozen
class TicketContent:
    """What a caller decides about a ticket, checked."""

    title: str
    project_id: str
    description: str = ""
    priority: Priority = "normal"
    urgent: bool = False
    labels: tuple[str, ...] = ()
    assignee_id: str | None = None
    due_date: str | None = None
    fields: dict[str, Any] = field(factory=dict)
    status: Status = "open"


@frozen
class Ticket:
    """A ticket as it stands; times are ISO 8601 in UTC."""

    id: int
    content: TicketContent
    created_by: Member
    created_at: str
    updated_at: str


@frozen
class Event:
    """Something that happened to a ticket."""

    id: int
    at: str
    type: str
    ticket_id: int
    actor: str
    text: str


LABEL_COLORS = {
    "bug": "#b3261e",
    "feature": "#1b6e3c",
    "question": "#5b4bb5",
    "design": "#8a5a00",
    "backend": "#00629d",
}


def format_time(seconds: float) -> str:
    """A moment as ISO 8601 in UTC, to the second."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@define
class Workspace:
    """One company's data. Changes happen through its methods, so that each leaves an event."""

    id: str
    name: str
    projects: dict[str, Project]
    members: dict[str, Member]
    clock: Callable[[], float]
    tickets: dict[int, Ticket] = field(factory=dict)
    events: list[Event] = field(factory=list)
    labels: dict[str, str] = field(factory=lambda: dict(LABEL_COLORS))
    next_ticket_id: int = 1001

    def create(self, content: TicketContent, author: Member) -> Ticket:
        """Add a ticket."""
        now = format_time(self.clock())
        ticket = Ticket(self.next_ticket_id, content, author, now, now)
        self.next_ticket_id += 1
        self._keep(ticket)
        self._note("ticket.created", ticket, author)
        return ticket

    def change(self, ticket: Ticket, content: TicketContent, author: Member) -> Ticket:
        """Replace a ticket's content."""
        changed = evolve(ticket, content=content, updated_at=format_time(self.clock()))
        self._keep(changed)
        self._note("ticket.changed", changed, author)
        return changed

    def delete(self, ticket: Ticket, author: Member) -> None:
        """Remove a ticket for good."""
        del self.tickets[ticket.id]
        self._note("ticket.deleted", ticket, author)

    def _keep(self, ticket: Ticket) -> None:
        self.tickets[ticket.id] = ticket
        for label in ticket.content.labels:
            self.labels.setdefault(label, "#5f6368")

    def _note(self, kind: str, ticket: Ticket, author: Member) -> None:
        verb = kind.removeprefix("ticket.")
        text = f"{author.name} {verb} “{ticket.content.title}”"
        self.events.append(Event(len(self.events) + 1, format_time(self.clock()), kind, ticket.id, author.name, text))
