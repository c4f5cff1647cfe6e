"""Whether a prompt commands something: asking, telling, denying or supposing must never change anything."""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import pairwise

from attrs import frozen

from service_server.predict import mood_words as said
from service_server.predict.verbs import CLASS_OF, VerbClass, bare_verb, names_a_request
from service_server.predict.words import Word


class Mood(StrEnum):
    """
    How the main clause of a prompt is meant.

    A "label" has no verb of its own ("new ticket: printer broken"). A "wish" says how things should be ("ticket 12
    should be in Done"); a statement about what was, or would be, is not a wish.
    """

    COMMAND = "command"
    LABEL = "label"
    WISH = "wish"
    QUESTION = "question"
    STATEMENT = "statement"
    DENIAL = "denial"


@frozen
class MainClause:
    """The mood of a prompt; for a command, `start` is where the words for what to do begin."""

    mood: Mood
    start: int = 0


_SENTENCE_BREAK = re.compile(r"[.!?](?=\s|$)|[;\n…]|\.\.")
_CLAUSE_BREAK = re.compile(r"[,:–—()]|\s-+\s")
_PARTICIPLE = re.compile(r"[a-z]{2,}(?:ed|ing)")
_SUBJECT_LINE = re.compile(r"\s*(?:re|fwd?)\s*:", re.IGNORECASE)  # what follows is somebody's letter
_LONGEST_VOCATIVE = 4  # words: "airtable: …", "hey Siri, …"
KNOWN_VERBS = frozenset(CLASS_OF) | said.VERBS
"""What is an order where it stands first, whatever it asks for."""
_WEAKEST_LAST = (Mood.DENIAL, Mood.QUESTION, Mood.STATEMENT, Mood.WISH)


def main_clause(prompt: str, words: Sequence[Word]) -> MainClause:
    """Return the mood of a prompt; `words` are those outside quotation marks."""
    if _SUBJECT_LINE.match(prompt):
        return MainClause(Mood.STATEMENT)
    moods: set[Mood] = set()
    for sentence in _parts(prompt, words, _SENTENCE_BREAK):
        clause = _of_sentence(prompt, sentence)
        if clause.mood is Mood.COMMAND:
            return clause
        moods.add(clause.mood)
    return MainClause(next((mood for mood in _WEAKEST_LAST if mood in moods), Mood.LABEL))


def _parts(prompt: str, words: Sequence[Word], break_: re.Pattern[str]) -> Iterator[list[Word]]:
    current: list[Word] = []
    for at, word in enumerate(words):
        if current and break_.search(prompt[words[at - 1].end : word.start]):
            yield current
            current = []
        current.append(word)
    if current:
        yield current


def _of_sentence(prompt: str, words: list[Word]) -> MainClause:
    """Return the mood of a sentence; a command may follow a statement and a comma, unless that reports or supposes."""
    found: Mood | None = None
    for clause in _parts(prompt, words, _CLAUSE_BREAK):
        mood, at = _of_clause(prompt, clause, alone=found is None)
        if mood is Mood.COMMAND:
            return MainClause(mood, clause[at].start)
        if mood is None:
            continue  # nothing but "please" or a name
        if found in (None, Mood.LABEL):
            found = mood
        folded = {word.folded for word in clause}
        supposed = mood is Mood.STATEMENT and folded & said.HYPOTHETICAL
        if mood is Mood.QUESTION or supposed or folded & said.REPORTING:
            break
        is_vocative = mood is Mood.LABEL and len(clause) <= _LONGEST_VOCATIVE
        if ":" in prompt[clause[-1].end : clause[-1].end + 2] and not is_vocative:
            break  # what follows is data
    return MainClause(found or Mood.LABEL)


def _of_clause(prompt: str, clause: list[Word], *, alone: bool) -> tuple[Mood | None, int]:
    """
    Return the mood of a clause and the place of its first word that counts.

    Where no clause stands before it (`alone`), a verb is also recognised by what follows it.
    """
    folded = [word.folded for word in clause]
    at, asked = _behind_openers(folded)
    if at == len(folded):
        return (Mood.QUESTION if asked else None), 0
    rest = folded[at:]
    if rest[0] == "no" and rest[1:2] and rest[1] in said.DISTURBING and not {"for", "until", "till"}.isdisjoint(rest):
        return Mood.COMMAND, at  # "no pings for an hour"
    if rest[0] in said.DENYING and (rest[1:2] == ["more"] or (not alone and not _forbids(rest))):
        return Mood.LABEL if alone else None, at  # "no more texts", "two burgers, no onions"
    if _asks_for_quiet(rest):
        return Mood.COMMAND, at
    if _denies(rest):
        return Mood.DENIAL, at
    if asked:
        if rest[0] in said.LEARNING:
            return Mood.QUESTION, at
        if len(rest) == 1 and rest[0] not in KNOWN_VERBS and folded[:at][-2:] in (["you", "can"], ["you", "may"]):
            return Mood.STATEMENT, at  # "I've sent it, you can relax"
        return (Mood.STATEMENT if _takes_back(rest) else Mood.COMMAND), at
    inner = _order_within(rest)
    if inner is not None:
        return Mood.COMMAND, at + inner
    return _by_first_word(prompt, clause, at, rest, alone=alone), at


def _order_within(rest: list[str]) -> int | None:
    """Return the place of a verb behind where something is to be done: "in the sheet Eggs remove the tab Ducks"."""
    if rest[0] not in said.PREPOSITIONS or rest[1:2] == [] or rest[1] not in said.DETERMINERS:
        return None
    no_order = said.DETERMINERS | said.SUBJECTS | said.PREPOSITIONS | said.FORBIDDING | said.AUXILIARIES | {"and", "or"}
    for at in range(3, len(rest) - 1):
        is_verb = rest[at] in said.VERBS or CLASS_OF.get(rest[at], VerbClass.READ) is not VerbClass.READ
        if is_verb and rest[at - 1] not in no_order and rest[at + 1] in said.DETERMINERS - {"no"}:
            return at
    return None


def _behind_openers(folded: list[str]) -> tuple[int, bool]:
    """Return the place behind "please", "could you" and the like, and whether they make it a request."""
    at, asked = 0, False
    while at < len(folded):
        if at and folded[at - 1 : at + 1] == ["please", "to"]:
            at += 1  # "please to erase it"
            continue
        phrases = said.ASKING.get(folded[at], ())
        length = max((len(phrase) for phrase in phrases if tuple(folded[at : at + len(phrase)]) == phrase), default=0)
        if not length and folded[at] not in said.OPENERS:
            break
        asked = asked or length > 0
        at += length or 1
    return at, asked


def _by_first_word(prompt: str, clause: list[Word], at: int, rest: list[str], *, alone: bool) -> Mood | None:
    first = rest[0]
    if _is_to_be_done(rest):
        return Mood.COMMAND
    if first == "when" and len(rest) > 1 and rest[1] in said.AUXILIARIES:
        return Mood.QUESTION
    if first in said.SUPPOSING:
        return _of_condition(rest)
    if first in said.QUESTION_WORDS or (first in said.AUXILIARIES and not _orders(prompt, clause, at)):
        return Mood.QUESTION
    if first in said.SUBJECTS:
        return Mood.STATEMENT
    if tuple(rest[:2]) in said.TELL_ME or tuple(rest[:3]) in said.TELL_ME:
        return Mood.QUESTION
    if first == "let" and rest[1:2] and rest[1] in said.LET_BE:
        return Mood.STATEMENT
    is_verb = first in CLASS_OF or first in said.VERBS or (alone and _is_unknown_verb(clause, at))
    if is_verb and not names_a_request(first, *rest[1:2] or [""]):
        return _kind_of_statement(rest) if _is_subject(rest) else Mood.COMMAND
    if any(one in said.AUXILIARIES and other in said.ASKED_ABOUT for one, other in pairwise(rest)):
        return Mood.QUESTION
    if _is_past_or_going_on(first) or first in said.PONDERING | said.DOUBTING or _moves_somebody(rest):
        return Mood.STATEMENT
    if any(one in said.FORBIDDING and other in CLASS_OF for one, other in pairwise(rest)):
        return Mood.DENIAL
    return _kind_of_statement(rest) if _has_finite_verb(rest) else Mood.LABEL


def _denies(rest: list[str]) -> bool:
    if (
        rest[0] in said.DENYING
        or rest[0] in said.KEEPING
        or rest[:2] in (["do", "not"], ["hold", "off"], ["hold", "on"])
    ):
        return True
    if (
        rest[0] in said.ENDING
        and len(rest) > 1
        and rest[1].endswith("ing")
        and bare_verb(rest[1], CLASS_OF) in said.UNDONE
    ):
        return True
    return rest[0] == "leave" and not said.LEFT_ALONE.isdisjoint(rest[1:])


def _asks_for_quiet(rest: list[str]) -> bool:
    """Whether "do not disturb" is the status of that name, not what nobody shall do: "do not disturb Ana"."""
    disturbed = rest[3:] if rest[:3] == ["do", "not", "disturb"] else rest[2:] if rest[1:2] == ["disturb"] else None
    if disturbed is None or rest[0] not in ("do", "don't", "dont"):
        return False
    return not disturbed or disturbed[0] in said.PREPOSITIONS | {"me", "us", "please", "until", "till"}


def _forbids(rest: list[str]) -> bool:
    """Whether "not" or "don't" stands before a verb, as in "not publishing it" and unlike "not in my calendar"."""
    following = rest[1] if len(rest) > 1 else ""
    return rest[0] in said.FORBIDDING and (rest[0] != "not" or following in CLASS_OF or _is_past_or_going_on(following))


def _takes_back(rest: list[str]) -> bool:
    """Whether a wish is taken back at once: "I'd love to delete them but my boss says no"."""
    return "but" in rest[1:] and bool({"said", "says", "no", "not", "can't", "cant", "don't", "dont"} & set(rest))


def _of_condition(rest: list[str]) -> Mood | None:
    """Return the mood of "if …": None where it is just polite ("if you can"), so that what follows it counts."""
    polite = rest[0] in ("if", "when", "once", "whenever") and not said.POLITE_CONDITION.isdisjoint(rest[1:6])
    if polite and "i" not in rest[1:3]:
        return None
    has_clause = len(rest) > 2 and (rest[0] not in said.ALSO_PREPOSITIONS or _has_finite_verb(rest))
    return Mood.STATEMENT if has_clause else Mood.LABEL


def _is_unknown_verb(clause: list[Word], at: int) -> bool:
    """Whether a word looks like a verb that says what to do, judged by what follows it: "nuke the repository"."""
    word, following = clause[at].folded, [each.folded for each in clause[at + 1 : at + 3]]
    if word in said.DETERMINERS | said.PREPOSITIONS | said.NO_VERBS or not word.isalpha() or _is_past_or_going_on(word):
        return False
    following = following[1:] if following and following[0] in said.PARTICLES else following
    return bool(following) and following[0] in (said.DETERMINERS | said.OBJECTS) - {"no"}


def _is_subject(rest: list[str]) -> bool:
    """Whether a word that looks like a verb is a noun before its verb: "notes are shown", "order 12 came broken"."""
    if rest[0] in said.NUMBERED and len(rest) > 2 and any(map(str.isdigit, rest[1])):
        return rest[2] in said.FINITE or rest[2].endswith("ed")
    return len(rest) > 1 and rest[1] in said.AUXILIARIES and rest[1] not in ("do", "have", "can", "will", "may")


def _is_past_or_going_on(word: str) -> bool:
    return (
        _PARTICIPLE.fullmatch(word) is not None and word not in said.CALLED and bare_verb(word, KNOWN_VERBS) is not None
    )


def _moves_somebody(rest: list[str]) -> bool:
    """Whether a clause says what something does to whoever speaks: "WEB-88 drives me crazy"."""
    moves = any(word.endswith("s") and following in ("me", "us") for word, following in pairwise(rest[1:]))
    return moves and said.AUXILIARIES.isdisjoint(rest)


def _orders(prompt: str, clause: list[Word], at: int) -> bool:
    """Whether "do" or "have" gives an order: 'have "Bring numbers" posted', "do the transition 31"."""
    if clause[at].folded not in ("do", "have"):
        return False
    if [word.folded for word in clause[at + 1 : at + 3]] == ["away", "with"]:
        return True
    end, following = clause[at].end, clause[at + 1 : at + 2]
    if not following or not prompt[end : following[0].start].isspace() or following[0].folded in said.DETERMINERS:
        return True
    is_subject = following[0].folded in said.SUBJECTS or "been" in {word.folded for word in clause}
    return clause[at].folded == "have" and not is_subject


def _is_to_be_done(rest: list[str]) -> bool:
    """Whether something must, or may now, be done to what a clause begins with: "the lead Test must be deleted"."""
    if rest[0] in said.QUESTION_WORDS | said.SUPPOSING | said.AUXILIARIES | said.ANY | said.SUBJECTS - said.SHOWN:
        return False
    if not said.NOT_OBLIGING.isdisjoint(rest) or said.REPORTING & set(rest):
        return False
    for at in range(1, len(rest)):
        for obliging in said.OBLIGING:
            if rest[at : at + len(obliging)] != obliging:
                continue
            behind = rest[at + len(obliging) :]
            if behind[:1] == ["be"] and any(map(_is_done, behind[1:3])):
                return True
            if behind[:1] == ["go"] and (len(behind) == 1 or behind[1] in said.GONE or said.TRASH & set(behind[1:5])):
                return True
    last = [word for word in rest[-2:] if word != "please"]  # "the product Test mug please delete"
    return len(last) == 1 and "please" in rest[-2:] and (last[0] in CLASS_OF or last[0] in said.VERBS)


def _is_done(word: str) -> bool:
    return word in said.PUT or (word.endswith("ed") and _is_past_or_going_on(word))


def _kind_of_statement(rest: list[str]) -> Mood:
    """Return whether a statement says how things should be: in the present, and not reported or only thought of."""
    end = next((at for at, word in enumerate(rest) if word in said.WHICH_ONE and at), len(rest))
    folded = set(rest[:end])
    thought = folded & (said.REPORTING | said.HYPOTHETICAL | said.THEMSELVES | {"when", "once"}) - said.WISHING
    to_be = {rest[at + 2] for at in range(end - 2) if rest[at : at + 2] == ["should", "be"]}  # "should be deleted"
    # "Ticket 12 is solved" says how it should be from now on, as "is done" does; "is solved since noon" reports.
    settled = set(rest[-1:]) & said.SETTLED if rest[-2:-1] in (["is"], ["are"], ["now"]) else set()
    told = folded - to_be - settled
    past = told & said.PAST or any(word.endswith("ed") and _is_past_or_going_on(word) for word in told)
    return Mood.STATEMENT if thought or past else Mood.WISH


def _has_finite_verb(rest: list[str]) -> bool:
    """Whether a verb stands behind a subject: "the ticket was deleted", "Ana deleted the ticket"."""
    for at, (before, word) in enumerate(pairwise(rest)):
        if word in said.WHICH_ONE | said.CALLED:
            return False
        if before in said.PREPOSITIONS | said.DETERMINERS:
            continue
        is_past = word.endswith("ed") and _is_past_or_going_on(word)
        if word in said.FINITE or (is_past and (at == 0 or rest[0] in said.DETERMINERS)):
            return True
    return False
