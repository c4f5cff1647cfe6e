"""The data that the app starts with; always the same, so that tests can count on it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from examples.sandbox_app.workspaces import (
    STATUSES,
    CustomField,
    Event,
    Member,
    Project,
    Ticket,
    TicketContent,
    Workspace,
    format_time,
)

# 2026-03-02 09:00 UTC: seeded times do not depend on when the app was started.
FIRST_MOMENT = 1_772_442_000

_ACME_PROJECTS = (
    Project(
        "website",
        "Website",
        "The public site and the shop",
        (
            CustomField(
                "severity",
                "Severity",
                "enum",
                required=True,
                options=("low", "medium", "high", "critical"),
                description="How bad it is for visitors",
            ),
            CustomField("browser", "Browser", "string", description="Name and version"),
            CustomField("page_views", "Page views affected", "number", description="A day"),
            CustomField("reproducible", "Reproducible", "boolean"),
        ),
    ),
    Project(
        "mobile-app",
        "Mobile app",
        "The apps for phones",
        (
            CustomField("platform", "Platform", "enum", required=True, options=("ios", "android")),
            CustomField("app_version", "App version", "string", required=True, description="As on the About page"),
            CustomField("crash", "The app crashed", "boolean"),
        ),
    ),
    Project(
        "operations",
        "Operations",
        "Servers and networks",
        (
            CustomField("cost_center", "Cost center", "string", required=True),
            CustomField("servers", "Servers affected", "number"),
        ),
    ),
    Project(
        "billing",
        "Billing",
        "Invoices and payments",
        (
            CustomField("invoice_number", "Invoice number", "string", required=True),
            CustomField("amount", "Amount", "number", required=True, description="In euros"),
        ),
    ),
    Project("documentation", "Documentation", "Manuals and the help center"),
    Project("office", "Office", "Rooms, furniture and machines"),
)
_GLOBEX_PROJECTS = (
    Project(
        "research",
        "Research",
        "What we try to find out",
        (
            CustomField("hypothesis", "Hypothesis", "string", required=True),
            CustomField("confidence", "Confidence", "number", description="From 0 to 1"),
        ),
    ),
    Project(
        "hardware",
        "Hardware",
        "Boards and cases",
        (
            CustomField("serial_number", "Serial number", "string", required=True),
            CustomField("revision", "Revision", "enum", options=("a", "b", "c")),
        ),
    ),
)
_ACME_MEMBERS = (
    Member("u-alice", "Alice Andersson", "alice@acme.example"),
    Member("u-carla", "Carla Costa", "carla@acme.example"),
    Member("u-dmitri", "Dmitri Danilov", "dmitri@acme.example"),
    Member("u-emre", "Emre Erdem", "emre@acme.example"),
)
_GLOBEX_MEMBERS = (
    Member("u-bob", "Bob Berger", "bob@globex.example"),
    Member("u-grace", "Grace Guo", "grace@globex.example"),
)

_ACME_TITLES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("Checkout button does nothing", "website", {"severity": "high", "browser": "Firefox 150", "reproducible": True}),
    ("App closes on start", "mobile-app", {"platform": "android", "app_version": "4.2.0", "crash": True}),
    ("Disk almost full", "operations", {"cost_center": "CC-204", "servers": 3}),
    ("Invoice sent twice", "billing", {"invoice_number": "INV-2044", "amount": 129.5}),
    ("Explain the export dialog", "documentation", {}),
    ("Images load slowly", "website", {"severity": "low", "page_views": 12000}),
    ("Login asks twice", "mobile-app", {"platform": "ios", "app_version": "4.1.7"}),
    ("Backup job late", "operations", {"cost_center": "CC-101"}),
    ("Wrong tax rate", "billing", {"invoice_number": "INV-1987", "amount": 48}),
)
_GLOBEX_TITLES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("Measure the drift again", "research", {"hypothesis": "The sensor drifts when warm", "confidence": 0.4}),
    ("Connector is loose", "hardware", {"serial_number": "GX-0007", "revision": "b"}),
    ("Replace the fan", "hardware", {"serial_number": "GX-0011"}),
)
_LABEL_SETS = (("bug",), ("bug", "backend"), ("feature",), (), ("question",), ("design", "feature"))


def seeded_workspaces(clock: Callable[[], float]) -> dict[str, Workspace]:
    """The workspaces by id: Acme (Alice's, 45 tickets, 20 events) and Globex (Bob's, 3 tickets, 7 events)."""
    acme = _workspace("acme", "Acme", _ACME_PROJECTS, _ACME_MEMBERS, clock)
    _fill(acme, _ACME_TITLES, tickets=45, events=20)
    globex = _workspace("globex", "Globex", _GLOBEX_PROJECTS, _GLOBEX_MEMBERS, clock)
    _fill(globex, _GLOBEX_TITLES, tickets=3, events=7)
    return {"acme": acme, "globex": globex}


def _workspace(
    workspace_id: str, name: str, projects: Sequence[Project], members: Sequence[Member], clock: Callable[[], float]
) -> Workspace:
    return Workspace(
        workspace_id,
        name,
        {project.id: project for project in projects},
        {member.id: member for member in members},
        clock,
    )


def _fill(
    workspace: Workspace, titles: Sequence[tuple[str, str, Mapping[str, Any]]], *, tickets: int, events: int
) -> None:
    members = list(workspace.members.values())
    for index in range(tickets):
        title, project_id, fields = titles[index % len(titles)]
        at = format_time(FIRST_MOMENT + index * 3600)
        repeat = index // len(titles)
        content = TicketContent(
            title=f"{title} ({repeat + 1})" if repeat else title,
            project_id=project_id,
            urgent=index % 7 == 0,
            labels=_LABEL_SETS[index % len(_LABEL_SETS)],
            assignee_id=members[index % len(members)].id if index % 3 else None,
            fields=dict(fields),
            status=STATUSES[index % len(STATUSES)],
        )
        ticket = Ticket(workspace.next_ticket_id, content, members[index % len(members)], at, at)
        workspace.tickets[ticket.id] = ticket
        workspace.next_ticket_id += 1
    seeded = list(workspace.tickets.values())
    for index in range(events):
        ticket = seeded[index % len(seeded)]
        kind = "ticket.created" if index < len(seeded) else "ticket.changed"
        author = ticket.created_by.name
        text = f"{author} {kind.removeprefix('ticket.')} “{ticket.content.title}”"
        at = format_time(FIRST_MOMENT + index * 3600)
        workspace.events.append(Event(index + 1, at, kind, ticket.id, author, text))
