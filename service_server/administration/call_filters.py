"""Reads which calls are wanted, as the console's addresses, the admin API and the command line name them."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime

from service_server.administration.failures import AdministrationError
from service_server.store import CallFilter
from service_server.store.clock import now

FILTER_NAMES = ("application", "user", "app", "function", "outcome", "code", "since", "until", "request")
OUTCOMES = {
    "succeeded": {"succeeded": True},
    "failed": {"succeeded": False},
    "unknown": {"outcome": "unknown"},
    "started": {"outcome": "started"},
}
CODE_CLASSES = ("2xx", "3xx", "4xx", "5xx")
_NUMBER = re.compile(r"[0-9]{1,18}")
_AGO = re.compile(r"([0-9]{1,5})(m|h|d)")
_UNITS = {"m": 60, "h": 3600, "d": 24 * 3600}
_REFUSAL_CODE = re.compile(r"[a-z][a-z0-9_]{0,63}")
_LAST_MOMENT = 2**47 / 1000  # of the ids


def read_filter(given: Mapping[str, str], *, refused: bool = False) -> CallFilter:
    """
    Read a filter; empty texts narrow nothing.

    `application` is its id, `outcome` one of OUTCOMES, `code` one of CODE_CLASSES or, of `refused` calls, the error's
    code. `since` and `until` are moments in UTC such as 2026-11-23 or 2026-11-23T08:30, or a time ago such as 90m, 24h
    or 7d. Raises AdministrationError, with a problem for each of them that can't be read.
    """
    problems: dict[str, str] = {}
    application, outcome, code = (given.get(name, "").strip() for name in ("application", "outcome", "code"))
    if application and not _NUMBER.fullmatch(application):
        problems["application"] = "An application is named by its number."
    if outcome and outcome not in OUTCOMES:
        problems["outcome"] = f"An outcome is one of {', '.join(OUTCOMES)}."
    if refused and code and not _REFUSAL_CODE.fullmatch(code):
        problems["code"] = "A code is that of an error, such as required."
    elif code and not refused and code not in CODE_CLASSES:
        problems["code"] = f"A network code is given as one of {', '.join(CODE_CLASSES)}."
    moments: dict[str, float | None] = {}
    for name in ("since", "until"):
        try:
            moments[name] = read_moment(given.get(name, "").strip())
        except ValueError:
            problems[name] = "Give a time in UTC such as 2026-11-23T08:30, or a time ago such as 90m, 24h or 7d."
    if problems:
        raise AdministrationError(" ".join(problems.values()), problems)
    return CallFilter(
        application_id=int(application) if application else None,
        user_id=given.get("user") or None,
        app_name=given.get("app", "").strip() or None,
        function_name=given.get("function", "").strip() or None,
        request_id=given.get("request", "").strip() or None,
        code_class=code[0] if code and not refused else None,
        code=code if code and refused else None,
        since=moments["since"],
        until=moments["until"],
        **OUTCOMES.get(outcome, {}),  # type: ignore[arg-type]
    )


def read_moment(text: str) -> float | None:
    """Seconds since 1970 of a moment as `since` has it, None for an empty text; raises ValueError."""
    if not text:
        return None
    ago = _AGO.fullmatch(text)
    if ago is not None:
        return max(0.0, now() - int(ago[1]) * _UNITS[ago[2]])
    found = datetime.fromisoformat(text)
    seconds = (found if found.tzinfo is not None else found.replace(tzinfo=UTC)).timestamp()
    if not 0 <= seconds < _LAST_MOMENT:
        raise ValueError(text)
    return seconds
