"""Whether a function does what a prompt asks: its verb, and what that verb is about."""

import re
from collections.abc import Set
from itertools import zip_longest

from service_server.predict.mentions import Kind
from service_server.predict.mood import Mood
from service_server.predict.not_for_now import has_a_condition, is_for_nobody_here, is_too_early
from service_server.predict.opposites import is_the_opposite
from service_server.predict.patterns import found_in
from service_server.predict.profiles import Profile
from service_server.predict.reader.conditions import LATER
from service_server.predict.reader.sums import shares_in, sums_in
from service_server.predict.reading import Reading
from service_server.predict.verbs import (
    CLASS_OF,
    DETERMINERS,
    SAME_VERBS,
    TAKEN,
    VerbClass,
    is_negated,
    names_a_request,
    serves,
)
from service_server.predict.words import STOP_WORDS, Word, stem, with_synonyms, word_set

_LEADING_WORDS = word_set("can be is are do does i we me us of the a an my our your all new this that these")
_CHANGING = frozenset({Mood.COMMAND, Mood.LABEL, Mood.WISH})
# The least log-odds that a prompt asks for something to be done: where it has the form of a report, a question or a
# denial, and where it has the form of a request with a verb that a function isn't known by.
_ASKS_IN_ANY_FORM, _ASKS_IN_OTHER_WORDS = 3.3, 2.0
# Behind the word for a thing stands which one: "the repository acme/web", "the board Fair".
_VALUE = re.compile(r"\s+(?:[A-Z0-9\"'“#]|\S+/)|$")
# What these verbs do leaves nothing; the others of their class ("remove", "cancel") may leave something.
_ERASING = frozenset(map(stem, ("delete", "erase", "destroy", "wipe", "purge")))
BESIDE = word_set("to into onto from off")
"""Behind these stands what something is added to or taken from."""
_TAKEN_FROM = word_set("from off out")
# What people and things are taken out of, and are still there.
_HOLDERS = frozenset(
    map(stem, ("list", "group", "team", "segment", "audience", "automation", "series", "project", "board"))
)
# What is deleted when it is taken out of these: "take the dentist off my calendar".
_CONTAINERS = frozenset(
    map(
        stem,
        ("calendar", "diary", "agenda", "schedule", "list", "form", "survey", "blog", "feed", "history", "records"),
    )
)
# People and things that are there without any list that they are on.
_STAND_ALONE = frozenset(
    map(stem, ("contact", "customer", "lead", "user", "person", "company", "account", "employee", "product", "record"))
)
_TAKING = word_set("remove unsubscribe kick ban decline")
# A day tells which one of these is meant: "delete the meeting next Monday" is to be done now.
_HAVE_A_TIME = frozenset(map(stem, ("event", "meeting", "interview", "message", "task")))
_NO = word_set("don't dont never not without")
# "Comment on ticket 7" makes a comment: the verb is also the object.
_MAKES_ITSELF = word_set("comment message email reply note invite")


def is_commanded(profile: Profile, reading: Reading) -> bool:
    """
    Whether a prompt's form asks for a function: changes are commanded or wished for, not just mentioned.

    Changes that can't be undone are commanded, and by a verb that means them.
    """
    if profile.type == "query":
        return True
    if not _may_change(profile, reading):
        return False
    return not profile.destructive or (reading.mood is Mood.COMMAND and verb_fit(profile, reading) != 0.0)


def may_be_asked_for(profile: Profile, reading: Reading, asking: float) -> bool:
    """
    Whether a prompt can ask for a function at all, by its form or by its sense.

    `asking` is how likely its sense is that something be done (log-odds): "we're done with number 9, shut it".
    What can't be undone is still asked for by nothing that has the form of a report, a question or a denial.
    """
    if reading.mood is not Mood.COMMAND and _is_only_named(profile, reading):
        return False
    if profile.type != "query" and (
        reading.changes_nothing or is_too_early(profile, reading) or is_for_nobody_here(profile, reading)
    ):
        return False
    if is_commanded(profile, reading):
        return True
    if profile.destructive:
        return _may_change(profile, reading) and asking >= _ASKS_IN_OTHER_WORDS
    return asking >= _ASKS_IN_ANY_FORM and not is_the_opposite(profile, reading)


def _may_change(profile: Profile, reading: Reading) -> bool:
    if (
        reading.changes_nothing
        or reading.mood not in _CHANGING
        or (reading.asked is not None and reading.asked.negated)
    ):
        return False
    if is_the_opposite(profile, reading):
        return False
    if profile.gives_all_back and (shares_in(reading.prompt) or sums_in(reading.prompt)):
        return False  # half of it can't be given back, and nobody asked for all
    if not profile.destructive:
        return True
    if has_a_condition(profile, reading):
        return False
    if found_in(LATER, reading.prompt) and profile.objects.isdisjoint(_HAVE_A_TIME):
        return False  # "cancel the subscription at the end of the month"
    return not (_is_spared(profile, reading) or _loses_a_part(profile, reading) or _is_a_part(profile, reading))


def _is_only_named(profile: Profile, reading: Reading) -> bool:
    """Whether what a function does is only part of a name in the prompt: "merge request 12 has my blessing"."""
    said = [
        names_a_request(word.folded, following.folded if following else "")
        for word, following in zip_longest(reading.words, reading.words[1:])
        if word.stem == profile.lead
    ]
    return bool(said) and all(said)


def _loses_a_part(profile: Profile, reading: Reading) -> bool:
    """
    Whether something is only taken from what a function would delete, or from what it knows nothing about.

    "Remove bob from the project" deletes no project, and "take Ana out of the onboarding series" doesn't delete her.
    """
    if profile.left or (profile.verb is not None and profile.verb[1] in _TAKING):
        return False  # "remove from list" and "remove guests" do just that
    left = stems_behind(reading, _TAKEN_FROM)
    said = {word.stem for word in reading.request}
    if not profile.objects.isdisjoint(left):
        return profile.objects.isdisjoint(said - left)
    if reading.asked is None or not profile.objects.isdisjoint(said):
        return False
    if reading.asked.word == "throw" and " " in reading.prompt[reading.asked.start : reading.asked.end]:
        return False  # "throw out the newsletter from Brassbell"; "take off Ana from the list" deletes nobody
    if (
        reading.asked.word == "remove"
    ):  # "remove Ana from the list" deletes no contact, "remove milk from the list" a task
        return not left & _HOLDERS <= profile.within | profile.app_words
    named = left & {word.stem for word in reading.core}
    holds = profile.within | (_CONTAINERS if profile.objects.isdisjoint(_STAND_ALONE) else frozenset())
    return reading.asked.word in TAKEN and not named <= profile.app_words and named.isdisjoint(holds)


def _is_a_part(profile: Profile, reading: Reading) -> bool:
    """Whether a function would delete a part of what is to be deleted: a branch of "the repository acme/web"."""
    asked = reading.asked
    if asked is None or profile.verb is None or profile.verb[0] is not VerbClass.DELETE:
        return False
    if not profile.objects.isdisjoint(with_synonyms(word.stem for word in reading.core)):
        return False
    behind = [word for word in reading.core if word.start >= asked.end][:2]
    first_taken_from = next((w.start for w in reading.words if w.start >= asked.end and w.folded in _TAKEN_FROM), None)
    if first_taken_from is not None:  # "scrap Yoga from the calendar Family" deletes what is in it
        behind = [word for word in behind if word.start < first_taken_from]
    whole = [word for word in behind if not profile.within.isdisjoint(with_synonyms([word.stem]))]
    return any(_VALUE.match(reading.prompt, word.end) is not None for word in whole)


def stems_behind(reading: Reading, prepositions: Set[str]) -> frozenset[str]:
    """
    Return the stems of what a prompt has only behind some prepositions.

    What is taken "from my tasks", or "off the task list", is one of them.
    """
    behind, before, found = False, set[str](), set[str]()
    asked, reach = reading.asked, 0
    for word, following in zip_longest(reading.request, reading.request[1:]):
        part_ends = "," in reading.prompt[reach : word.start] or (
            word.folded == "and" and following is not None and following.folded in CLASS_OF
        )
        reach = word.end
        if part_ends:
            behind = False  # "erase her from the list, contact and all", "throw them out and end the meeting"
        if asked is not None and asked.start <= word.start and word.end <= asked.end:
            continue  # "call off the meeting"
        if word.folded in prepositions:
            behind = True
        elif not behind or word.folded.endswith("s") or (following is not None and following.folded == "list"):
            before.add(word.stem)
        else:
            found.add(word.stem)
    return frozenset(found - before)


def _is_spared(profile: Profile, reading: Reading) -> bool:
    """Whether a prompt forbids just what a function does: "take the lamp off the shelves but don't erase it"."""
    if profile.verb is None or stem(profile.verb[1]) not in _ERASING:
        return False
    if reading.asked is not None and stem(reading.asked.word) in _ERASING:
        return False  # "delete the row, don't delete the sheet"
    return any(word.stem in _ERASING and is_negated(reading.words, word, by=_NO) for word in reading.words)


def verb_fit(profile: Profile, reading: Reading) -> float | None:
    """Return how well the function does what is asked, 0 to 1; None where the prompt has no verb of a known class."""
    asked = reading.asked
    if asked is None:
        return None if profile.type == "query" else _own_word_fit(profile, reading)
    if asked.negated:
        return 0.0
    own_word = profile.verb is not None and profile.verb[1] in (asked.word, SAME_VERBS.get(asked.word))
    if profile.destructive and not own_word and asked.verb_class not in (VerbClass.DELETE, VerbClass.CLOSE):
        return 0.0
    if profile.verb is None:
        if profile.type == "query":
            return 0.9 if asked.verb_class is VerbClass.READ else 0.0
        return 0.6 if asked.verb_class is not VerbClass.READ else 0.0
    if asked.word in SAME_VERBS and own_word:
        return 1.0
    return serves(asked.verb_class, profile.verb[0])


def lacking_values(profile: Profile, reading: Reading) -> int:
    """Return how many required arguments lack a value in the prompt: "list" lacks fewer than "get"."""
    values = sum(mention.kind is not Kind.PROPER_NAME for mention in reading.mentions)
    return max(0, profile.required - values)


def _own_word_fit(profile: Profile, reading: Reading) -> float:
    """Return how well "merge pull request 12" or "refund the charge" asks for a function that changes something."""
    if not reading.core or is_negated(reading.words, reading.core[0]):
        return 0.0
    if profile.lead in (word.stem for word in reading.core[:2] if not _is_noun(reading, word)):  # "squash and merge"
        return 1.0
    acts_on = profile.objects - {profile.lead} or profile.objects
    makes_it = profile.verb is not None and profile.verb[0] is VerbClass.CREATE  # to refund is to create a refund
    first = next((word.stem for word in reading.core if word.stem not in profile.app_words), "")  # "stripe: refund …"
    is_said = not acts_on.isdisjoint((reading.core[0].stem, first))
    return 0.6 if is_said and (makes_it or not profile.destructive) else 0.0


def _is_noun(reading: Reading, word: Word) -> bool:
    """Whether a word is no verb by those around it: "a comment", "merge request 12"."""
    at = reading.words.index(word)
    following = reading.words[at + 1].folded if at + 1 < len(reading.words) else ""
    return names_a_request(word.folded, following) or (at > 0 and reading.words[at - 1].folded in DETERMINERS)


def asks_for_raw_request(reading: Reading) -> bool:
    """Whether the prompt asks for the passthrough function in so many words."""
    said = {word.folded for word in reading.words}
    return "request" in said and not said.isdisjoint({"raw", "passthrough", "custom", "arbitrary"})


def aimed_object(reading: Reading, objects: Set[str]) -> str | None:
    """
    Return what the prompt's verb is about, as one of the objects that the catalogue knows.

    It is the last known object in the words right behind the verb: "remove the comment from the ticket" is about a
    comment, "remove the ticket comment" as well.
    """
    found = None
    if reading.asked and reading.asked.word in _MAKES_ITSELF and stem(reading.asked.word) in objects:
        return stem(reading.asked.word)
    asked_end = reading.asked.end if reading.asked else 0
    begun = is_called = False
    for word in reading.request:
        if word.end <= asked_end or (not begun and word.folded in _LEADING_WORDS):
            continue
        is_name = is_called and reading.prompt[word.start].isupper()  # "the page Rules"
        if word.folded in STOP_WORDS or is_name:
            break
        begun = True
        if not with_synonyms([word.stem]).isdisjoint(objects):
            found, is_called = word.stem, reading.prompt[word.start].islower()
    return found
