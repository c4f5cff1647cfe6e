"""Whether a function does the opposite of what is asked: adds what is to go, trashes what is to come back."""

import re

from service_server.predict.patterns import found_in
from service_server.predict.profiles import Profile
from service_server.predict.reading import Reading
from service_server.predict.verbs import TAKEN, VerbClass
from service_server.predict.words import stem, word_set

# What is taken back out of the trash isn't put there.
_BACK = re.compile(
    r"\b(?:back from|out of|(?:fetch|rescue|recover|retrieve) (?:\S+ ){1,6}?from) "
    r"(?:[^\s,]+ ){0,2}(?:trash|bin|archive)\b"
    r"|\b(?:undelete|un-delete|unarchive|untrash|restore|reinstate|bring back)\b"
    r"|\b(?:bring|get|have|want) (?:\S+ ){1,6}?back\b",
    re.IGNORECASE,
)
_UNDOES = re.compile(
    r"\bun\w+|\b(?:back|out of|off|again|restore\w*|reverse\w*|lift|remove|revoke|cancel|take|stop|no longer"
    r"|any ?more)\b",
    re.IGNORECASE,
)
# The beginning of a clause: "unarchive OPS-9", "they have nothing in common, so untie them".
_BEGINS = r"(?:^|[,;:.] *|\b(?:and|so|then|please|pls) )"
# An order, and no quality: "unpaid invoices".
_UNDOING = re.compile(
    rf"{_BEGINS}un-?((?!der|til|it|less|ion|paid|sold|read|seen|sent|known|[a-z]+ed\b)[a-z]{{3,}}) \S", re.IGNORECASE
)
# What these undo is done by deleting it.
_UNDONE_BY_DELETING = word_set("send post share invite subscribe link friend assign say schedule")
_STOPPING = re.compile(rf"{_BEGINS}(?:stop|quit|cease) \w", re.IGNORECASE)
_TAKING_BACK = re.compile(
    rf"{_BEGINS}(?:take (?:\S+ ){{0,8}}?back|undo|withdraw|revoke|retract|rescind|reverse)\b", re.IGNORECASE
)
_SPLITTING = re.compile(rf"{_BEGINS}(?:split|separate|divide|unmerge)\b", re.IGNORECASE)
_GIVING_BACK = re.compile(rf"{_BEGINS}(?:give (?:\S+ ){{1,8}}?back|release|return)\b", re.IGNORECASE)
_ERASING = word_set("delete erase destroy")
_TAKING_DOWN = re.compile(rf"{_BEGINS}take down\b", re.IGNORECASE)
_BANNED = stem("ban")
_THROWING_OUT = re.compile(rf"{_BEGINS}(?:kick|chuck|throw|boot|toss|take|get) (?:\S+ ){{1,4}}out\b", re.IGNORECASE)
_SHUTTING = re.compile(
    rf"{_BEGINS}(?:close|shut|unpublish|lock) \w|\btake \S+(?: \S+){{0,4}} (?:offline|down)\b", re.IGNORECASE
)
_LEFT = re.compile(
    r"\b(?:has|have|had|is|was|got|be) (?:\w+ )?unsubscribed\b|\bopted out\b|\bwants? off\b", re.IGNORECASE
)
_SUBSCRIBING = frozenset(map(stem, ("add", "subscribe", "join", "create")))
_PUBLISHING = stem("publish")
_PUTTING_AWAY = word_set("delete remove archive trash discard")
_MAKING = frozenset({VerbClass.CREATE, VerbClass.SEND})
_JOINING_VERBS = word_set(
    "accept add approve assign associate attach buy connect enable follow invite join link pin share subscribe"
)
_JOINING = frozenset(map(stem, _JOINING_VERBS))
_MERGING = frozenset(map(stem, ("merge", "combine", "join", "associate", "link")))
_BUYING = stem("buy")


def is_the_opposite(profile: Profile, reading: Reading) -> bool:
    """
    Whether a function does the opposite of what a prompt plainly asks.

    What is to come "back out of the trash" isn't deleted, "delete the release v3.1" makes none, and "kick her out of
    the room" invites nobody.
    """
    if _would_undo(profile, reading) or _would_join(profile, reading):
        return True
    if profile.verb is None or profile.either_way:
        return False
    verb, asked = profile.verb, reading.asked
    if verb[1] in _PUTTING_AWAY:
        back = found_in(_BACK, reading.prompt)
        puts_away = asked is not None and asked.verb_class in (VerbClass.DELETE, VerbClass.CLOSE)
        return back is not None and not (puts_away and asked is not None and asked.start < back.start())
    return _is_taken_away(reading) and verb[0] in _MAKING and stem(verb[1]) == profile.lead


def _is_taken_away(reading: Reading) -> bool:
    """Whether a prompt begins with an order to take something away: "remove …", "kick … out of …"."""
    asked = reading.asked
    if asked is None or asked.start != reading.words[0].start:
        return False
    return asked.word in _PUTTING_AWAY or (asked.word in TAKEN and asked.verb_class is VerbClass.DELETE)


def _would_undo(profile: Profile, reading: Reading) -> bool:
    """Whether a function undoes what a prompt asks for: "the thread can go in the trash" takes none out of it."""
    action = profile.name.partition("-")[2].partition("-")[0]
    if not action.startswith("un"):
        return False
    if undoing := found_in(_UNDOING, reading.prompt):
        return stem("un" + undoing[1].casefold()) != profile.lead  # "unarchive it" unassigns nobody
    undone = stem(action.removeprefix("un"))
    is_erased = reading.asked is not None and reading.asked.word in _ERASING
    if is_erased or found_in(_TAKING_DOWN, reading.prompt):
        return all(word.stem != undone for word in reading.words)  # "delete WEB-90" leaves it with nobody
    if undone == _BANNED and found_in(_THROWING_OUT, reading.prompt):
        return True  # whoever is thrown out was in
    if found_in(_UNDOES, reading.prompt) is not None:
        return False
    return any(word.stem == undone for word in reading.words)


def _would_join(profile: Profile, reading: Reading) -> bool:
    """Whether a function adds, joins or deletes what a prompt undoes: "untie them", "take back my approval"."""
    if undoing := found_in(_UNDOING, reading.prompt):
        undone = undoing[1].casefold()
        deletes = profile.destructive and undone not in _UNDONE_BY_DELETING and not profile.lead.startswith("un")
        return deletes or profile.lead in _JOINING or profile.lead == stem(undone)
    if profile.lead in _MERGING and found_in(_SPLITTING, reading.prompt):
        return True
    if taken_back := found_in(_TAKING_BACK, reading.prompt):
        taken = {word.stem for word in reading.words if taken_back.start() <= word.start < taken_back.end()}
        makes = profile.verb is not None and profile.verb[0] in _MAKING and not taken.isdisjoint(profile.objects)
        return makes or (profile.lead in _JOINING and any(word.stem == profile.lead for word in reading.words))
    if profile.lead == _PUBLISHING and not profile.either_way and found_in(_SHUTTING, reading.prompt):
        return True
    if profile.lead in _SUBSCRIBING and not profile.either_way and found_in(_LEFT, reading.prompt):
        return True
    is_given_back = profile.lead == _BUYING and found_in(_GIVING_BACK, reading.prompt) is not None
    return is_given_back or (
        profile.lead in _JOINING and (_is_taken_away(reading) or found_in(_STOPPING, reading.prompt) is not None)
    )
