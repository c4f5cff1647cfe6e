"""What is wrong with a value, said to the person who filled it in."""

import math
import re
from collections.abc import Callable
from typing import Any

from attrs import frozen

from service_client.models import Code
from servicejs.forms.fields import Field, Limits
from servicejs.forms.options import Option, scalar_text
from servicejs.forms.paths import Path
from servicejs.forms.patterns import matches
from servicejs.forms.texts import parse_date, parse_date_time, parse_time, shown_number
from servicejs.language import gettext as _
from servicejs.language import ngettext

_EMAIL = re.compile(r"[^\s@]+@[^\s@]+")
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]+")


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
            return Code.ENUM, _("Choose one of the values in the list.")
        return None
    if isinstance(value, str):
        return _text_rule_broken(field.limits, value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _number_rule_broken(field.limits, value)
    return None


def count_rule_broken(limits: Limits, count: int) -> tuple[Code, str] | None:
    """Check how many entries a list has."""
    if limits.min_items is not None and count < limits.min_items:
        least = limits.min_items
        return Code.REQUIRED, ngettext("Add at least %(count)s entry.", "Add at least %(count)s entries.", least)
    if limits.max_items is not None and count > limits.max_items:
        return Code.FORMAT, too_many_entries(limits.max_items)
    return None


def too_many_entries(most: int) -> str:
    """Say how many entries a list may have."""
    return ngettext("Keep at most %(count)s entry.", "Keep at most %(count)s entries.", most)


def _text_rule_broken(limits: Limits, value: str) -> tuple[Code, str] | None:
    if limits.min_length is not None and len(value) < limits.min_length:
        least = limits.min_length
        return Code.FORMAT, ngettext("Use at least %(count)s character.", "Use at least %(count)s characters.", least)
    if limits.max_length is not None and len(value) > limits.max_length:
        most = limits.max_length
        return Code.FORMAT, ngettext("Use at most %(count)s character.", "Use at most %(count)s characters.", most)
    rule = _FORMATS.get(limits.format)
    if rule and not rule[0](value):
        return Code.FORMAT, rule[1]()
    if limits.pattern and not matches(limits.pattern, value):
        return Code.FORMAT, _("This isn’t in the expected format.")
    return None


def _number_rule_broken(limits: Limits, value: float) -> tuple[Code, str] | None:
    broken = ""
    if limits.minimum is not None and value < limits.minimum:
        broken = _("Enter %(number)s or more.", number=shown_number(limits.minimum))
    elif limits.maximum is not None and value > limits.maximum:
        broken = _("Enter %(number)s or less.", number=shown_number(limits.maximum))
    elif limits.exclusive_minimum is not None and value <= limits.exclusive_minimum:
        broken = _("Enter more than %(number)s.", number=shown_number(limits.exclusive_minimum))
    elif limits.exclusive_maximum is not None and value >= limits.exclusive_maximum:
        broken = _("Enter less than %(number)s.", number=shown_number(limits.exclusive_maximum))
    elif limits.multiple_of is not None and not _is_multiple(value, limits.multiple_of):
        broken = _("Enter a multiple of %(number)s.", number=shown_number(limits.multiple_of))
    return (Code.FORMAT, broken) if broken else None


def _is_date_time(value: str) -> bool:
    moment = parse_date_time(value)
    return moment is not None and moment.tzinfo is not None


_FORMATS: dict[str, tuple[Callable[[str], object], Callable[[], str]]] = {
    "email": (_EMAIL.fullmatch, lambda: _("Enter an email address, such as name@example.com.")),
    "uri": (_URI.fullmatch, lambda: _("Enter a full address, such as https://example.com.")),
    "date": (parse_date, lambda: _("Enter a date as year-month-day, such as 2026-03-31.")),
    "time": (parse_time, lambda: _("Enter a time of day as hours and minutes, such as 09:30 or 14:30.")),
    "date-time": (
        _is_date_time,
        lambda: _("Enter a date and time with its offset, such as 2026-03-31T09:30:00+02:00."),
    ),
}


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
