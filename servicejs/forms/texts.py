"""Converts between values and the texts that controls carry."""

import json
import math
import re
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any

from service_client.models import Code
from servicejs.forms.fields import Field
from servicejs.forms.options import is_scalar, scalar_text
from servicejs.language import gettext as _
from servicejs.language import number_marks

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,4})?", re.ASCII)
_GROUP_BLANKS = re.compile(r"(?<=\d)[ \u00a0\u202f'\u2019\u066c](?=\d{3}(?!\d))", re.ASCII)
_DIRECTION_MARKS = re.compile("[\u061c\u200e\u200f]")  # which come along when Arabic text is copied
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}([.,])\d{3}(\1\d{3})*", re.ASCII)
_GROUPED_WITH_DECIMALS = re.compile(r"[+-]?\d{1,3}([.,])\d{3}(\1\d{3})*(?!\1)[.,]\d+", re.ASCII)
_PLAIN_MARKS = str.maketrans("−－＋．，\u060c", "--+.,,") | {
    start + digit: str(digit) for start in (0xFF10, 0x0660, 0x06F0) for digit in range(10)
}
"""Minus signs, and the digits and marks of Japanese and Arabic keyboards."""
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_DATE_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)?", re.ASCII)
_TIME = re.compile(r"\d\d:\d\d(:\d\d)?", re.ASCII)
_LONGEST_NUMBER = 400
"""Characters; no app means anything by a longer number."""


class UnreadableError(ValueError):
    """A text that is not a value of its field; the message says what is wanted."""

    def __init__(self, message: str, code: Code = Code.TYPE) -> None:
        super().__init__(message)
        self.code = code


def show(field: Field, value: Any) -> str | None:
    """
    Write a value as the text of the field's control; None when the control has no way to show it.

    A value of another scalar type is shown where that loses nothing: reading it back decides whether it fits.
    """
    if field.kind == "json":
        return json.dumps(value, ensure_ascii=False, indent=2)
    if field.kind == "boolean":
        text = scalar_text(value) if is_scalar(value) else ""
        return text if text in ("true", "false") else None
    if not is_scalar(value) or isinstance(value, bool):
        return None
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return shown_number(value) if field.control == "number" and not isinstance(value, str) else scalar_text(value)


def read(field: Field, text: str) -> Any:
    """Read the value out of a control's text; raises `UnreadableError`."""
    if field.kind == "number":
        return _read_number(field, text)
    if field.kind == "boolean":
        if text in ("true", "false"):
            return text == "true"
        raise UnreadableError(_("Choose Yes or No."))
    if field.kind == "json":
        return _read_json(field, text)
    return text


def parse_date(text: str) -> date | None:
    """Read a day such as 2026-03-31."""
    try:
        return date.fromisoformat(text) if _DATE.fullmatch(text) else None
    except ValueError:
        return None


def parse_date_time(text: str) -> datetime | None:
    """Read a moment such as 2026-03-31T09:30:00+02:00, with or without an offset."""
    try:
        return datetime.fromisoformat(text.upper()) if _DATE_TIME.fullmatch(text) else None
    except ValueError:
        return None


def parse_time(text: str) -> time | None:
    """Read a time of day such as 09:30 or 09:30:15."""
    try:
        return time.fromisoformat(text) if _TIME.fullmatch(text) else None
    except ValueError:
        return None


def short_time(text: str) -> str:
    """Write a time of day without seconds if they are zero, as time controls do; other texts stay as they are."""
    known = parse_time(text)
    return known.isoformat(timespec="seconds" if known.second else "minutes") if known else text


def with_offset(text: str, zone: tzinfo | None) -> str:
    """Add the offset of `zone` (None: the user's own) to a moment that has none, as browsers' date controls give it."""
    moment = parse_date_time(text)
    if moment is None or moment.tzinfo is not None:
        return text
    try:
        local = moment.replace(tzinfo=zone) if zone else moment.astimezone()
        # Before standard time, offsets had seconds, which the format of moments can't express.
        odd = (local.utcoffset() or timedelta()) % timedelta(minutes=1)
        return (local.astimezone(UTC) if odd else local).isoformat()
    except (OverflowError, OSError, ValueError):  # the first and last days that the calendar knows
        return text


def local_time(text: str, zone: tzinfo | None) -> str | None:
    """Write a moment the way browsers' date controls take it, in `zone`; None when it is no full moment."""
    moment = parse_date_time(text)
    if moment is None or moment.tzinfo is None:
        return None
    try:
        local = moment.astimezone(zone).replace(tzinfo=None, microsecond=0)
    except (OverflowError, OSError, ValueError):
        return None
    return local.isoformat(timespec="seconds" if local.second else "minutes")


def shown_number(value: float) -> str:
    """Write a number with the decimal mark of the user's locale."""
    return scalar_text(value).replace(".", number_marks()[0])


def tidied(field: Field, text: str) -> str:
    """Write a typed number without thousands marks, so that the user sees how it was read."""
    if field.control != "number":
        return text
    try:
        read(field, text)
        return _plain_number(text).replace(".", number_marks()[0])
    except UnreadableError:
        return text


def _plain_number(text: str) -> str:
    """
    Write a number as programs do: without thousands marks, and with a decimal point.

    Marks mean what they do in the user's locale, or the only thing they can mean: 1.234,5 is the same everywhere. If
    1.234 may be a thousand or little more than one, the error asks which.
    """
    decimal, group = number_marks()
    text = text.strip().translate(_PLAIN_MARKS | {0x066B: decimal})
    text = _GROUP_BLANKS.sub("", _DIRECTION_MARKS.sub("", text))
    marks = [each for each in text if each in ".,"]
    if not marks:
        return text
    if _GROUPED_WITH_DECIMALS.fullmatch(text):
        return text.replace(marks[0], "").replace(marks[-1], ".")
    if _GROUPED.fullmatch(text) and marks[0] != decimal:
        if not group and len(marks) == 1:
            whole, part = text.replace(marks[0], ""), text.replace(marks[0], decimal)
            raise UnreadableError(_("Do you mean %(whole)s or %(part)s? Write it that way.", whole=whole, part=part))
        return text.replace(marks[0], "")
    return text.replace(decimal, ".") if len(marks) == 1 and marks[0] in (".", decimal) else text


def _read_number(field: Field, text: str) -> int | float:
    if field.control == "number" or not _NUMBER.fullmatch(text):  # a choice's text is written by a program
        text = _plain_number(text)
    if not _NUMBER.fullmatch(text) or len(text) > _LONGEST_NUMBER:
        raise UnreadableError(
            _("Enter a whole number, such as 12.")
            if field.limits.integer
            else _("Enter a number, such as 12 or %(example)s.", example=shown_number(12.5))
        )
    if re.fullmatch(r"[+-]?\d+", text):
        return int(text)
    number = float(text)
    if not math.isfinite(number):
        raise UnreadableError(_("This number is too large."))
    if field.limits.integer:
        if number != int(number):
            raise UnreadableError(_("Enter a whole number, such as 12."))
        return int(number)
    return number


def _read_json(field: Field, text: str) -> Any:
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        where = _("This isn’t valid JSON: line %(line)s, column %(column)s.", line=error.lineno, column=error.colno)
        raise UnreadableError(where) from None
    except (ValueError, RecursionError):
        raise UnreadableError(_("This isn’t valid JSON.")) from None
    if field.expects == "object" and not isinstance(value, dict):
        raise UnreadableError(_('Enter a JSON object, such as {"name": "value"}.'))
    if field.expects == "array" and not isinstance(value, list):
        raise UnreadableError(_('Enter a JSON array, such as ["one", "two"].'))
    return value


def _refuse_constant(name: str) -> None:
    raise ValueError(name)
