"""
The properties that records of HubSpot have, and what values HubSpot takes for them.

All values are texts, as in HubSpot's own types (`properties: { [key: string]: string }`). Which ones an empty account
has, and the words of its choices, are as HubSpot documents them; those with `own_` are of this account alone.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from attrs import frozen

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})")
_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+")
_NUMBER = re.compile(r"-?\d+(\.\d+)?")
_DAY_IN_MILLISECONDS = 86_400_000

FIELD_OF_TYPE = {
    "string": "text",
    "number": "number",
    "date": "date",
    "datetime": "date",
    "bool": "booleancheckbox",
    "enumeration": "select",
}


@frozen
class Property:
    """One property: its type as HubSpot has it, and the words that it takes where it is an enumeration."""

    name: str
    type: str = "string"
    options: tuple[str, ...] = ()
    field_type: str = ""
    label: str = ""
    read_only: bool = False
    hidden: bool = False

    def shown(self) -> dict[str, Any]:
        """Return it as HubSpot tells it; one of the account alone lacks what HubSpot's types leave optional."""
        options = [
            {"label": option.capitalize(), "value": option, "hidden": option.startswith("old_"), "displayOrder": place}
            for place, option in enumerate(self.options)
        ]
        told: dict[str, Any] = {
            "name": self.name,
            "label": self.label or self.name.replace("_", " ").capitalize(),
            "description": "",
            "groupName": "information",
            "type": self.type,
            "fieldType": self.field_type or FIELD_OF_TYPE[self.type],
            "options": options,
        }
        if self.name.startswith("own_"):
            return told
        modification = {"archivable": False, "readOnlyDefinition": True, "readOnlyValue": self.read_only}
        return {**told, "hidden": self.hidden, "hubspotDefined": True, "modificationMetadata": modification}

    def problem(self, value: str) -> str | None:
        """Say why HubSpot doesn't take a value; an empty one clears the property."""
        if self.read_only:
            return f'"{self.name}" is a read only property; its value cannot be set.'
        if not value or self.type == "string":
            wrong = self.name == "email" and value and not _ADDRESS.fullmatch(value)
            return f"Email address {value} is invalid" if wrong else None
        allowed = {"bool": ("true", "false"), "enumeration": self.options}.get(self.type)
        if allowed is not None:
            given = value.split(";") if self.field_type == "checkbox" else [value]
            unknown = [each for each in given if each not in allowed]
            return f"{unknown[0]} was not one of the allowed options: {', '.join(allowed)}" if unknown else None
        if not _IS[self.type](value):
            return f"{value} was not a valid {self.type}."
        return None


def _is_day(value: str) -> bool:
    return bool(_DAY.fullmatch(value)) or (value.isdigit() and int(value) % _DAY_IN_MILLISECONDS == 0)


def _is_moment(value: str) -> bool:
    if not (_DAY.fullmatch(value) or _MOMENT.fullmatch(value)):
        return value.isdigit()
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


_IS = {"number": lambda value: bool(_NUMBER.fullmatch(value)), "date": _is_day, "datetime": _is_moment}


def _texts(*names: str) -> tuple[Property, ...]:
    return tuple(Property(name) for name in names)


_OWNER = Property("hubspot_owner_id", "enumeration", field_type="select", label="Owner")
_EVERYWHERE = (
    Property("hs_object_id", "number", read_only=True),
    Property("hs_lastmodifieddate", "datetime", read_only=True),
)
_PRIORITY = ("LOW", "MEDIUM", "HIGH")


def _engagement(*properties: Property) -> tuple[Property, ...]:
    return (*properties, _OWNER, *_EVERYWHERE, Property("hs_createdate", "datetime", read_only=True), _TIMESTAMP)


_TIMESTAMP = Property("hs_timestamp", "datetime")
_OF_RECORDS = (_OWNER, *_EVERYWHERE, Property("createdate", "datetime", read_only=True))
_STAGES = ("subscriber", "lead", "marketingqualifiedlead", "salesqualifiedlead", "opportunity", "customer")
_CALL_STATUS = ("BUSY", "CALLING_CRM_USER", "CANCELED", "COMPLETED", "CONNECTING", "FAILED", "IN_PROGRESS")

PROPERTIES: Mapping[str, tuple[Property, ...]] = {
    "contacts": (
        *_texts("email", "firstname", "lastname", "phone", "company", "jobtitle", "city"),
        Property("lifecyclestage", "enumeration", (*_STAGES, "evangelist", "other")),
        Property("lastmodifieddate", "datetime", read_only=True),
        Property("hs_internal_note", hidden=True),
        Property("own_colour", "enumeration", ("red", "blue", "old_grey"), "radio", label="Colour"),
        Property("own_topics", "enumeration", ("news", "offers"), "checkbox", label="Topics"),
        Property("own_shoe_size", "number", label="Shoe size"),
        Property("own_birthday", "date", label="Birthday"),
        Property("own_last_visit", "datetime", label="Last visit"),
        Property("own_vip", "bool", ("true", "false"), label="Important"),
        Property("own_story", field_type="textarea", label="Story"),
        *(each for each in _OF_RECORDS if each.name != "hs_lastmodifieddate"),  # it is lastmodifieddate here
    ),
    "companies": (
        *_texts("name", "domain", "phone", "city", "country", "website"),
        Property("numberofemployees", "number"),
        *_OF_RECORDS,
    ),
    "deals": (
        *_texts("dealname", "pipeline", "dealstage", "description"),
        Property("amount", "number"),
        Property("closedate", "datetime"),
        Property("own_margin", "number", label="Margin"),
        *_OF_RECORDS,
    ),
    "tickets": (
        *_texts("subject", "content", "hs_pipeline", "hs_pipeline_stage"),
        Property("hs_ticket_priority", "enumeration", (*_PRIORITY, "URGENT")),
        Property("own_floor", "number", label="Floor"),
        *_OF_RECORDS,
    ),
    "notes": _engagement(*_texts("hs_note_body")),
    "tasks": _engagement(
        *_texts("hs_task_subject", "hs_task_body"),
        Property("hs_task_type", "enumeration", ("TODO", "CALL", "EMAIL")),
        Property("hs_task_priority", "enumeration", ("NONE", *_PRIORITY)),
        Property("hs_task_status", "enumeration", ("NOT_STARTED", "IN_PROGRESS", "WAITING", "COMPLETED", "DEFERRED")),
    ),
    "calls": _engagement(
        *_texts("hs_call_title", "hs_call_body"),
        Property("hs_call_direction", "enumeration", ("INBOUND", "OUTBOUND")),
        Property("hs_call_status", "enumeration", (*_CALL_STATUS, "MISSED", "NO_ANSWER", "QUEUED", "RINGING")),
    ),
    "emails": _engagement(
        *_texts("hs_email_subject", "hs_email_text", "hs_email_html"),
        Property("hs_email_direction", "enumeration", ("EMAIL", "INCOMING_EMAIL", "FORWARDED_EMAIL")),
        Property("hs_email_status", "enumeration", ("BOUNCED", "FAILED", "SCHEDULED", "SENDING", "SENT")),
    ),
    "meetings": _engagement(
        *_texts("hs_meeting_title", "hs_meeting_body", "hs_meeting_location"),
        Property("hs_meeting_start_time", "datetime"),
        Property("hs_meeting_end_time", "datetime"),
        Property("hs_meeting_outcome", "enumeration", ("SCHEDULED", "COMPLETED", "RESCHEDULED", "NO_SHOW", "CANCELED")),
    ),
}

# Of these at least one has to be given; of those below, all.
ONE_OF = {"contacts": ("email", "firstname", "lastname"), "companies": ("name", "domain")}
REQUIRED = {
    "deals": ("dealname", "dealstage"),
    "tickets": ("subject", "hs_pipeline_stage"),
    "emails": ("hs_timestamp", "hs_email_direction"),
    **dict.fromkeys(("notes", "tasks", "calls", "meetings"), ("hs_timestamp",)),
}
# What HubSpot gives back of a record where no properties are asked for.
USUAL = {
    "contacts": ("createdate", "email", "firstname", "hs_object_id", "lastmodifieddate", "lastname"),
    "companies": ("createdate", "domain", "hs_lastmodifieddate", "hs_object_id", "name"),
    "deals": ("amount", "closedate", "createdate", "dealname", "dealstage", "hs_lastmodifieddate", "pipeline"),
    "tickets": ("content", "createdate", "hs_pipeline", "hs_pipeline_stage", "hs_ticket_priority", "subject"),
}
ACTIVITY = ("hs_createdate", "hs_lastmodifieddate", "hs_object_id")
# What the text of a search is looked for in.
SEARCHED = {
    "contacts": ("firstname", "lastname", "email", "phone", "company"),
    "companies": ("name", "domain", "phone", "website"),
    "deals": ("dealname", "pipeline", "dealstage", "description"),
    "tickets": ("subject", "content", "hs_pipeline_stage"),
    "notes": ("hs_note_body",),
    "tasks": ("hs_task_body", "hs_task_subject"),
    "calls": ("hs_call_title", "hs_call_body"),
    "emails": ("hs_email_subject",),
    "meetings": ("hs_meeting_title", "hs_meeting_body"),
}


def known(kind: str) -> dict[str, Property]:
    """Return the properties of a kind of record by their names."""
    return {each.name: each for each in PROPERTIES[kind]}


def problems(kind: str, given: Mapping[str, str], owners: frozenset[str]) -> Iterator[str]:
    """Say which values of properties HubSpot doesn't take."""
    properties = known(kind)
    for name, value in given.items():
        if name not in properties:
            yield f'Property "{name}" does not exist'
        elif name == "hubspot_owner_id":
            if value and value not in owners:
                yield f"Owner {value} does not exist"
        elif (wrong := properties[name].problem(value)) is not None:
            yield wrong


def now() -> str:
    """Return the time as HubSpot writes it."""
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
