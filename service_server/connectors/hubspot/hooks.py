"""Hooks of the HubSpot connector."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from service_server.catalog.hooks import InvalidRequest

_TEXTS_OF_ACTIVITIES = {
    "notes": ("hs_note_body",),
    "calls": ("hs_call_title", "hs_call_body", "hs_call_direction", "hs_call_status"),
    "emails": ("hs_email_subject", "hs_email_text", "hs_email_direction", "hs_email_status"),
    "meetings": ("hs_meeting_title", "hs_meeting_body", "hs_meeting_start_time", "hs_meeting_end_time"),
    "tasks": ("hs_task_subject", "hs_task_body", "hs_task_status", "hs_task_priority"),
}
_FRIDAY = 5
_KINDS_OF_LISTS = ("MANUAL", "DYNAMIC", "SNAPSHOT")


def properties_as_texts(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the further properties that are given with their values as texts, as HubSpot has all of them."""
    given = arguments.get("properties")
    return {} if given is None else {"properties": {name: _as_text(value) for name, value in given.items()}}


def changed_deal(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the amount of a deal and its further properties as texts, as far as they are given."""
    amount = {"amount": _as_text(arguments["amount"])} if "amount" in arguments else {}
    return {**amount, **properties_as_texts(arguments)}


def _first_stage(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the pipeline and the stage that something new is in: those that are given, else the first that fit."""
    pipeline, stage = arguments.get("pipeline_id"), arguments.get("stage_id")
    if pipeline is not None and stage is not None:
        return {"pipeline": pipeline, "stage": stage}
    for each in _in_order(before["pipelines"]):
        stages = [one["id"] for one in _in_order(each["stages"])]
        if pipeline in (None, each["id"]) and stages and (stage is None or stage in stages):
            return {"pipeline": each["id"], "stage": stages[0] if stage is None else stage}
    raise InvalidRequest("pipeline_id" if stage is None else "stage_id", "is none that HubSpot has")


def new_ticket(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the pipeline and the stage of a new ticket, and its further properties as texts."""
    return {**_first_stage(arguments, before), **properties_as_texts(arguments)}


def new_deal(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the pipeline and the stage of a new deal, and its amount and further properties as texts."""
    return {**_first_stage(arguments, before), **changed_deal(arguments)}


def time_of_activity(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return where an activity stands on the timeline, which HubSpot insists on: now, where nothing else is given."""
    return {"time": arguments.get("time") or datetime.now(UTC).isoformat(timespec="milliseconds")}


def time_of_task(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return when a task is due: where nobody says, in three working days, as HubSpot's own form has it."""
    if "due" in arguments:
        return {"time": arguments["due"]}
    due, days = datetime.now(UTC), 3
    while days:
        due += timedelta(days=1)
        days -= due.isoweekday() <= _FRIDAY
    return {"time": due.isoformat(timespec="seconds")}


def properties_of_activities(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the names of what says what the activities of a kind were: their texts, their time and their owner."""
    return {"properties": _telling(arguments["kind"])}


def properties_of_tasks(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the names of the properties of tasks that are asked for, and always the title that tells them apart."""
    wanted = arguments.get("properties", _telling("tasks"))
    return {"properties": list(dict.fromkeys(["hs_task_subject", *wanted]))}


def properties_of_records(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the names of the properties that are asked for; for activities, which show none else, what tells them."""
    if "properties" in arguments:
        return {"properties": arguments["properties"]}
    kind = arguments["object_type"]
    return {"properties": _telling(kind)} if kind in _TEXTS_OF_ACTIVITIES else {}


def kinds_of_lists(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the kinds of lists that are asked for; those that contacts can be put on where only these are wanted."""
    changeable = arguments.get("changeable", False)
    kinds = [kind for kind in arguments.get("kinds", _KINDS_OF_LISTS) if not changeable or kind != "DYNAMIC"]
    return {"kinds": kinds} if changeable or "kinds" in arguments else {}


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return ";".join(map(_as_text, value))
    return f"{Decimal(str(value)):f}" if isinstance(value, int | float) else str(value)


def _telling(kind: str) -> list[str]:
    return ["hs_timestamp", *_TEXTS_OF_ACTIVITIES[kind], "hubspot_owner_id"]


def _in_order(listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(listed, key=lambda each: each["displayOrder"])
