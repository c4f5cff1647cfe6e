"""Whether a prompt commands something, by the words of its own language."""

from collections.abc import Sequence

from attrs import frozen

from service_server.predict.languages.forms import Part
from service_server.predict.languages.units import Unit
from service_server.predict.languages.vocabulary import Entry
from service_server.predict.mood import Mood

READING = frozenset({"show", "list", "find", "get", "read", "check", "give", "count"})
_VERBS = (Part.COMMAND, Part.INFINITIVE, Part.TOLD)
# Where a clause has one of these before its verb, it tells something.
_TELLING = (Part.SUBJECT, Part.AUXILIARY, Part.CONDITION, Part.REPORT, Part.TOLD, Part.THAT)
# A word that is also one of these is taken for it: "para" is no order to stop.
_NO_VERB = (Part.WORD, Part.DETERMINER, Part.PREPOSITION)
_PRONOUNS = frozenset({"me", "us", "it", "them", "him", "her"})
_GERMAN = "de"
_MOST_NAMES = 2


@frozen
class Verdict:
    """The mood of a clause; `verb` is the place of the verb that commands, `begin` where what counts begins."""

    mood: Mood | None
    verb: int | None = None
    begin: int = 0
    is_asked: bool = False


def judged(clause: Sequence[Unit], language: str, *, asks: bool, goes_on: bool = False) -> Verdict:
    """
    Return how a clause is meant; `asks` whether its sentence ends with a question mark.

    `goes_on` is true behind a clause that only asks for something: "vergiss nicht, den Kanal zu löschen".
    """
    if any(unit.means(Part.NEGATION) for unit in clause):
        return Verdict(Mood.DENIAL)
    begin, ask = _behind_openers(clause)
    if begin == len(clause):
        return Verdict(Mood.COMMAND, None, begin, is_asked=True) if ask else Verdict(None, begin=begin)
    rest = clause[begin:]
    if goes_on:
        return _asked(clause, begin, language, only_reads=False)
    if ask:
        return _asked(clause, begin, language, only_reads=ask.part is Part.PERMISSION)
    if language == _GERMAN and (at := _ask_within(rest)) is not None:
        last = _last_infinitive(rest)
        if last is not None and last > at:
            return Verdict(Mood.COMMAND, begin + last, begin, is_asked=True)
    if rest[0].means(Part.QUESTION) and not (rest[0].means(Part.COMMAND) and not asks):
        return Verdict(Mood.QUESTION)
    at = _commanding(rest, language)
    if at is not None:
        return Verdict(Mood.QUESTION if asks else Mood.COMMAND, begin + at, begin)
    if asks:
        return Verdict(Mood.QUESTION)
    if any(_tells(unit) for unit in rest) or any(_is_finite(unit) for unit in rest[1:]):
        return Verdict(Mood.STATEMENT)
    if language != _GERMAN and any(unit.means(Part.INFINITIVE) and not unit.means(*_NO_VERB) for unit in rest[1:]):
        return Verdict(Mood.STATEMENT)  # what is said of it nobody knows: "inutile de supprimer le canal"
    return Verdict(Mood.LABEL, begin=begin)


def _behind_openers(clause: Sequence[Unit]) -> tuple[int, Entry | None]:
    at, ask = 0, None
    while at < len(clause):
        unit = clause[at]
        found = unit.means(Part.ASK, Part.PERMISSION)
        if found is None and unit.means(Part.OPENER) is None:
            break
        if found is None and ask is None and unit.means(Part.COMMAND) and at + 1 < len(clause):
            break
        ask = ask or found
        at += 1
    return at, ask


def _asked(clause: Sequence[Unit], begin: int, language: str, *, only_reads: bool) -> Verdict:
    """Judge what stands behind "könntest du": a verb at once, in German at the end, or what is needed."""
    rest = clause[begin:]
    if any(_begins_a_clause(unit) for unit in rest):
        return Verdict(Mood.QUESTION)
    at = _last_infinitive(rest) if language == _GERMAN else _first_verb(rest)
    if at is None:
        tells = any(unit.means(*_VERBS, Part.AUXILIARY) and not unit.means(*_NO_VERB) for unit in rest)
        return Verdict(Mood.STATEMENT if tells or only_reads else Mood.COMMAND, None, begin, is_asked=True)
    verb = rest[at].means(Part.INFINITIVE, Part.COMMAND)
    if only_reads and (verb is None or verb.english.split()[0] not in READING):
        return Verdict(Mood.QUESTION)
    return Verdict(Mood.COMMAND, begin + at, begin, is_asked=True)


def _begins_a_clause(unit: Unit) -> bool:
    found = unit.means(Part.CONDITION, Part.REPORT, Part.SUBJECT)
    return found is not None and unit.means(Part.WORD, Part.PREPOSITION) is None


def _first_verb(rest: Sequence[Unit]) -> int | None:
    """Return the place of a verb that follows a request at once, or behind a pronoun: "peux-tu me montrer"."""
    for at, unit in enumerate(rest):
        if unit.means(Part.INFINITIVE, Part.COMMAND) and not unit.means(Part.DETERMINER, Part.PREPOSITION):
            return at
        word = unit.means(Part.WORD, Part.DETERMINER, Part.OPENER)
        is_pronoun = word is not None and (word.english in _PRONOUNS or word.part is Part.OPENER)
        is_short = unit.key in (("le",), ("la",), ("les",), ("l'",), ("que",), ("de",))
        if not is_pronoun and not is_short:
            return None
    return None


def _commanding(rest: Sequence[Unit], language: str) -> int | None:
    """Return the place of the verb of a command without further words for asking."""
    if _commands_at(rest, 0):
        return 0
    if any(_tells(unit) for unit in rest[:-1]):
        return None
    begins_with_place = rest[0].is_moment or rest[0].means(Part.PREPOSITION)
    if begins_with_place and (at := _behind_place(rest)) is not None and _commands_at(rest, at):
        return at
    for at, unit in enumerate(rest):
        found = unit.means(Part.COMMAND)
        if found is not None and found.english.endswith((" it", " them")):
            return at  # "el ticket 12 ciérralo"
    last = _last_infinitive(rest)
    if language == _GERMAN and last is not None and _ends_with(rest, last):
        before = rest[last - 1] if last else None
        return None if before is not None and before.key == ("zu",) else last
    return None


def _commands_at(rest: Sequence[Unit], at: int) -> bool:
    unit, following = rest[at], rest[at + 1] if at + 1 < len(rest) else None
    if not unit.means(Part.COMMAND, Part.INFINITIVE):
        return False
    if unit.means(Part.PREPOSITION, Part.DETERMINER, Part.AUXILIARY):
        return False
    if following is None:
        return unit.means(Part.WORD) is None
    if following.means(Part.SUBJECT) and not (following.means(Part.WORD) or following.key in (("você",), ("vous",))):
        return False
    return not (unit.means(Part.WORD) and following.means(Part.PREPOSITION))  # "liste de tâches : …", "note pour …"


def _behind_place(rest: Sequence[Unit]) -> int | None:
    """Return where a clause goes on behind the place it begins with: "en Trello crea …", "im Projekt SHOP lege …"."""
    names = 0
    for at, unit in enumerate(rest[1:], 1):
        is_verb = unit.means(Part.COMMAND) and not unit.means(Part.DETERMINER, Part.PREPOSITION)
        if is_verb and (at > 1 or rest[0].is_moment):
            return at
        names += unit.is_free
        tells = unit.means(Part.SUBJECT, Part.AUXILIARY, Part.TOLD) and not unit.means(Part.WORD)
        if tells or names > _MOST_NAMES:
            return None
    return None


def _ask_within(rest: Sequence[Unit]) -> int | None:
    """Return where a clause that begins with its object says "kannst du" or "möchte ich"."""
    for at, unit in enumerate(rest):
        if unit.means(Part.ASK):
            return at
        if unit.means(Part.SUBJECT, Part.QUESTION, Part.CONDITION, Part.REPORT, Part.THAT) and not unit.means(
            Part.WORD, Part.DETERMINER
        ):
            return None
    return None


def _last_infinitive(rest: Sequence[Unit]) -> int | None:
    places = [at for at, unit in enumerate(rest) if unit.means(Part.INFINITIVE) and not unit.means(Part.PREPOSITION)]
    return places[-1] if places else None


def _ends_with(rest: Sequence[Unit], last: int) -> bool:
    return all(unit.means(Part.OPENER) for unit in rest[last + 1 :])


def _tells(unit: Unit) -> bool:
    return unit.means(*_TELLING) is not None and unit.means(*_NO_VERB) is None


def _is_finite(unit: Unit) -> bool:
    return unit.means(Part.COMMAND, Part.TOLD) is not None and unit.means(*_NO_VERB) is None
