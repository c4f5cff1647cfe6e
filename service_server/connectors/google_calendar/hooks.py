"""What Google Calendar needs beyond data: guests as objects, rules of what repeats, and times counted from others."""

import hashlib
import json
from collections import Counter
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from service_server.catalog.hooks import InvalidRequest

_USUAL_LENGTH = timedelta(hours=1)
_LATELY = timedelta(days=183)
_RULES = {
    "daily": "FREQ=DAILY",
    "weekdays": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
    "weekly": "FREQ=WEEKLY",
    "biweekly": "FREQ=WEEKLY;INTERVAL=2",
    "monthly": "FREQ=MONTHLY",
    "yearly": "FREQ=YEARLY",
}


def event(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Make guests as `_guests` does, an end where none is given, and a rule and a time zone for what repeats."""
    repeating = _recurrence(arguments)
    time_zone = arguments.get("time_zone") or (before.get("time_zone") if repeating else None)
    return {
        **_guests(arguments),
        **repeating,
        **({"time_zone": time_zone} if time_zone else {}),
        "end": arguments.get("end") or _after(arguments["start"], _USUAL_LENGTH),
    }


def whole_days(arguments: dict[str, Any]) -> dict[str, Any]:
    """Make guests as `_guests` does, the day after the only one where none is given, and a rule for what repeats."""
    day_after = arguments.get("end_date") or _moved_day(arguments["start_date"], 1, "start_date")
    return {**_guests(arguments), **_recurrence(arguments), "end_date": day_after}


def rescheduled(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return when an event is: it ends as given, else it keeps its length, or takes an hour if it took whole days."""
    end = arguments.get("end")
    # Google keeps the day beside the time unless it is taken away, and refuses both.
    no_day = {"date": None} if "first_day" in before else {}
    if end is None:
        length = _USUAL_LENGTH
        if "starts" in before and "ends" in before:
            length = datetime.fromisoformat(before["ends"]) - datetime.fromisoformat(before["starts"])
        end = _after(arguments["start"], length)
    zone = {"timeZone": arguments["time_zone"]} if "time_zone" in arguments else {}
    return {name: {"dateTime": at, **zone, **no_day} for name, at in (("start", arguments["start"]), ("end", end))}


def postponed(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return when an event is that moves by some time; days are counted by the clock of the event's time zone."""
    sign = -1 if arguments.get("earlier") else 1
    days = sign * arguments.get("days", 0)
    time = sign * timedelta(hours=arguments.get("hours", 0), minutes=arguments.get("minutes", 0))
    if not days and not time:
        raise InvalidRequest("minutes", "or hours or days must be given")
    if "first_day" in before:
        if time:
            raise InvalidRequest("days", "must be given alone, since the event takes whole days")
        return {
            "start": {"date": _moved_day(before["first_day"], days, "days")},
            "end": {"date": _moved_day(before["day_after"], days, "days")},
        }
    zone = _zone(before.get("time_zone"))
    return {
        name: {"dateTime": _moved(before[key], zone, days, time), **({"timeZone": zone.key} if zone else {})}
        for name, key in (("start", "starts"), ("end", "ends"))
    }


def _moved(moment: str, zone: tzinfo | None, days: int, time: timedelta) -> str:
    # In a time zone, a day later is the same time of day, also where the clocks change in between.
    local = datetime.fromisoformat(moment)
    try:
        moved = (local.astimezone(zone) if zone else local) + timedelta(days=days)
        # Hours are counted as they pass, not as clocks show them.
        return (moved.astimezone(local.tzinfo) + time).astimezone(moved.tzinfo).isoformat()
    except OverflowError:
        raise InvalidRequest("days", "is more than calendars have") from None


def _moved_day(day: str, days: int, name: str) -> str:
    try:
        return (date.fromisoformat(day) + timedelta(days=days)).isoformat()
    except (ValueError, OverflowError):
        raise InvalidRequest(name, "is not a day that calendars have") from None


def _zone(name: str | None) -> ZoneInfo | None:
    try:
        return ZoneInfo(name) if name else None
    except (ValueError, OSError):  # one that nobody here knows: the time is moved by its offset
        return None


def _after(start: str, length: timedelta) -> str:
    try:
        return (datetime.fromisoformat(start.upper()) + length).isoformat()
    except (ValueError, OverflowError):
        raise InvalidRequest("start", "is not a moment that can be") from None


def _recurrence(arguments: dict[str, Any]) -> dict[str, Any]:
    rules = list(arguments.get("recurrence") or [])
    if "repeats" in arguments:
        times = f";COUNT={arguments['times']}" if "times" in arguments else ""
        rules.insert(0, f"RRULE:{_RULES[arguments['repeats']]}{times}")
    elif "times" in arguments:
        raise InvalidRequest("repeats", "must be given, since it takes place several times")
    return {"recurrence": rules} if rules else {}


def _guests(arguments: dict[str, Any]) -> dict[str, Any]:
    """Make guests of e-mail addresses; those that needn't come are marked so."""
    required, optional = arguments.get("attendees"), arguments.get("optional_attendees")
    if required is None and optional is None:
        return {}
    return {
        "attendees": [
            *({"email": address} for address in required or []),
            *({"email": address, "optional": True} for address in optional or []),
        ]
    }


def listed_guests(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """
    Return the guests of an event as they are listed; who is there already keeps the answer.

    Of the two lists, one that isn't given stays as it is; so do rooms, and whoever invites.
    """
    named = {False: arguments.get("attendees"), True: arguments.get("optional_attendees")}
    if named == {False: None, True: None}:
        return {}
    invited = before.get("guests") or []
    known = {guest.get("email", "").casefold(): guest for guest in invited}
    listed = {address.casefold() for addresses in named.values() for address in addresses or []}
    staying = [
        guest
        for guest in invited
        if guest.get("email", "").casefold() not in listed
        and (named[guest.get("optional", False)] is None or guest.get("resource") or guest.get("organizer"))
    ]
    coming = [
        _named(known.get(address.casefold(), {"email": address}), optional)
        for optional, addresses in named.items()
        for address in addresses or []
    ]
    return {"attendees": [*staying, *coming]}


def _named(guest: dict[str, Any], optional: bool) -> dict[str, Any]:
    told = {key: value for key, value in guest.items() if key != "optional"}
    return {**told, "optional": True} if optional else told


def with_guests(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the guests that an event has, and further ones behind them; nobody is invited twice."""
    invited = before.get("guests") or []
    known = {guest.get("email", "").casefold() for guest in invited}
    added = [{"email": address} for address in arguments["guests"] if address.casefold() not in known]
    return {"attendees": [*invited, *added]}


def without_guests(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the guests that an event has, but for some."""
    leaving = {address.casefold() for address in arguments["guests"]}
    invited = before.get("guests") or []
    return {"attendees": [guest for guest in invited if guest.get("email", "").casefold() not in leaving]}


def accepted(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the guests that an event has, of whom one's own entry says yes, or maybe."""
    return _answered(arguments, before, "tentative" if arguments.get("tentative") else "accepted")


def declined(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the guests that an event has, of whom one's own entry says no."""
    return _answered(arguments, before, "declined")


def _answered(arguments: dict[str, Any], before: dict[str, Any], answer: str) -> dict[str, Any]:
    invited = before.get("guests") or []
    if not any(guest.get("self") for guest in invited):
        raise InvalidRequest("event_id", "is no event that you are invited to")
    comment = {"comment": arguments["comment"]} if "comment" in arguments else {}
    return {
        "attendees": [
            {**guest, "responseStatus": answer, **comment} if guest.get("self") else guest for guest in invited
        ]
    }


def video_call(arguments: dict[str, Any]) -> dict[str, Any]:
    """Make an event as `event` does, and name the request for a call: as given, or by what the event is."""
    content = json.dumps(arguments, sort_keys=True).encode()
    name = arguments.get("request_id") or hashlib.sha256(content).hexdigest()[:32]
    return {**event(arguments, {}), "request_id": name}


def since_when(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return from when on events are listed: as given, or from yesterday on for choices that nobody searches."""
    if "time_min" in arguments:
        return {"time_min": arguments["time_min"]}
    if not arguments.get("upcoming") or "search" in arguments:
        return {}
    return {"time_min": _written(datetime.now(UTC) - timedelta(days=1))}


def lately(_: dict[str, Any]) -> dict[str, Any]:
    """Return the moment half a year ago, from which on events tell whom people meet."""
    return {"since": _written(datetime.now(UTC) - _LATELY)}


def _written(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def people(body: Any) -> Any:
    """Return the guests of all events, each once, those of most events first; neither oneself nor rooms."""
    met: Counter[str] = Counter()
    names: dict[str, str] = {}
    for event in body.get("items", []):
        for guest in event.get("attendees", []):
            address = guest.get("email", "").casefold()
            if address and not guest.get("self") and not guest.get("resource"):
                met[address] += 1
                names[address] = guest.get("displayName") or names.get(address, "")
    return {"people": [_person(address, names[address]) for address, _ in met.most_common()]}


def guests_of_event(body: Any) -> Any:
    """Return the guests of an event with what people know them by."""
    guests = body.get("attendees", [])
    return {"guests": [{**each, **_person(each["email"], each.get("displayName", ""))} for each in guests]}


def _person(address: str, name: str) -> dict[str, Any]:
    return {"email": address, "name": name, "label": f"{name}, {address}" if name else address}


def calendars_to_ask(arguments: dict[str, Any]) -> dict[str, Any]:
    """Make of the ids of calendars the objects that a query for busy times lists."""
    return {"items": [{"id": calendar} for calendar in arguments["calendars"]]}
