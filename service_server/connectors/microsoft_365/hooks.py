"""What Microsoft Graph needs beyond data: recipients and guests as objects, and times without an offset."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

from service_server.catalog.hooks import InvalidRequest

_AN_HOUR = timedelta(hours=1)
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def outgoing_mail(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write an e-mail; what isn't given is left out."""
    message = {
        "subject": arguments["subject"],
        "body": _text(arguments),
        "toRecipients": _addresses(arguments, "to"),
        "ccRecipients": _addresses(arguments, "cc"),
        "bccRecipients": _addresses(arguments, "bcc"),
        "importance": arguments.get("importance"),
    }
    return {"message": {key: value for key, value in message.items() if value is not None}}


def recipients(arguments: dict[str, Any]) -> dict[str, Any]:
    """Make recipients of e-mail addresses."""
    return {"recipients": _addresses(arguments, "to")}


def unread(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the filter for messages that aren't read yet, none where all are wanted."""
    if not arguments.get("only_unread"):
        return {}
    return {"filter": "receivedDateTime ge 1900-01-01T00:00:00Z and isRead eq false"}


def subject_filter(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the filter for events whose subject has a text in it; an apostrophe is doubled in OData."""
    text = arguments["search"].replace("'", "''")
    return {"filter": f"contains(subject,'{text}')"}


def event(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the times, the description, the place and the guests of an event, as far as they are given."""
    required, optional = arguments.get("attendees"), arguments.get("optional_attendees")
    start = _moment(arguments, "start")
    return {
        "start": start,
        "end": _moment(arguments, "end") or (start and _usual_end(arguments["start"], start)),
        "body": _text(arguments) if "body" in arguments else None,
        "location": {"displayName": arguments["location"]} if "location" in arguments else None,
        "attendees": None
        if required is None and optional is None
        else [_guest(address, "required") for address in required or []]
        + [_guest(address, "optional") for address in optional or []],
    }


def changed_event(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Write an event as `event` does; guests of the kind that isn't given stay, as do rooms."""
    made = event(arguments)
    replaced = {"attendees": "required", "optional_attendees": "optional"}
    kinds = {kind for name, kind in replaced.items() if name in arguments}
    if kinds:
        known = {_address_of(guest) for guest in made["attendees"]}
        staying = [each for each in before.get("guests") or [] if each.get("type") not in kinds]
        made["attendees"] += [each for each in staying if _address_of(each) not in known]
    return made


def new_event(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """
    Write an event as `event` does, and how it repeats.

    What repeats is at the same time of day by the clock of its time zone: the given one, else that of the latest event.
    """
    made = event(arguments)
    if "repeats" not in arguments:
        if "times" in arguments:
            raise InvalidRequest("repeats", "must be given, since it takes place several times")
        return made
    zone = arguments.get("time_zone") or before.get("time_zone") or "UTC"
    start = datetime.fromisoformat(arguments["start"].upper())
    if zone != "UTC" and start.tzinfo is not None:
        length = datetime.fromisoformat(made["end"]["dateTime"]) - datetime.fromisoformat(made["start"]["dateTime"])
        local = start.replace(tzinfo=None)  # the clock that the time was said by
        made |= {"start": {**_in_utc(local), "timeZone": zone}, "end": {**_in_utc(local + length), "timeZone": zone}}
    return {**made, "recurrence": _recurrence(arguments, datetime.fromisoformat(made["start"]["dateTime"]))}


def new_days(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write an event that takes whole days, and how it repeats."""
    return new_event(arguments, {})


def _recurrence(arguments: dict[str, Any], start: datetime) -> dict[str, Any]:
    """Write how an event repeats, by the day on which it takes place first."""
    by_day = {"dayOfMonth": start.day}
    pattern = {
        "daily": {"type": "daily", "interval": 1},
        "weekdays": {"type": "weekly", "interval": 1, "daysOfWeek": list(_DAYS[:5])},
        "weekly": {"type": "weekly", "interval": 1, "daysOfWeek": [_DAYS[start.weekday()]]},
        "biweekly": {"type": "weekly", "interval": 2, "daysOfWeek": [_DAYS[start.weekday()]]},
        "monthly": {"type": "absoluteMonthly", "interval": 1, **by_day},
        "yearly": {"type": "absoluteYearly", "interval": 1, **by_day, "month": start.month},
    }[arguments["repeats"]]
    times = arguments.get("times")
    counted = {"type": "noEnd"} if times is None else {"type": "numbered", "numberOfOccurrences": times}
    return {"pattern": pattern, "range": {"startDate": start.date().isoformat(), **counted}}


def _usual_end(start: str, moment: dict[str, Any]) -> dict[str, Any]:
    """Return the end of what is given none: an hour later, or the day after a day."""
    is_day = len(start) == len("2026-12-01")
    return _later("start", moment["dateTime"], timedelta(days=1) if is_day else _AN_HOUR)


def rescheduled(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return when an event is: it ends as given, else it keeps its length, or takes an hour if it took whole days."""
    start = _moment(arguments, "start") or {}
    length = datetime.fromisoformat(before["ends"]) - datetime.fromisoformat(before["starts"])
    took_whole_days = before.get("takes_whole_days", False)
    end = _moment(arguments, "end") or _later("start", start["dateTime"], _AN_HOUR if took_whole_days else length)
    return {"start": start, "end": end, **({"takes_whole_days": False} if took_whole_days else {})}


def postponed(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return when an event is that moves by some time; days are counted by the clock of the event's time zone."""
    days = timedelta(days=arguments.get("days", 0))
    time = timedelta(hours=arguments.get("hours", 0), minutes=arguments.get("minutes", 0))
    if before.get("takes_whole_days"):
        if time or not days:
            raise InvalidRequest("days", "must be given alone, since the event takes whole days")
        zone, starts, ends = "UTC", before["starts"], before["ends"]
    elif days:
        zone, starts, ends = before["time_zone"], before["starts_there"], before["ends_there"]
    else:
        zone, starts, ends = "UTC", before["starts"], before["ends"]
    if not days and not time:
        raise InvalidRequest("minutes", "or hours or days must be given")
    by = -(days + time) if arguments.get("earlier") else days + time
    return {
        name: {**_later("days" if days else "hours", moment, by), "timeZone": zone}
        for name, moment in (("start", starts), ("end", ends))
    }


def _later(name: str, moment: str, by: timedelta) -> dict[str, Any]:
    try:
        return _in_utc(datetime.fromisoformat(moment) + by)
    except OverflowError:
        raise InvalidRequest(name, "leads to no moment that can be") from None


def _in_utc(moment: datetime) -> dict[str, Any]:
    return {"dateTime": moment.strftime("%Y-%m-%dT%H:%M:%S"), "timeZone": "UTC"}


def with_guests(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the guests that an event has, and further ones behind them; nobody is invited twice."""
    invited = before.get("guests") or []
    known = {_address_of(guest) for guest in invited}
    added = [_guest(address, "required") for address in arguments["guests"] if address.casefold() not in known]
    return {"attendees": [*invited, *added]}


def without_guests(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the guests that an event has, but for some."""
    leaving = {address.casefold() for address in arguments["guests"]}
    return {"attendees": [guest for guest in before.get("guests") or [] if _address_of(guest) not in leaving]}


def people(body: Any) -> Any:
    """Return those who wrote or got some e-mails, each once, those with most first."""
    met: Counter[str] = Counter()
    names: dict[str, str] = {}
    for message in body["value"]:
        for each in (message.get("from"), *message.get("toRecipients", []), *message.get("ccRecipients", [])):
            known = (each or {}).get("emailAddress", {})
            address = (known.get("address") or "").casefold()
            if "@" in address:
                met[address] += 1
                names[address] = known.get("name") or names.get(address, "")
    return {"people": [_person(address, names[address]) for address, _ in met.most_common()]}


def guests_of_event(body: Any) -> Any:
    """Return the guests of an event with what people know them by, and what they answered."""
    return {
        "guests": [
            {
                **_person(each["emailAddress"]["address"], each["emailAddress"].get("name") or ""),
                "type": each.get("type"),
                "response": each.get("status", {}).get("response"),
            }
            for each in body.get("attendees", [])
            if each.get("emailAddress", {}).get("address")
        ]
    }


def _person(address: str, name: str) -> dict[str, Any]:
    is_named = name and name.casefold() != address.casefold()
    return {"email": address, "name": name, "label": f"{name}, {address}" if is_named else address}


def changed_categories(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the categories that a message is in, without some and with further ones; nothing where none is given."""
    if "categories" not in arguments and "remove_categories" not in arguments:
        return {}
    leaving = {name.casefold() for name in arguments.get("remove_categories") or []}
    staying = [name for name in before["categories"] if name.casefold() not in leaving]
    known = {name.casefold() for name in staying}
    added = [name for name in arguments.get("categories") or [] if name.casefold() not in known]
    return {"categories": [*staying, *added]}


def _address_of(guest: dict[str, Any]) -> str:
    return str(guest.get("emailAddress", {}).get("address", "")).casefold()


def _text(arguments: dict[str, Any]) -> dict[str, Any]:
    return {"contentType": arguments.get("body_type", "text"), "content": arguments["body"]}


def _addresses(arguments: dict[str, Any], name: str) -> list[dict[str, Any]] | None:
    if name not in arguments:
        return None
    return [{"emailAddress": {"address": address}} for address in arguments[name]]


def automatic_replies(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write when automatic replies are sent: between two moments, or always; to others with the same text."""
    prepared = {"status": "alwaysEnabled", "outside_text": arguments.get("outside_text", arguments["text"])}
    if "end" in arguments:
        beginning = {"start": datetime.now(UTC).isoformat(), **arguments}
        return {
            **prepared,
            "status": "scheduled",
            "start": _moment(beginning, "start"),
            "end": _moment(arguments, "end"),
        }
    if "start" in arguments:
        raise InvalidRequest("end", "must be given with a beginning")
    return prepared


def _guest(address: str, kind: str) -> dict[str, Any]:
    return {"emailAddress": {"address": address}, "type": kind}


def _moment(arguments: dict[str, Any], name: str) -> dict[str, Any] | None:
    """Write a moment in UTC; a day stands for its beginning."""
    if name not in arguments:
        return None
    try:
        moment = datetime.fromisoformat(arguments[name].upper())
        in_utc = moment if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise InvalidRequest(name, "is not a moment that can be") from None
    return _in_utc(in_utc)


def contact_filter(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the condition that a name or a family name begins with some text."""
    text = arguments["search"].replace("'", "''")
    return {"filter": f"startswith(displayName,'{text}') or startswith(surname,'{text}')"}


def rule(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the senders of a rule as objects; it has to fit some messages only, and to do something with them."""
    if not any(arguments.get(name) for name in ("senders", "sender_contains", "subject_contains")):
        raise InvalidRequest("senders", "or a text in the sender or the subject has to be given")
    if not any(arguments.get(name) for name in ("move_to", "mark_as_read", "delete")):
        raise InvalidRequest("move_to", "or another thing to do has to be given")
    return {"senders": _addresses(arguments, "senders")}
