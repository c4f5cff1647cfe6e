"""Functions that the tests offer to a language model."""

from service_client.models import FieldMeta, Function, FunctionApp, FunctionMeta, Parameters, Source
from tests.service_server.predict.catalogue import array, flag, function, number, text

_PROJECTS = Source(function="tracker-list-projects", value="id", label="name")
_PEOPLE = Source(function="tracker-list-people", value="id", label="name")

CREATE_TICKET = Function(
    name="tracker-create-ticket",
    description="Create a ticket in a project.",
    type="mutation",
    parameters=Parameters(
        required=("title", "project_id"),
        properties={
            "title": text("What it is about."),
            "project_id": text("The project.", title="Project"),
            "assignee_id": number("Who does it.", title="Assignee", multipleOf=1),
            "priority": text("How soon.", enum=["low", "medium", "high"]),
            "due_date": text("The last day.", format="date"),
            "starts_at": text("When it begins.", format="date-time"),
            "estimate": number("Hours.", minimum=0),
            "share": number("A part of the whole.", maximum=1),
            "private": flag("Whether only members see it."),
            "reporter": text("An e-mail address.", format="email"),
            "link": text("Where to look.", format="uri"),
            "reference_id": text("The id that it has elsewhere."),
            "labels": array("Words to find it by."),
            "place": {
                "type": "object",
                "properties": {"city": text("The city."), "floor": number("The floor.")},
                "additionalProperties": False,
            },
            "fields": {"type": "object", "description": "Custom fields."},
        },
    ),
    meta=FunctionMeta(
        app=FunctionApp(name="tracker", title="Tracker", icon_url=""),
        title="Create a ticket",
        type="mutation",
        fields={
            "project_id": FieldMeta(title="Project", widget="select", source=_PROJECTS),
            "assignee_id": FieldMeta(title="Assignee", widget="select", source=_PEOPLE),
        },
    ),
)
LIST_TICKETS = function(
    "tracker-list-tickets",
    "List the tickets of a project.",
    (),
    "query",
    query=text("Only those that match."),
    limit=number("How many."),
)
DELETE_TICKET = function("tracker-delete-ticket", "Delete a ticket.", ("ticket_id",), ticket_id=number("Its number."))
OFFERED = (CREATE_TICKET, LIST_TICKETS)
