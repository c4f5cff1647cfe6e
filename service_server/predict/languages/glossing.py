"""Put a prompt in another language into English word by word, its verb where English has it."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from attrs import evolve

from service_server.predict.languages.commands import Verdict, judged
from service_server.predict.languages.forms import Part
from service_server.predict.languages.gloss import Gloss, Piece, joined
from service_server.predict.languages.japanese import glossed_japanese
from service_server.predict.languages.units import Unit, units_of
from service_server.predict.languages.vocabulary import vocabulary_of
from service_server.predict.languages.word_order import commanded, in_order
from service_server.predict.mood import Mood

_SENTENCE_BREAK = re.compile(r"[.!?…](?=\s|$)|[;\n]|\s\?")
_CLAUSE_BREAK = re.compile(r"[,:–—()]|\s-\s")
_COLON = re.compile(r"\s?:(?=\s)")
# "João, manda você o orçamento": who is called by name is to do it.
_TO_SOMEBODY_ELSE = re.compile(
    r"^[A-ZÀ-Þ][\w'’-]+, [^:\n]*\b(?:você|tú|vos|toi|vous-même|selbst|selber)\b"
    r"|^[^\s、,]{1,10}(?:さん|君|くん)、[^「\n]*自分で"
)
_LONGEST_VOCATIVE = 2  # units: "Slack: …"
_STOPS = frozenset({Mood.DENIAL, Mood.QUESTION})
_SENDING = frozenset({"send", "post", "tell", "write", "reply", "forward"})


def glossed(prompt: str, language: str, now: datetime) -> Gloss:
    """Return a prompt in English words; `now`, which has a time zone, is what "morgen" counts from."""
    gloss = glossed_japanese(prompt, now) if language == "ja" else _glossed(prompt, language, now)
    return evolve(gloss, changes_nothing=True) if _TO_SOMEBODY_ELSE.search(prompt) else gloss


def _glossed(prompt: str, language: str, now: datetime) -> Gloss:
    every = units_of(prompt, vocabulary_of(language), now)
    units, tail = _without_text(prompt, every)
    pieces: list[Piece] = []
    changes_nothing = False
    commands = False
    for sentence in _parts(prompt, units, _SENTENCE_BREAK):
        own, mood = _sentence(prompt, sentence, language)
        pieces.extend(own)
        commands = commands or mood is Mood.COMMAND
        changes_nothing = changes_nothing or mood not in (Mood.COMMAND, Mood.LABEL)
    pieces.extend(_text(prompt, tail, every))
    return joined(prompt, pieces, changes_nothing=changes_nothing and not commands)


def _without_text(prompt: str, units: list[Unit]) -> tuple[list[Unit], int]:
    """Return the units before a text that is to be written or sent, and where that begins: behind a colon or "dass"."""
    sends = False
    for at, unit in enumerate(units):
        if at and _COLON.search(prompt[units[at - 1].end : unit.start]) and at > _LONGEST_VOCATIVE:
            if unit.said and not unit.is_moment and at + 1 == len(units):
                return units, len(prompt)
            return units[:at], unit.start
        if sends and unit.means(Part.THAT):
            following = units[at + 1].start if at + 1 < len(units) else len(prompt)
            return units[: at + 1], following
        if (verb := unit.means(Part.COMMAND, Part.INFINITIVE)) and verb.english.split()[0] in _SENDING:
            sends = True
    return units, len(prompt)


def _text(prompt: str, start: int, units: Sequence[Unit]) -> Iterator[Piece]:
    """Yield the pieces of a text, which stays as it is but for its days and times."""
    for at, unit in enumerate(units):
        if unit.start < start:
            continue
        between = 0 < at < len(units) - 1 and units[at - 1].is_moment and units[at + 1].is_moment
        if not unit.is_moment and not (between and unit.means(Part.PREPOSITION)):
            continue
        if kept := prompt[start : unit.start].strip():
            first = prompt.index(kept, start)
            yield Piece(kept, first, first + len(kept), kept=True)
        yield from unit.said or [Piece("to", unit.start, unit.end)]
        start = unit.end
    if kept := prompt[start:].strip():
        first = prompt.index(kept, start)
        yield Piece(kept, first, first + len(kept), kept=True)


def _parts(prompt: str, units: Sequence[Unit], break_: re.Pattern[str]) -> Iterator[list[Unit]]:
    current: list[Unit] = []
    for at, unit in enumerate(units):
        if current and break_.search(prompt[units[at - 1].end : unit.start] if at else ""):
            yield current
            current = []
        current.append(unit)
    if current:
        yield current


def _sentence(prompt: str, units: Sequence[Unit], language: str) -> tuple[list[Piece], Mood]:
    """Return the pieces of a sentence and its mood; what is denied, asked, reported or supposed commands nothing."""
    following = prompt[units[-1].end :].lstrip(' »"”)')
    asks = following.startswith("?") or "¿" in prompt[max(0, units[0].start - 2) : units[0].start]
    verdicts: list[tuple[list[Unit], Verdict]] = []
    mood: Mood | None = None
    for clause in _parts(prompt, units, _CLAUSE_BREAK):
        asked_for = any(each.is_asked for _, each in verdicts)  # "könntest du …, Mail a@b.example?"
        goes_on = bool(verdicts) and _only_asks(*verdicts[-1])
        verdict = judged(clause, language, asks=asks and not asked_for, goes_on=goes_on)
        own = verdict.mood
        if own is Mood.COMMAND and (
            mood in (None, Mood.LABEL) or (mood is Mood.STATEMENT and verdict.verb is not None)
        ):
            mood = own
        elif own in _STOPS or (mood in (None, Mood.LABEL) and own is not None):
            mood = own if mood is not Mood.COMMAND or own in _STOPS else mood
        if _reports_or_supposes(clause, verdict):
            mood = mood if mood is Mood.COMMAND and own is not Mood.COMMAND else Mood.QUESTION
        verdicts.append((clause, verdict))
        if mood in _STOPS:
            break
    settled = mood or Mood.LABEL
    pieces: list[Piece] = []
    judged_units = 0
    for clause, verdict in verdicts:
        judged_units += len(clause)
        if _only_asks(clause, verdict):
            continue
        moved = settled is Mood.COMMAND and verdict.mood is Mood.COMMAND
        pieces.extend(commanded(prompt, clause, verdict) if moved else _told(prompt, clause, verdict))
    pieces.extend(in_order(prompt, units[judged_units:]))
    return pieces, settled


def _only_asks(clause: Sequence[Unit], verdict: Verdict) -> bool:
    return verdict.is_asked and verdict.begin == len(clause)


def _reports_or_supposes(clause: Sequence[Unit], verdict: Verdict) -> bool:
    """Whether a clause says what somebody says, or begins with "if"; what a command is about may well do so."""
    before = clause if verdict.verb is None else clause[: verdict.verb]
    first = next((unit for unit in clause if not unit.means(Part.OPENER)), None)
    supposes = first is not None and first.means(Part.CONDITION) and not first.means(Part.PREPOSITION, Part.WORD)
    return bool(supposes) or any(
        unit.means(Part.REPORT) and not unit.means(Part.WORD, Part.AUXILIARY) for unit in before
    )


def _told(prompt: str, clause: Sequence[Unit], verdict: Verdict) -> list[Piece]:
    """Return the pieces of a clause in its own order, without "bitte" before it."""
    rest = clause[verdict.begin :] if verdict.mood in (None, Mood.LABEL) else clause
    return list(in_order(prompt, rest))
