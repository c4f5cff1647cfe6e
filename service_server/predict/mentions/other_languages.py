"""Days and times of day as they are said in German, Spanish, French, Japanese and Portuguese."""

import re
from collections.abc import Iterable, Iterator
from datetime import date, time, timedelta

from attrs import frozen

_RELATIVE = {
    2: ("übermorgen", "pasado mañana", "après-demain", "depois de amanhã", "明後日", "あさって"),
    1: ("morgen", "mañana", "demain", "amanhã", "明日"),
    0: ("heute", "hoy", "aujourd'hui", "aujourd’hui", "hoje", "今日", "本日"),
    -1: ("gestern", "ayer", "ontem", "昨日"),
}
_WEEKDAYS = (
    ("montag", "lunes", "lundi", "segunda", "月曜"),
    ("dienstag", "martes", "mardi", "terça", "火曜"),
    ("mittwoch", "miércoles", "mercredi", "quarta", "水曜"),
    ("donnerstag", "jueves", "jeudi", "quinta", "木曜"),
    ("freitag", "viernes", "vendredi", "sexta", "金曜"),
    ("samstag", "sábado", "sabado", "samedi", "土曜"),
    ("sonntag", "domingo", "dimanche", "日曜"),
)
_MONTHS = (
    ("januar", "enero", "janvier", "janeiro"),
    ("februar", "febrero", "février", "fevereiro"),
    ("märz", "marzo", "mars", "março"),
    ("april", "abril", "avril"),
    ("mai", "mayo", "maio"),
    ("juni", "junio", "juin", "junho"),
    ("juli", "julio", "juillet", "julho"),
    ("august", "agosto", "août"),
    ("september", "septiembre", "septembre", "setembro"),
    ("oktober", "octubre", "octobre", "outubro"),
    ("november", "noviembre", "novembre", "novembro"),
    ("dezember", "diciembre", "décembre", "dezembro"),
)
# What stands between a day and its time of day.
BETWEEN = frozenset({"um", "von", "a", "a las", "a la", "de", "à", "prochain à", "às", "as", "das", "の", "に", "、"})


def _any_of(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_DAYS_AHEAD = {word: days for days, words in _RELATIVE.items() for word in words}
_WEEKDAY_OF = {word: at for at, words in enumerate(_WEEKDAYS) for word in words}
_MONTH_OF = {word: number for number, words in enumerate(_MONTHS, 1) for word in words}
_LAST_LATIN = "\u024f"
_ORDINALS = frozenset({"segunda", "terça", "quarta", "quinta", "sexta"})  # "the second", unless more makes it a day
_LATIN = r"(?<![^\W_])"
_RELATIVE_DAY = _compiled(
    rf"(?:{_any_of(word for word in _DAYS_AHEAD if word > _LAST_LATIN)})"
    rf"|{_LATIN}(?<!\bla )(?:{_any_of(word for word in _DAYS_AHEAD if word < _LAST_LATIN)})(?![\w-])"
)
_JAPANESE_WEEKDAY = _compiled(rf"(来週の?|次の)?({_any_of(w for w in _WEEKDAY_OF if w.endswith('曜'))})日?")
_WEEKDAY = _compiled(
    rf"{_LATIN}(?<!santo )(?P<lead>na |à |até |próxima )?"
    rf"(?P<day>{_any_of(w for w in _WEEKDAY_OF if not w.endswith('曜'))})(?P<fair>-feira)?(?!\w)"
    r"(?P<time>(?= [dà]a?s ))?"
)
_DAY_OF_MONTH = _compiled(
    rf"{_LATIN}(\d{{1,2}})(?:\.|º|er)? (?:de )?({_any_of(_MONTH_OF)})(?!\w)(?:,? (?:del? )?(\d{{4}})(?!\d))?"
)
_JAPANESE_DAY = _compiled(r"(?:(\d{4})年)?(\d{1,2})月(\d{1,2})日")
# Only behind a word of these languages: else 24/7 and 4.2. are other things, and 3/5 an American day.
_IN_FIGURES = _compiled(
    r"(?<!\w)(?:am|vom|zum|bis|ab|el|al|del|le|du|au|dia|em|até|prazo) "
    r"(?P<place>(\d{1,2})(?:\.(\d{1,2})\.|/(\d{1,2})))(?![\w/-]|\.?\d)"
)
_HOUR = _compiled(r"(?<![\w:.,])(\d{1,2})(?:[:.](\d{2}))? ?(?:Uhr\b|h(\d{2})(?!\w))(?: (\d{2})(?!\w))?")
_HOUR_BEHIND = _compiled(
    r"(?<!\w)(?:(?:a|hasta|desde) las? (?P<bare>)|(?:las?|à|às|as|das|até|de|(?<=\d )a) )"
    r"(?P<place>(\d{1,2})(?::(\d{2}))?(?: ?h(?!\w)|(?(bare)(?![\w:,.]*\d)|(?!)))"
    r"(?P<late> d[ea] (?:la )?(?:tarde|noche|noite)| de l['’]après-midi| du soir)?)"
)
_LASTS = re.compile(r"\b(?:de|d['’]une) \Z", re.IGNORECASE)  # "de 2h" is how long, "de 14h à 15h" from when
_TO_THE_NEXT = re.compile(r" (?:à|a|às) \d", re.IGNORECASE)
_FIRST_OF_TWO = _compiled(r"\b(?:von|de|das) (?P<place>(\d{1,2}))(?= (?:bis|a|à|às) \d{1,2}(?: ?Uhr| ?h)\b)")
_JAPANESE_HOUR = _compiled(r"(午前|午後)?(\d{1,2})時(?!間)(?:(\d{1,2})分|(半))?")


@frozen
class Found:
    """A day or a time of day, and where it stands; `counted` says whether it is counted from today."""

    start: int
    end: int
    day: date | None = None
    clock: time | None = None
    counted: bool = False


def days_of(prompt: str, today: date) -> Iterator[Found]:
    """Yield the days of a prompt."""
    for match in _RELATIVE_DAY.finditer(prompt):
        yield _counted(match, today, _DAYS_AHEAD[match[0].lower()])
    for match in _JAPANESE_WEEKDAY.finditer(prompt):
        weekday = _WEEKDAY_OF[match[2]]
        next_week = 7 - today.weekday() + weekday
        yield _counted(match, today, next_week if match[1] and match[1][0] == "来" else _until(weekday, today))
    for match in _WEEKDAY.finditer(prompt):
        if match["day"].lower() in _ORDINALS and not any((match["lead"], match["fair"], match["time"] is not None)):
            continue
        yield _counted(match, today, _until(_WEEKDAY_OF[match["day"].lower()], today))
    for match in _DAY_OF_MONTH.finditer(prompt):
        yield from _on(match, match[3], _MONTH_OF[match[2].lower()], int(match[1]), today)
    for match in _JAPANESE_DAY.finditer(prompt):
        yield from _on(match, match[1], int(match[2]), int(match[3]), today)
    for match in _IN_FIGURES.finditer(prompt):
        yield from _on(match, None, int(match[3] or match[4]), int(match[2]), today)


def clocks_of(prompt: str) -> Iterator[Found]:
    """Yield the times of day of a prompt."""
    for match in _HOUR.finditer(prompt):
        if not _is_length(match, match.start()):
            yield from _at(match, int(match[1]), match[2] or match[3] or match[4])
    for match in _HOUR_BEHIND.finditer(prompt):
        hour = int(match[3])
        if not _is_length(match, match.start("place")):
            yield from _at(match, hour + 12 if match["late"] and hour < 12 else hour, match[4])
    for match in _FIRST_OF_TWO.finditer(prompt):
        yield from _at(match, int(match["place"]), None)
    for match in _JAPANESE_HOUR.finditer(prompt):
        hour = int(match[2])
        yield from _at(match, hour + 12 if match[1] == "午後" and hour < 12 else hour, "30" if match[4] else match[3])


def _is_length(match: re.Match[str], start: int) -> bool:
    """Whether a time says how long something takes."""
    said = match.string
    return _LASTS.search(said, max(0, start - 8), start) is not None and _TO_THE_NEXT.match(said, match.end()) is None


def _until(weekday: int, today: date) -> int:
    """Return in how many days a weekday comes; said on a Monday, "Montag" is the next one."""
    return (weekday - today.weekday()) % 7 or 7


def _place(match: re.Match[str]) -> tuple[int, int]:
    """Return where it stands, without a word that leads to it."""
    return match.span("place" if "place" in match.re.groupindex else 0)


def _counted(match: re.Match[str], today: date, days: int) -> Found:
    return Found(*_place(match), today + timedelta(days=days), counted=True)


def _on(match: re.Match[str], year: str | None, month: int, day: int, today: date) -> Iterator[Found]:
    """Yield a day of a month; without a year it is the next one to come."""
    for each in (int(year),) if year else range(today.year, today.year + 5):
        try:
            found = date(each, month, day)
        except ValueError:
            continue
        if year or found >= today:
            yield Found(*_place(match), found)
            return


def _at(match: re.Match[str], hour: int, minute: str | None) -> Iterator[Found]:
    if hour < 24 and int(minute or 0) < 60:
        yield Found(*_place(match), clock=time(hour, int(minute or 0)))
