"""Put a prompt in another language into English word by word, its verb where English has it."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise

from service_server.predict.languages.commands import Verdict, judged
from service_server.predict.languages.forms import Part
from service_server.predict.languages.gloss import Gloss, Piece, joined
from service_server.predict.languages.japanese import glossed_japanese
from service_server.predict.languages.units import Unit, units_of
from service_server.predict.languages.vocabulary import Entry, vocabulary_of
from service_server.predict.mood import Mood

_SENTENCE_BREAK = re.compile(r"[.!?…](?=\s|$)|[;\n]|\s\?")
_CLAUSE_BREAK = re.compile(r"[,:–—()]|\s-\s")
_COLON = re.compile(r"\s?:(?=\s)")
_LONGEST_VOCATIVE = 2  # units: "Slack: …"
_STOPS = frozenset({Mood.DENIAL, Mood.QUESTION})
# A word that is several things is first one of these behind the beginning of its clause.
_ORDER = (
    *(Part.NEGATION, Part.AUXILIARY, Part.DETERMINER, Part.PREPOSITION, Part.THAT, Part.WORD, Part.SUBJECT),
    *(Part.CONDITION, Part.REPORT, Part.TOLD, Part.INFINITIVE, Part.COMMAND, Part.QUESTION, Part.OPENER),
)
_AFTER_VERB = frozenset({("sie",), ("usted",), ("vous",), ("você",), ("ustedes",), ("mal",), ("bitte",)})
_INTO_A_STATE = frozenset({("en",), ("como",), ("comme",), ("à",), ("em",), ("a",)})
_SENDING = frozenset({"send", "post", "tell", "write", "reply", "forward"})
_DONE_TO_PEOPLE = frozenset(
    "create delete invite ban block unblock mute subscribe unsubscribe find get show register hire call cancel".split()
)
"""In Spanish "a" stands before the people that these are done to."""
_TO = frozenset({"rename", "move", "change", "set", "update"})
_OBJECT_PRONOUNS = {("le",): "it", ("la",): "it", ("les",): "them", ("o",): "it", ("a",): "it"}


def glossed(prompt: str, language: str, now: datetime) -> Gloss:
    """Return a prompt in English words; `now`, which has a time zone, is what "morgen" counts from."""
    if language == "ja":
        return glossed_japanese(prompt, now)
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
    following = prompt[units[-1].end :].lstrip(" »\"”)")
    asks = following.startswith("?") or "¿" in prompt[max(0, units[0].start - 2) : units[0].start]
    verdicts: list[tuple[list[Unit], Verdict]] = []
    mood: Mood | None = None
    for clause in _parts(prompt, units, _CLAUSE_BREAK):
        asked_for = any(each.is_asked for _, each in verdicts)  # "könntest du …, Mail a@b.example?"
        verdict = judged(clause, language, asks=asks and not asked_for)
        own = verdict.mood
        if own is Mood.COMMAND and (mood in (None, Mood.LABEL) or (mood is Mood.STATEMENT and verdict.verb is not None)):
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
        moved = settled is Mood.COMMAND and verdict.mood is Mood.COMMAND
        pieces.extend(_commanded(prompt, clause, verdict) if moved else _told(prompt, clause, verdict))
    pieces.extend(_in_order(prompt, units[judged_units:]))
    return pieces, settled


def _reports_or_supposes(clause: Sequence[Unit], verdict: Verdict) -> bool:
    """Whether a clause says what somebody says, or begins with "if"; what a command is about may well do so."""
    before = clause if verdict.verb is None else clause[: verdict.verb]
    first = next((unit for unit in clause if not unit.means(Part.OPENER)), None)
    supposes = first is not None and first.means(Part.CONDITION) and not first.means(Part.PREPOSITION, Part.WORD)
    return bool(supposes) or any(unit.means(Part.REPORT) and not unit.means(Part.WORD, Part.AUXILIARY) for unit in before)


def _told(prompt: str, clause: Sequence[Unit], verdict: Verdict) -> list[Piece]:
    """Return the pieces of a clause in its own order, without "bitte" before it."""
    rest = clause[verdict.begin :] if verdict.mood in (None, Mood.LABEL) else clause
    return list(_in_order(prompt, rest))


def _commanded(prompt: str, clause: Sequence[Unit], verdict: Verdict) -> list[Piece]:
    """Return the pieces of a command: the verb first, then what it is about, then where."""
    rest = list(clause[verdict.begin :])
    if verdict.verb is None:
        return _needed(prompt, clause[max(0, verdict.begin - 1)], rest)
    verb = clause[verdict.verb]
    rest.remove(verb)
    before = [unit for unit in rest if unit.start < verb.start]
    behind = [unit for unit in rest if unit.start > verb.start]
    if before and not before[0].means(Part.PREPOSITION):  # "den Kanal #alt löschen": its object stands before it
        before, behind = [], before + behind
    meant, particle = _meaning(verb, rest)
    if particle is not None:
        behind = [unit for unit in behind if unit is not particle]
    while behind and behind[0].key in _AFTER_VERB:
        behind.pop(0)
    english = meant.english
    if english.startswith("put"):
        english = ("set" if _is_put_into_a_state(behind) else "add") + english.removeprefix("put")
    pieces = [Piece(english, verb.start, verb.end)]
    if behind and prompt[verb.end : behind[0].start] == "-" and behind[0].key in _OBJECT_PRONOUNS:
        pieces.append(Piece(_OBJECT_PRONOUNS[behind[0].key], behind[0].start, behind[0].end))
        behind.pop(0)
    for chunk in _object_first(behind, english):
        into = english.split()[0] in _TO and chunk[0].key in (("in",), ("en",), ("em",)) and not chunk[-1].entries
        if into and len(chunk) > 1:
            pieces.append(Piece("to", chunk[0].start, chunk[0].end))
            chunk = chunk[1:]
        pieces.extend(_in_order(prompt, chunk))
    pieces.extend(_in_order(prompt, before))
    return pieces


def _is_put_into_a_state(units: Sequence[Unit]) -> bool:
    """Whether something is put "en attente" or "como resuelto", where "mets" and "pon" change it."""
    return any(
        place.key in _INTO_A_STATE and (state.means(Part.TOLD) or ((word := state.means(Part.WORD)) and word.is_adjective))
        for place, state in pairwise(units)
    )


def _needed(prompt: str, need: Unit, rest: Sequence[Unit]) -> list[Piece]:
    """Return the pieces of what somebody needs: to be made, if it is "a folder", else to be shown."""
    chunks = _object_first(rest, "")
    article = chunks[0][0].means(Part.DETERMINER) if chunks else None
    what = chunks[0][1].means(Part.WORD) if chunks and len(chunks[0]) > 1 else None
    is_new = article is not None and article.english in ("a", "another")
    verb = "create" if is_new and (what is None or what.english not in ("list", "report", "copy")) else "show"
    pieces = [Piece(verb, need.start, need.end)]
    for chunk in chunks:
        pieces.extend(_in_order(prompt, chunk))
    return pieces


def _object_first(units: Sequence[Unit], verb: str) -> list[list[Unit]]:
    """Return the chunks behind a verb, what it is about first: "add to HubSpot the contact" is no English."""
    chunks = _chunks(units)
    objects = [at for at, chunk in enumerate(chunks) if not chunk[0].means(Part.PREPOSITION)]
    if not objects and verb.split()[:1] and verb.split()[0] in _DONE_TO_PEOPLE:
        for at, chunk in enumerate(chunks):
            if chunk[0].key in (("a",), ("al",)) and len(chunk) > 1:
                return [chunk[1:], *chunks[:at], *chunks[at + 1 :]]  # "da de alta al cliente", "invita a Ana"
    first = objects[0] if objects else 0
    is_object = chunks and chunks[first][0].means(Part.DETERMINER) and not any(u.is_moment for u in chunks[first][1:2])
    if first > 0 and is_object:
        chunks.insert(0, chunks.pop(first))
    return chunks


def _meaning(verb: Unit, rest: Sequence[Unit]) -> tuple[Entry, Unit | None]:
    """Return what a verb means, and the particle that belongs to it: "lege … an"."""
    for entry in verb.entries:
        if entry.part is Part.COMMAND and entry.particle:
            for at in range(len(rest) - 1, -1, -1):
                following = rest[at + 1] if at + 1 < len(rest) else None
                ends = following is None or following.means(Part.PREPOSITION, Part.OPENER, Part.THAT)
                ends = ends or (following is not None and _introduces_a_name(following))
                if rest[at].start > verb.start and rest[at].key == (entry.particle,) and ends:
                    return entry, rest[at]
    entries = [entry for entry in verb.entries if entry.part in (Part.COMMAND, Part.INFINITIVE) and not entry.particle]
    known = entries or [entry for entry in verb.entries if entry.part in (Part.COMMAND, Part.INFINITIVE)]
    return known[0], None


def _introduces_a_name(unit: Unit) -> bool:
    word = unit.means(Part.WORD)
    return word is not None and word.english == "called"


def _chunks(units: Sequence[Unit]) -> list[list[Unit]]:
    """Cut what stands behind a verb before each preposition, and before each article that has none."""
    chunks: list[list[Unit]] = []
    for at, unit in enumerate(units):
        preposition = unit.means(Part.PREPOSITION)
        begins = preposition is not None and preposition.english != "of"
        article = unit.means(Part.DETERMINER) is not None and not preposition
        after = units[at - 1].means(Part.PREPOSITION, Part.DETERMINER) if at else None
        if not chunks or begins or (article and after is None):
            chunks.append([])
        chunks[-1].append(unit)
    return chunks


def _in_order(prompt: str, units: Sequence[Unit]) -> Iterator[Piece]:
    at = 0
    while at < len(units):
        if _is_described(units, at):
            noun, quality = units[at], units[at + 1]
            yield Piece(_said(units, at + 1), quality.start, quality.end, behind=noun.start)
            yield Piece(_said(units, at), noun.start, noun.end, behind=quality.start)
            at += 2
            continue
        yield from _pieces(prompt, units, at)
        at += 1


def _is_described(units: Sequence[Unit], at: int) -> bool:
    """Whether a quality stands behind what has it: "un canal nuevo"."""
    if at + 1 >= len(units):
        return False
    noun, quality = units[at].means(Part.WORD), units[at + 1].means(*_ORDER)
    return noun is not None and not noun.is_adjective and quality is not None and quality.is_adjective


def _pieces(prompt: str, units: Sequence[Unit], at: int) -> Iterator[Piece]:
    unit = units[at]
    if unit.said:
        yield from unit.said
    elif not unit.entries or all(entry.particle for entry in unit.entries):
        yield Piece(prompt[unit.start : unit.end], unit.start, unit.end, kept=True)
    elif english := _said(units, at):
        yield Piece(english, unit.start, unit.end)


def _said(units: Sequence[Unit], at: int) -> str:
    """Return the English of a unit by where it stands."""
    unit = units[at]
    before, after = units[at - 1] if at else None, units[at + 1] if at + 1 < len(units) else None
    if at == 0 and (question := unit.means(Part.QUESTION)):
        return question.english
    preposition = unit.means(Part.PREPOSITION)
    if preposition and before is not None and after is not None and before.is_moment and after.is_moment:
        return "to"
    if unit.means(Part.DETERMINER) and after is not None and after.is_moment:
        return "" if before is not None and before.means(Part.PREPOSITION) else "on"
    if preposition and preposition.english == "on" and after is not None and _is_near(after):
        return ""
    entry = unit.means(*_ORDER)
    if entry is None or entry.part is Part.OPENER:
        return ""
    if entry.part is Part.NEGATION:
        return "not"
    is_noun = before is not None and before.means(Part.DETERMINER) is not None  # "una copia"
    return f"{entry.english}s" if entry.part is Part.COMMAND and not is_noun else entry.english


def _is_near(unit: Unit) -> bool:
    """Whether it is a day that has no "on" before it: "tomorrow at 15:00"."""
    return unit.is_moment and unit.said[0].text.startswith(("today", "tomorrow", "yesterday"))
