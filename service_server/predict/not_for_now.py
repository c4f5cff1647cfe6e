"""What nobody here is to do, or not now: a report, an order to somebody else, what is taken back, what has to wait."""

import re

from service_server.predict.mood import KNOWN_VERBS, Mood
from service_server.predict.mood_words import OPENERS
from service_server.predict.patterns import found_in
from service_server.predict.profiles import Profile
from service_server.predict.reader.conditions import CONDITION
from service_server.predict.reading import Reading
from service_server.predict.words import stem, word_set

_FIRST_OF_ALL = re.compile(
    r"^\W*(?:as soon as|once|the moment) (?!you\b|possible|ready|free|done|i\b|again|more)[a-z]+ [^,]*,"
    r"|^\W*(?:please )?(?:tell|notify|inform|warn) (?:(?!to\b)\S+ ){1,2}?(?:as soon as|once) (?!possible|you can)",
    re.IGNORECASE,
)
# "Every time somebody signs, tell Ana": a rule that nobody here can keep.
_EACH_TIME = re.compile(
    r"^\W*(?:please )?(?:every|each|any) ?time (?!you can\b)[^,]*,|^\W*(?:please )?whenever (?!you\b|possible\b)[^,]*,"
    r"|^\W*(?:please )?when (?!you\b|i\b|we\b|ready\b|possible\b|done\b)(?:[\w'’-]+ ){1,3}?"
    r"(?:is|are|has|have|[a-z]+s)\b[^,?]*, (?!(?:is|are|was|were|do|does|did|has|have|will|can|how|what|who|where)\b)",
    re.IGNORECASE,
)
_RULES = frozenset(map(stem, ("rule", "filter", "webhook", "automation", "trigger", "alert", "subscription")))
# "Please wait for me before you merge it", "would you block her if you were me?"
_NOT_YET = re.compile(
    r"^(?:please |but |hey |ok(?:ay)?,? )*(?:wait|hold (?:on|off)|hang on)\b.*\b(?:before|until|till)\b"
    r"|\bif you were (?:me|us)\b",
    re.IGNORECASE,
)
_SAID_BY = re.compile(
    r", (?:(?:says|said|writes|wrote|claims|thinks|reckons) \w+(?: \w+)?|(?:they|he|she) (?:says?|said|claims?)"
    r"|(?:I|we) (?:hear|heard)|apparently)\W*$",
    re.IGNORECASE,
)
# "Kasia, take OPS-44 please": somebody else is to do it. "Groceries, add milk" says where.
_CALLED = re.compile(
    r"^([A-Z][a-zà-ÿ'’-]+), (?:((?:please|pls|(?:can|could|would|will) you) (?:please )?)([a-z]+)"
    r"|([a-z]+)(?! (?:it|this|that|them)\b)) "
)
_NOBODY = OPENERS | word_set(
    """great perfect cool nice listen look team folks everyone altogether reminder urgent important tomorrow tonight
    today monday tuesday wednesday thursday friday saturday sunday"""
)
_ORDERS = KNOWN_VERBS - word_set("add put list log note append insert create new")
# "Add the card Flyers, or no, leave it".
_TAKEN_BACK = re.compile(
    r"[,.;!?…–-]\s*(?:(?:or|oh|ah|no|wait|actually|well|but)\b,? )*"
    r"(?:forget (?:it|that|about it)|never ?mind|nvm|leave it|let it be|don['’]t(?: bother)?|(?:better|rather) not)"
    r"[\s.!]*$",
    re.IGNORECASE,
)
# No function rings somebody up but those that are called so.
_RINGS = re.compile(
    r"^\W*(?:please |pls )?(?:call|ring|phone|dial) (?:\+?\d|(?:dr|mrs?|ms)\b|(?:(?:the|our|my|this|that) )?"
    r"(?:customer|client|contact|caller|lead|guest|patient|applicant|candidate|supplier|number)\b|[^,;:]{1,40} back\b)",
    re.IGNORECASE,
)
_BY_TELEPHONE = frozenset(map(stem, ("call", "ring", "phone", "dial", "telephone")))
_YOURSELF = re.compile(r"^[A-Z][a-z]+, [^.:\n]*\byourself\b[ .!]*$")


def is_for_nobody_here(profile: Profile, reading: Reading) -> bool:
    """
    Whether it is somebody's report, for somebody else, taken back, or for a telephone.

    "902 is done, says Birgit"; "Bo, close the ticket"; "close it, or no, leave it"; "ring the customer".
    """
    called = found_in(_CALLED, reading.prompt)
    if called is not None and (called[4] in _ORDERS or (called[2] and called[3] in KNOWN_VERBS)):
        name = called[1].casefold()
        if name not in _NOBODY and stem(name) not in profile.app_words:
            return True
    if found_in(_TAKEN_BACK, reading.prompt) is not None:
        return True
    if found_in(_RINGS, reading.prompt) is not None and profile.action.isdisjoint(_BY_TELEPHONE):
        return True
    said = reading.mood is not Mood.COMMAND and found_in(_SAID_BY, reading.prompt) is not None
    return said or found_in(_YOURSELF, reading.prompt) is not None


def is_too_early(profile: Profile, reading: Reading) -> bool:
    """Whether something has to happen first, which nobody here can wait for: "send it once the goods are there"."""
    if found_in(_EACH_TIME, reading.prompt) and profile.objects.isdisjoint(_RULES):
        return True
    if found_in(_FIRST_OF_ALL, reading.prompt):
        return True  # "as soon as everyone is there, post the news": no part of what is posted
    return has_a_condition(profile, reading) or found_in(_NOT_YET, reading.prompt) is not None


def has_a_condition(profile: Profile, reading: Reading) -> bool:
    """Whether something is to be done on a condition that a function can't be told: "once the tests are green"."""
    if profile.knows_conditions or (profile.writes and not profile.destructive):
        return False  # what somebody writes may well speak of one
    return found_in(CONDITION, reading.prompt) is not None
