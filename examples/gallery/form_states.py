"""The states of a function form that are worth looking at."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

from examples.gallery.form_driver import ALICE, BOB, Answer, Driver, ok, ticket_app
from examples.gallery.functions import CREATE_TICKET, function
from service_client.errors import ServiceError, ServiceUnreachableError
from service_client.models import (
    CallResult,
    ErrorDetail,
    ErrorEnvelope,
    FieldMeta,
    File,
    Prediction,
    Source,
    ValueChoice,
)
from servicejs.forms.drafts import Draft

EVERY_CONTROL = function(
    {
        "name": {"type": "string", "description": "Any words.", "minLength": 2},
        "note": {"type": "string", "description": ""},
        "email": {"type": "string", "format": "email", "description": ""},
        "website": {"type": "string", "format": "uri", "description": ""},
        "due": {"type": "string", "format": "date", "description": ""},
        "starts_at": {"type": "string", "format": "date-time", "description": "In your own time zone."},
        "deliver_at": {"type": "string", "format": "time", "description": "The time of day, where it is delivered."},
        "amount": {"type": "number", "description": "", "default": 20, "minimum": 0},
        "priority": {"type": "string", "description": "", "enum": ["low", "high"]},
        "public": {"type": "boolean", "description": "Whether everybody can see it."},
        "archived": {"type": "boolean", "description": ""},
        "address": {
            "type": "object",
            "description": "",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
            "required": ["city"],
        },
        "lines": {
            "type": "array",
            "description": "What was ordered.",
            "items": {
                "type": "object",
                "properties": {"item": {"type": "string"}, "count": {"type": "number", "multipleOf": 1}},
                "required": ["item"],
            },
        },
        "extra": {"type": "object", "description": "Anything else, as JSON.", "properties": {}},
    },
    required=("name", "email", "website", "due", "starts_at", "amount", "priority", "public", "lines", "extra"),
    fields={
        "note": FieldMeta(title="Note", widget="textarea", placeholder="As long as you like"),
        "priority": FieldMeta(
            title="Priority",
            widget="select",
            options=({"value": "low", "label": "Low"}, {"value": "high", "label": "High"}),
        ),
    },
    title="Place order",
)
EVERYTHING: dict[str, Any] = {
    "name": "Ada & Co. <Ltd>",
    "note": "First line\nSecond line",
    "email": "ada@example.com",
    "website": "https://example.com/ada",
    "due": "2026-03-31",
    "starts_at": "2026-03-31T09:30:00Z",
    "deliver_at": "14:30:00",
    "amount": 12.5,
    "priority": "high",
    "public": True,
    "archived": False,
    "address": {"street": "Main street 1", "city": "Berlin"},
    "lines": [{"item": "Tea", "count": 2}, {"item": "Biscuits"}],
    "extra": {"gift": True},
}
MANY_OPTIONAL = function(
    {"title": {"type": "string", "description": ""}}
    | {f"option_{number}": {"type": "string", "description": ""} for number in range(1, 9)},
    required=("title",),
)
DELETE_TICKET = function(
    {
        "ticket_id": {"type": "number", "multipleOf": 1, "description": ""},
        "notify": {"type": "boolean", "description": ""},
        "reasons": {"type": "array", "description": "", "items": {"type": "string"}},
    },
    required=("ticket_id",),
    title="Delete ticket",
    destructive=True,
)
LIST_ASSIGNEES = function(
    {"assignee": {"type": "number", "description": "Who should do it."}},
    required=("assignee",),
    fields={
        "assignee": FieldMeta(
            title="Assignee",
            widget="select",
            source=Source(function="sandbox-list-users", value="id", label="name", search="query"),
        )
    },
    title="Assign ticket",
)


ADD_LABELS = function(
    {
        "labels": {"type": "array", "description": "As many as fit.", "items": {"type": "string"}, "maxItems": 3},
        "sizes": {"type": "array", "description": "", "items": {"type": "string", "enum": ["S", "M", "L"]}},
    },
    required=("labels",),
    fields={
        "labels": FieldMeta(
            title="Labels", widget="select", source=Source(function="sandbox-list-labels", value="id", label="name")
        )
    },
    title="Add labels",
)


def users(name: str, arguments: dict[str, Any]) -> Answer:
    """List users page by page, or those that match a search text."""
    if "query" in arguments:
        return ok([{"id": 31, "name": "Grace Hopper"}])
    start = int(arguments.get("next_page") or 0)
    return ok([{"id": number, "name": f"User {number}"} for number in range(start, start + 20)], str(start + 20))


def components_fail(name: str, arguments: dict[str, Any]) -> Answer:
    """Answer with an error page where components are asked for."""
    if name == "sandbox-list-components":
        return CallResult(network_code="502", output="Bad gateway")
    return ticket_app(name, arguments)


FormState = Callable[[], Awaitable[Driver]]
STATES: dict[str, FormState] = {}


def state(build: FormState) -> FormState:
    """Name a state after the function that builds it."""
    STATES[build.__name__.replace("_", "-")] = build
    return build


@state
async def empty() -> Driver:
    """Nothing filled in: what depends on the project waits for it."""
    return await Driver(CREATE_TICKET).started()


@state
async def filled() -> Driver:
    """Prefilled, with a custom field nobody knows."""
    given = {
        "title": "Printer on fire",
        "project_id": 1,
        "component_id": "ui",
        "urgent": True,
        "labels": ["hardware", "office"],
        "fields": {"severity": "high", "estimate": 2, "floor": 4},
    }
    return await Driver(CREATE_TICKET, given).started()


@state
async def loading() -> Driver:
    """Components and custom fields are on their way."""
    driver = Driver(CREATE_TICKET, {"project_id": 1})
    driver.gates = {name: asyncio.Event() for name in ("sandbox-list-components", "sandbox-list-custom-fields")}
    await driver.gesture("nothing")  # any gesture loads what is due, without waiting for it
    await asyncio.sleep(0)
    return driver


@state
async def waiting() -> Driver:
    """The button was pressed while custom fields are on their way."""
    driver = await Driver(CREATE_TICKET, {"title": "Printer on fire"}).started()
    driver.gates = {"sandbox-list-custom-fields": asyncio.Event()}
    await driver.gesture("set", "project_id", "1", "change")
    await driver.gesture("submit", kind="submit")
    await asyncio.sleep(0)
    return driver


@state
async def source_failed() -> Driver:
    """The app answers the components with an error."""
    return await Driver(CREATE_TICKET, {"project_id": 1}, components_fail).started()


def refused(code: str, action: str, message: str, retry_after: float | None = None) -> ServiceError:
    """Make an error of the service that says what helps."""
    detail = ErrorDetail(field=None, code=code, message=message, action=action)
    return ServiceError(400, ErrorEnvelope(error=message, error_details=(detail,), request_id="r"), retry_after)


def each_refused_otherwise(name: str, arguments: dict[str, Any]) -> Answer:
    """Refuse every source function, each for another reason."""
    match name:
        case "sandbox-list-projects":
            return refused("reconnect_required", "reconnect", "Tickets doesn’t accept this account any more.")
        case "sandbox-list-components":
            return refused("account_not_found", "pick_account", "This account is not connected.")
    return refused("rate_limited", "wait", "Tickets is asked too often.", 150)


@state
async def choices_refused() -> Driver:
    """The service says what helps: to reconnect, to choose another account, to wait."""
    return await Driver(CREATE_TICKET, {"project_id": 1}, each_refused_otherwise).started()


@state
async def account_gone() -> Driver:
    """The only account was disconnected elsewhere."""
    gone = refused("not_connected", "connect", "Connect an account of Tickets first.")
    return await Driver(CREATE_TICKET, {"title": "Printer on fire"}, lambda name, arguments: gone).started()


@state
async def problems() -> Driver:
    """Submitted with nearly nothing right."""
    driver = await Driver(
        EVERY_CONTROL, EVERYTHING | {"email": "ada", "priority": "urgent", "lines": [{"count": 1}]}
    ).started()
    await driver.set("amount", "twelve")
    await driver.set("name", "")
    await driver.do("submit", kind="submit")
    return driver


@state
async def every_control() -> Driver:
    """Each control with a value."""
    return await Driver(EVERY_CONTROL, EVERYTHING).started()


@state
async def values_that_do_not_fit() -> Driver:
    """Prefilled with values of the wrong type, and one nobody asked for."""
    given = {"title": ["a", "list"], "urgent": "maybe", "labels": "bug", "project_id": "first", "colour": "red"}
    return await Driver(CREATE_TICKET, given).started()


@state
async def parent_changed() -> Driver:
    """Another project was chosen: what it hasn't got was dropped, and the form says so."""
    driver = await filled()
    await driver.set("project_id", "2")
    return driver


@state
async def long_list() -> Driver:
    """A dropdown with a search and more pages."""
    driver = await Driver(LIST_ASSIGNEES, {"assignee": 77}, users).started()
    await driver.do("search", "assignee", "", "input")
    await driver.do("load-more", "assignee")
    return driver


@state
async def searched() -> Driver:
    """A dropdown that the app has searched."""
    driver = await Driver(LIST_ASSIGNEES, {}, users).started()
    await driver.do("search", "assignee", "grace", "input")
    return driver


@state
async def several_values() -> Driver:
    """Values of a list, one of which the app doesn't list; there is no room for another."""
    listed = ok([{"id": name.lower(), "name": name} for name in ("Bug", "Feature", "Hardware")])
    driver = await Driver(
        ADD_LABELS, {"labels": ["bug", "office", "feature"]}, lambda name, arguments: listed
    ).started()
    await driver.set("labels", "hardware")
    return driver


@state
async def typed() -> Driver:
    """A value typed instead of chosen."""
    driver = await Driver(LIST_ASSIGNEES, {}, users).started()
    await driver.do("type-value", "assignee")
    await driver.set("assignee", "4711")
    return driver


@state
async def many_optional() -> Driver:
    """Many optional fields are folded away."""
    return await Driver(MANY_OPTIONAL, {"title": "Short"}).started()


@state
async def destructive() -> Driver:
    """A function that removes things warns of it."""
    return await Driver(DELETE_TICKET, {"ticket_id": 12}).started()


@state
async def confirming() -> Driver:
    """What can't be undone is said in words before it happens."""
    driver = await Driver(DELETE_TICKET, {"ticket_id": 12, "notify": False, "reasons": ["spam", "twice"]}).started()
    await driver.do("submit", kind="submit")
    return driver


@state
async def several_accounts() -> Driver:
    """The account has to be chosen, and wasn't."""
    driver = await Driver(CREATE_TICKET, {"title": "Hello"}, accounts=(ALICE, BOB)).started()
    await driver.do("submit", kind="submit")
    return driver


@state
async def nothing_to_fill_in() -> Driver:
    """A function without parameters."""
    return await Driver(function({}, title="List projects", type="query")).started()


@state
async def predicted() -> Driver:
    """Predicted values say which words they come from, an empty field what they may mean; the request is shown."""
    prediction = Prediction(
        confidence=0.9,
        evidence={"title": "the hinge squeaks"},
        choices={"project_id": (ValueChoice(value=1, label="Apollo"), ValueChoice(value=2, label="Borealis"))},
    )
    driver = Driver(CREATE_TICKET, {"title": "Squeaky hinge", "urgent": True}, prediction=prediction)
    await driver.started()
    await driver.do("preview")
    return driver


@state
async def restored() -> Driver:
    """What was filled in before, when the form was left, is there again."""
    draft = Draft('{"given": {}, "filled": {"title": "Squeaky hinge", "project_id": "1"}}')
    return await Driver(CREATE_TICKET, {}, draft=draft).started()


FILES = function(
    {
        "contract": {"type": "string", "format": "file", "description": "What is to be signed, as a PDF."},
        "invoice": {"type": "string", "format": "file", "description": ""},
        "cover": {"type": "string", "format": "file", "description": "A picture for the first page."},
        "logo": {"type": "string", "format": "file", "description": ""},
        "attachments": {"type": "array", "description": "", "items": {"type": "string", "format": "file"}},
    },
    required=("contract", "invoice"),
    title="Send for signature",
)


def chosen(key: str, name: str, size: int) -> str:
    """Return what the page says of a file that the user has chosen."""
    return json.dumps({"key": key, "name": name, "size": size})


@state
async def files() -> Driver:
    """One file is on its way, one is there, one could not be uploaded, one is given by its address."""
    driver = await Driver(FILES, {"logo": "https://example.com/logo.svg"}).started()
    uploads = (("contract", "Contract Orsini.pdf", 2_480_000), ("invoice", "invoice-2207.pdf", 88_123))
    for at, (field, name, size) in enumerate((*uploads, ("cover", "cover.tiff", 41_000_000))):
        await driver.gesture("choose-file", field, chosen(f"file-{at}", name, size), "change")
    await asyncio.sleep(0)
    expires_at = datetime(2026, 3, 2, 11, tzinfo=UTC)
    kept = File(id="file_1", name="invoice-2207.pdf", size=88_123, media_type="application/pdf", expires_at=expires_at)
    driver.uploads["invoice-2207.pdf"].set_result(kept)
    driver.uploads["cover.tiff"].set_exception(ServiceUnreachableError("The service can't be reached."))
    await asyncio.sleep(0)
    await driver.do("add-item", "attachments")
    return driver
