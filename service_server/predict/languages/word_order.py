"""Put the words of a clause in the order of English: a command's verb first, then what it is about, then where."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from service_server.predict.languages.commands import Verdict
from service_server.predict.languages.forms import Part
from service_server.predict.languages.gloss import Piece, taken_from
from service_server.predict.languages.units import Unit
from service_server.predict.languages.vocabulary import Entry
from service_server.predict.words import word_set

# A word that is several things is first one of these behind the beginning of its clause.
_ORDER = (
    *(Part.NEGATION, Part.AUXILIARY, Part.DETERMINER, Part.PREPOSITION, Part.THAT, Part.WORD, Part.SUBJECT),
    *(Part.CONDITION, Part.REPORT, Part.TOLD, Part.INFINITIVE, Part.COMMAND, Part.QUESTION, Part.OPENER),
)
_AFTER_VERB = frozenset({("sie",), ("usted",), ("vous",), ("você",), ("ustedes",), ("mal",), ("bitte",)})
_INTO_A_STATE = frozenset({("en",), ("como",), ("comme",), ("à",), ("em",), ("a",)})
_DONE_TO_PEOPLE = word_set(
    "create delete remove invite ban block unblock mute subscribe unsubscribe find get show register hire call cancel"
)
"""In Spanish "a" stands before the people that these are done to."""
_OF_SINCE = frozenset({("von",), ("vom",), ("de",), ("desde",), ("das",)})
_NO_NOUN = (Part.PREPOSITION, Part.DETERMINER)
_INTO = frozenset({("in",), ("en",), ("em",)})
_TO = frozenset({"rename", "move", "change", "set", "update"})
_OBJECT_PRONOUNS = {("le",): "it", ("la",): "it", ("les",): "them", ("o",): "it", ("a",): "it"}


def commanded(prompt: str, clause: Sequence[Unit], verdict: Verdict) -> list[Piece]:
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
        into = _goes_into(english.split()[0], chunk)
        if into:
            pieces.append(Piece("to", chunk[0].start, chunk[0].end))
        pieces.extend(in_order(prompt, chunk[1:] if into else chunk))
    pieces.extend(in_order(prompt, before))
    return list(taken_from(english, pieces))


def _goes_into(verb: str, chunk: Sequence[Unit]) -> bool:
    """Whether a clause says what something becomes, or where it goes: "benenne … in "B" um", "zieh … in die Liste"."""
    if chunk[0].key not in _INTO or len(chunk) == 1:
        return False
    is_quoted = bool(chunk[1].said) and chunk[1].said[0].text.startswith('"')
    has_article = chunk[1].means(Part.DETERMINER) is not None
    return verb == "rename" or (verb in _TO and is_quoted) or (verb == "move" and has_article)


def _is_put_into_a_state(units: Sequence[Unit]) -> bool:
    """Whether something is put "en attente" or "como resuelto", where "mets" and "pon" change it."""
    for place, state in pairwise(units):
        word = state.means(Part.WORD)
        if place.key in _INTO_A_STATE and (state.means(Part.TOLD) or (word is not None and word.is_adjective)):
            return True
    return False


def _needed(prompt: str, need: Unit, rest: Sequence[Unit]) -> list[Piece]:
    """Return the pieces of what somebody needs: to be made, if it is "a folder", else to be shown."""
    chunks = _object_first(rest, "")
    article = chunks[0][0].means(Part.DETERMINER) if chunks else None
    what = chunks[0][1].means(Part.WORD) if chunks and len(chunks[0]) > 1 else None
    is_new = article is not None and article.english in ("a", "another")
    verb = "create" if is_new and (what is None or what.english not in ("list", "report", "copy")) else "show"
    pieces = [Piece(verb, need.start, need.end)]
    for chunk in chunks:
        pieces.extend(in_order(prompt, chunk))
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
    if first > 0 and chunks[first][0].means(Part.DETERMINER) and not any(u.is_moment for u in chunks[first][1:2]):
        chunks.insert(0, chunks.pop(first))
    return chunks


def _meaning(verb: Unit, rest: Sequence[Unit]) -> tuple[Entry, Unit | None]:
    """Return what a verb means, and the particle that belongs to it: "lege … an"."""
    for entry in verb.entries:
        if entry.part is Part.COMMAND and entry.particle:
            for at in range(len(rest) - 1, -1, -1):
                is_particle = rest[at].start > verb.start and rest[at].key == (entry.particle,)
                is_value = at > 0 and rest[at - 1].means(Part.PREPOSITION) is not None  # "setz … auf hoch"
                if is_particle and not is_value and (at + 1 == len(rest) or _goes_on(rest[at + 1])):
                    return entry, rest[at]
    entries = [entry for entry in verb.entries if entry.part in (Part.COMMAND, Part.INFINITIVE) and not entry.particle]
    known = entries or [entry for entry in verb.entries if entry.part in (Part.COMMAND, Part.INFINITIVE)]
    return known[0], None


def _goes_on(unit: Unit) -> bool:
    """Whether a sentence may go on like this behind its end: "lege eine Seite an mit dem Titel …"."""
    word = unit.means(Part.WORD)
    is_name = word is not None and word.english == "called"
    return is_name or unit.means(Part.PREPOSITION, Part.OPENER, Part.THAT) is not None


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


def in_order(prompt: str, units: Sequence[Unit]) -> Iterator[Piece]:
    """Yield the pieces of units as they follow one another, but for a quality that stands behind what has it."""
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
    if unit.key in _OF_SINCE and after is not None and after.is_moment:
        return "from"
    if unit.key == ("der",) and before is not None and before.means(Part.WORD) and not before.means(*_NO_NOUN):
        return "of the"  # "die Kommentare der Karte"
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
