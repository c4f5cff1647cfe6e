"""A prompt cut into the words and phrases that a vocabulary knows, and what stays as it is."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime

from attrs import evolve, frozen

from service_server.predict.languages.forms import Part
from service_server.predict.languages.gloss import Piece
from service_server.predict.languages.vocabulary import WORD, Entry, Key, Vocabulary
from service_server.predict.mentions import Moment, find_moments

_QUOTED = re.compile(r'"[^"]+"|“[^”“"]+[”“"]|„[^“”"]+[“”"]|«[^»]+»|「[^」]+」|『[^』]+』|`[^`]+`')
# Codes, addresses and file names are nobody's words.
_CODE = re.compile(r"[^\s'’(«\"“„»”]+|(?<=['’])[^\s'’(«\"“„»”]+")
_IN_CODE = re.compile(r"[@#/_\d]|\w\.\w|^(?:R?[€$£¥]|[%+&=])+$")
_BEHIND_CODE = ".,;:!?)"
JAPANESE_CODE = re.compile(r"(?<![A-Za-z0-9])[#@/]*[A-Za-z0-9][\w.%+/#@:-]*", re.ASCII)
"""In Japanese no blank parts a code from the words beside it."""
# Figures as these languages write them: "1.250,50", "12,90", "48 mil", "48万".
_FIGURES = re.compile(
    r"(?<![\w.,/:-])(?:"
    r"(?P<whole>[1-9]\d{0,2}(?:(?P<gap>[. \u00a0\u202f])\d{3})(?:(?P=gap)\d{3})*|\d+),(?P<part>\d{2})"
    r"|(?P<thousands>[1-9]\d{0,2}(?:\.\d{3})+)"
    r"|(?P<few>\d{1,6}(?:,\d)?) ?(?P<scale>mil|mille|tausend|tsd|millones|milhões|millions|Millionen|Mio)"
    r")(?![\w]|[.,/:]\d|-\d)"
    r"|(?<![\d.,/:-])(?P<man>\d{1,5})(?P<unit>[万千])(?:(?P<sen>\d)千)?(?!\d)",
    re.IGNORECASE,
)
_SCALES = {"mil": 1000, "mille": 1000, "tausend": 1000, "tsd": 1000, "万": 10_000, "千": 1000}
_MILLION = 1_000_000
_WITHIN = re.compile(r"[ 　]?|-|[ 　]-[ 　]?")
_WEEK = 7
_NO_NAMES = (Part.COMMAND, Part.INFINITIVE, Part.TOLD, Part.OPENER)
_NEAR = 6  # characters before a word that tell whether a sentence begins with it
_SENTENCE_END = re.compile(r"(?:^|[.!?:;\n])\W*$")


@frozen
class Unit:
    """
    Words of a prompt that mean something together; `entries` are what they may mean.

    `said` is what stands for them in the gloss, where that is settled: a code, a name in quotation marks, a day.
    """

    start: int
    end: int
    key: Key = ()
    entries: tuple[Entry, ...] = ()
    said: tuple[Piece, ...] = ()
    is_moment: bool = False

    def means(self, *parts: Part) -> Entry | None:
        """Return the first meaning of the given parts."""
        return next((entry for part in parts for entry in self.entries if entry.part is part), None)

    @property
    def is_free(self) -> bool:
        """Whether it is a name, a code, a number or a word that nobody knows."""
        return not self.entries


def settled(prompt: str, now: datetime, code: re.Pattern[str] = _CODE) -> list[Unit]:
    """Return the units that stay as they are, in the order of the prompt: quotations, days and times, codes."""
    found = [_quotation(prompt, *match.span()) for match in _QUOTED.finditer(prompt)]
    day: date | None = None
    moments = [each for each in find_moments(prompt, now) if isinstance(each.value, Moment)]
    for each in moments:
        if not any(unit.start < each.end and each.start < unit.end for unit in found):
            moment = each.value
            if day is not None and moment.day == day and moment.clock is not None:
                moment = evolve(moment, day=None)  # "viernes de 15:00 a 16:00": the day is said once
            day = moment.day or day
            said = (Piece(in_english(moment, now), each.start, each.end),)
            found.append(Unit(each.start, each.end, said=said, is_moment=True))
    for match in _FIGURES.finditer(prompt):
        if not any(unit.start < match.end() and match.start() < unit.end for unit in found):
            found.append(Unit(*match.span(), said=(Piece(_in_figures(match), *match.span()),)))
    for match in code.finditer(prompt):
        said_code = match[0].rstrip(_BEHIND_CODE)
        start, end = match.start(), match.start() + len(said_code)
        if code is _CODE and not _IN_CODE.search(said_code):
            continue
        if not any(unit.start < end and start < unit.end for unit in found):
            found.append(Unit(start, end, said=(Piece(said_code, start, end, kept=True),)))
    return sorted(found, key=lambda unit: unit.start)


def _in_figures(match: re.Match[str]) -> str:
    """Return a number as English writes it, without marks between its thousands."""
    if match["thousands"]:
        return match["thousands"].replace(".", "")
    if match["scale"]:
        count = float(match["few"].replace(",", ".")) * _SCALES.get(match["scale"].casefold(), _MILLION)
        return f"{count:.0f}"
    if match["man"]:
        return str(int(match["man"]) * _SCALES[match["unit"]] + 1000 * int(match["sen"] or 0))
    return re.sub(r"\D", "", match["whole"]) + "." + match["part"]


def _quotation(prompt: str, start: int, end: int) -> Unit:
    inner = prompt[start + 1 : end - 1]
    first = start + 1 + len(inner) - len(inner.lstrip())
    last = first + len(inner.strip())
    return Unit(start, end, said=(Piece(f'"{prompt[first:last]}"', first - 1, last + 1, kept=True),))


def in_english(moment: Moment, now: datetime) -> str:
    """Return a day or time as one says it in English."""
    day = moment.day
    said = []
    if day is not None:
        ahead = (day - now.date()).days
        if moment.counted and ahead in (-1, 0, 1):
            said.append(("yesterday", "today", "tomorrow")[ahead + 1])
        elif moment.counted and 0 < ahead <= _WEEK:
            said.append(f"{day:%A}")
        else:
            said.append(f"{day.day} {day:%B %Y}")
    if moment.clock is not None:
        said.append(f"{'at ' if said else ''}{moment.clock:%H:%M}")
    return " ".join(said)


def units_of(prompt: str, vocabulary: Vocabulary, now: datetime) -> list[Unit]:
    """Cut a prompt into units, each as long as the vocabulary has one."""
    units = settled(prompt, now)
    taken = [(unit.start, unit.end) for unit in units]
    words = [
        match.span()
        for match in WORD.finditer(prompt)
        if not any(start < match.end() and match.start() < end for start, end in taken)
    ]
    return sorted([*units, *_known(prompt, words, vocabulary)], key=lambda unit: unit.start)


def _known(prompt: str, words: Sequence[tuple[int, int]], vocabulary: Vocabulary) -> Iterator[Unit]:
    at = 0
    while at < len(words):
        length = 1
        while length < vocabulary.longest and at + length < len(words) and _together(prompt, words, at + length):
            length += 1
        for count in range(length, 0, -1):
            key = tuple(prompt[start:end].casefold().replace("’", "'") for start, end in words[at : at + count])
            entries = vocabulary.of(key)
            if entries and at and _has_capital(prompt, words[at][0]):
                keeps = vocabulary.language == "de" or count > 1
                entries = [each for each in entries if keeps and each.part not in _NO_NAMES and not each.is_adjective]
            if not entries and count == 1 and vocabulary.language == "de":
                entries = _compound(key[0], vocabulary)
            if entries or count == 1:
                yield Unit(words[at][0], words[at + count - 1][1], key, tuple(entries))
                at += count
                break


def _has_capital(prompt: str, start: int) -> bool:
    """Whether a word has a capital within a sentence: in German it is no verb, elsewhere a name."""
    return (
        prompt[start].isupper()
        and _SENTENCE_END.search(" " * (start < _NEAR) + prompt[max(0, start - _NEAR) : start]) is None
    )


def _together(prompt: str, words: Sequence[tuple[int, int]], at: int) -> bool:
    return _WITHIN.fullmatch(prompt[words[at - 1][1] : words[at][0]]) is not None


_SHORTEST_PART = 3


def _compound(word: str, vocabulary: Vocabulary) -> list[Entry]:
    """Return the meaning of a German noun that is made of two known ones: "Kundenliste"."""
    for at in range(len(word) - _SHORTEST_PART, _SHORTEST_PART - 1, -1):
        last = [entry for entry in vocabulary.of((word[at:],)) if entry.part is Part.WORD]
        if not last:
            continue
        for ending in ("", "s", "n", "en", "es"):
            if word[:at].endswith(ending):
                first = vocabulary.of((word[: at - len(ending)],))
                if known := [entry for entry in first if entry.part is Part.WORD]:
                    english = known[0].english
                    one = english if english.endswith("ss") else english.removesuffix("s")
                    return [evolve(last[0], english=f"{one} {last[0].english}")]
    return []
