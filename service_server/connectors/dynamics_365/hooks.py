"""What Dynamics 365 needs beyond data: filters in OData's language, links between records, and records' names."""

import re
from typing import Any

_SETS = {"account": "accounts", "contact": "contacts", "lead": "leads", "opportunity": "opportunities"}
_STATES = {"open": 0, "won": 1, "lost": 2}
_GUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


def accounts(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write which accounts are meant."""
    return _filtered(_having(arguments, "name"))


def contacts(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write which contacts are meant."""
    return _filtered(_having(arguments, "fullname", "emailaddress1"), _linked(arguments, "account", "parentcustomerid"))


def leads(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write which leads are meant: open ones, unless all are asked for."""
    state = "" if arguments.get("all") else "statecode eq 0"
    return _filtered(_having(arguments, "fullname", "companyname", "subject"), state)


def opportunities(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write which opportunities are meant."""
    state = f"statecode eq {_STATES[arguments['status']]}" if "status" in arguments else ""
    return _filtered(_having(arguments, "name"), state, _linked(arguments, "account", "parentaccountid"))


def tasks(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write which tasks are meant: open ones, unless all are asked for."""
    state = "" if arguments.get("all") else "statecode eq 0"
    due = f"scheduledend le {arguments['due_before']}" if "due_before" in arguments else ""
    return _filtered(_having(arguments, "subject"), state, due, _linked(arguments, "owner", "ownerid"))


def users(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write which users are meant: those who may sign in and are people."""
    return _filtered(_having(arguments, "fullname", "internalemailaddress"), "isdisabled eq false", "accessmode ne 4")


def searched(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write a text as it stands in a filter."""
    return {"search": _quoted(arguments["search"])} if "search" in arguments else {}


def linked(arguments: dict[str, Any]) -> dict[str, Any]:
    """Name the record that a note or a task is about, where there is one; both keep it by the kind of record."""
    if "record" not in arguments or "table" not in arguments:
        return {}
    table = arguments["table"]
    names = {"note": f"objectid_{table}@odata.bind", "task": f"regardingobjectid_{table}_task@odata.bind"}
    return {**names, "record": f"/{_SETS[table]}({arguments['record']})"}


def property_of_owner(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Name what the owner of a record is set by: in tasks, e-mails and other activities by the kind of record."""
    return {"property": f"ownerid{'_' + arguments['table'] if before.get('is_activity') else ''}@odata.bind"}


def choices(body: Any) -> Any:
    """Name the records of any table by their own names: Dataverse calls the id and the name otherwise in each."""
    return {**body, "value": [_named(each) for each in body["value"]]}


def _named(record: dict[str, Any]) -> dict[str, Any]:
    plain = [value for key, value in record.items() if isinstance(value, str) and "@" not in key]
    identifier = next((value for value in plain if _GUID.fullmatch(value)), None)
    name = next((value for value in plain if value != identifier), identifier)
    return {**record, "id": identifier, "label": name}


def _having(arguments: dict[str, Any], *fields: str) -> str:
    if "search" not in arguments:
        return ""
    text = _quoted(arguments["search"])
    return "(" + " or ".join(f"contains({field},'{text}')" for field in fields) + ")"


def _linked(arguments: dict[str, Any], name: str, field: str) -> str:
    return f"_{field}_value eq {arguments[name]}" if name in arguments else ""


def _filtered(*conditions: str) -> dict[str, Any]:
    written = " and ".join(condition for condition in conditions if condition)
    return {"filter": written} if written else {}


def _quoted(text: str) -> str:
    return text.replace("'", "''")
