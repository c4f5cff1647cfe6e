"""What is wrong with a value, said to the person who filled it in."""

import math
import re
from collections.abc import Callable
from typing import Any

from attrs import frozen

from service_client.models import Code
from servicejs.forms.fields import Field, Limits, Option, scalar_text
from servicejs.forms.paths import Path
from servicejs.forms.texts import parse_date, parse_date_time

_EMAIL = re.compile(r"[^\s@]+@[^\s@]+")
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]+")
_LONGEST_FOR_PATTERN = 10_000
"""Characters; a longer text is left to the service, so that no pattern can hold up the page."""


@frozen
class Problem:
    """One thing that is wrong; the path is empty when it concerns no single field."""

    path: Path
    code: str
    message: str


def rule_broken(field: Field, value: Any) -> tuple[Code, str] | None:
    """Check a value that has the right type against everything else its field says; None when all is well."""
    if field.options and field.control == "choice":
        if not any(_is_option(value, option) for option in field.options):
            return Code.ENUM, "Choose one of the values in the list."
        return None
    if isinstance(value, str):
        return _text_rule_broken(field.limits, value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _number_rule_broken(field.limits, value)
    return None


def count_rule_broken(limits: Limits, count: int) -> tuple[Code, str] | None:
    """Check how many entries a list has."""
    if limits.min_items is not None and count < limits.min_items:
        return Code.REQUIRED, f"Add at least {_counted(limits.min_items, 'entry', 'entries')}."
    if limits.max_items is not None and count > limits.max_items:
        return Code.FORMAT, f"Keep at most {_counted(limits.max_items, 'entry', 'entries')}."
    return None


def _text_rule_broken(limits: Limits, value: str) -> tuple[Code, str] | None:
    if limits.min_length is not None and len(value) < limits.min_length:
        return Code.FORMAT, f"Use at least {_counted(limits.min_length, 'character', 'characters')}."
    if limits.max_length is not None and len(value) > limits.max_length:
        return Code.FORMAT, f"Use at most {_counted(limits.max_length, 'character', 'characters')}."
    rule = _FORMATS.get(limits.format)
    if rule and not rule[0](value):
        return Code.FORMAT, rule[1]
    if limits.pattern and not _matches(limits.pattern, value):
        return Code.FORMAT, "This doesn’t have the form that is asked for."
    return None


def _number_rule_broken(limits: Limits, value: float) -> tuple[Code, str] | None:
    broken = ""
    if limits.minimum is not None and value < limits.minimum:
        broken = f"Enter {limits.minimum} or more."
    elif limits.maximum is not None and value > limits.maximum:
        broken = f"Enter {limits.maximum} or less."
    elif limits.exclusive_minimum is not None and value <= limits.exclusive_minimum:
        broken = f"Enter more than {limits.exclusive_minimum}."
    elif limits.exclusive_maximum is not None and value >= limits.exclusive_maximum:
        broken = f"Enter less than {limits.exclusive_maximum}."
    elif limits.multiple_of is not None and not _is_multiple(value, limits.multiple_of):
        broken = f"Enter a multiple of {limits.multiple_of}."
    return (Code.FORMAT, broken) if broken else None


def _is_date_time(value: str) -> bool:
    moment = parse_date_time(value)
    return moment is not None and moment.tzinfo is not None


_FORMATS: dict[str, tuple[Callable[[str], object], str]] = {
    "email": (_EMAIL.fullmatch, "Enter an email address, such as name@example.com."),
    "uri": (_URI.fullmatch, "Enter a full address, such as https://example.com."),
    "date": (parse_date, "Enter a date as year-month-day, such as 2026-03-31."),
    "date-time": (_is_date_time, "Enter a date and time with its offset, such as 2026-03-31T09:30:00+02:00."),
}


def _matches(pattern: str, value: str) -> bool:
    """Search as JSON Schema does; a pattern that Python can't read is left to the service."""
    if len(value) > _LONGEST_FOR_PATTERN:
        return True
    try:
        return re.search(pattern, value) is not None
    except (re.error, OverflowError, RecursionError):
        return True


def _is_multiple(value: float, step: float) -> bool:
    try:
        quotient = value / step
    except OverflowError:
        return True
    return not math.isfinite(quotient) or math.isclose(quotient, round(quotient), rel_tol=1e-9, abs_tol=1e-9)


def _is_option(value: Any, option: Option) -> bool:
    """Compare as JSON does (true is not 1, 1.0 is), and forgive an app that lists its numbers as text."""
    if isinstance(value, bool) == isinstance(option.value, bool) and value == option.value:
        return True
    return scalar_text(value) == option.text


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"
