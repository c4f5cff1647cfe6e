"""How long something takes: "for an hour", "45 min", "half an hour", "1h30"."""

import re
from datetime import timedelta

from attrs import frozen

from service_server.predict.mentions.clocks import HOURS

_IN_WORDS = {"a": 1, "an": 1, **{word: count for count, word in enumerate(HOURS) if count}}
_IN_WORDS |= {"fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "forty-five": 45, "fifty": 50, "ninety": 90}
_COUNT = rf"(?:\d{{1,3}}(?:[.,]\d)?|{'|'.join(sorted(_IN_WORDS, key=len, reverse=True))})"
_LENGTH = re.compile(
    r"(?<![\w.,:/#+-])(?:(?P<quarters>half|three quarters|(?:a )?quarter)(?: of)?(?:(?: an)? |-)hour"
    rf"|(?P<hours>{_COUNT})(?P<half> and a (?:half|quarter))?[ -]?(?:h|hours?|hrs?)"
    r"(?:(?P<half_behind> and a (?:half|quarter))| ?(?:and )?(?P<more>\d{1,2})(?:(?<=h\d\d)| ?(?:m|mins?|minutes?)))?"
    rf"|(?P<minutes>{_COUNT})[ -]?(?:min|mins|minutes?))\b",
    re.IGNORECASE,
)
_QUARTERS = {"quarter": 1, "a quarter": 1, "half": 2, "three quarters": 3}
# "In two hours" is a moment, and "every two hours" a rhythm; "by an hour" is how far something moves.
_NO_LENGTH_BEFORE = re.compile(
    r"\b(?:in|within|every|last|past|next|by|than|first|after|another)(?: the)? $", re.IGNORECASE
)
_NO_LENGTH_BEHIND = re.compile(
    r"\s*(?:ago|before|after|earlier|later|from|past|to|late|early|ahead|beforehand|reminder|notice)\b", re.IGNORECASE
)


@frozen
class Length:
    """How long something takes, and where the prompt says so."""

    value: timedelta
    start: int
    end: int


def find_lengths(prompt: str) -> list[Length]:
    """Return the lengths of hours and minutes that a prompt names, in its order."""
    return [
        Length(_value(match), match.start(), match.end())
        for match in _LENGTH.finditer(prompt)
        if not _NO_LENGTH_BEFORE.search(prompt[: match.start()][-12:])
        and not _NO_LENGTH_BEHIND.match(prompt, match.end())
    ]


def _value(match: re.Match[str]) -> timedelta:
    if match["quarters"]:
        return timedelta(minutes=15 * _QUARTERS[match["quarters"].lower()])
    if match["minutes"]:
        return timedelta(minutes=_count(match["minutes"]))
    part = (match["half"] or match["half_behind"] or "").lower()
    half = 0.5 if part.endswith("half") else 0.25 if part else 0
    return timedelta(hours=_count(match["hours"]) + half, minutes=int(match["more"] or 0))


def _count(text: str) -> float:
    return _IN_WORDS.get(text.lower()) or float(text.replace(",", "."))
