"""Whether a function does what a prompt asks: its verb, and what that verb is about."""

from collections.abc import Set

from service_server.predict.mentions import Kind
from service_server.predict.profiles import Profile
from service_server.predict.reading import Reading
from service_server.predict.verbs import VerbClass, serves
from service_server.predict.words import STOP_WORDS, SYNONYMS

_LEADING_WORDS = frozenset(
    {"me", "us", "of", "the", "a", "an", "my", "our", "your", "all", "new", "this", "that", "these"}
)


def verb_fit(profile: Profile, reading: Reading) -> float | None:
    """Return how well the function does what is asked, 0 to 1; None where the prompt has no verb of a known class."""
    asked = reading.asked
    if asked is None:
        return None if profile.type == "query" else _own_word_fit(profile, reading)
    if asked.negated:
        return 0.0
    if profile.destructive and asked.verb_class not in (VerbClass.DELETE, VerbClass.CLOSE):
        return 0.0
    if profile.verb is None:
        if profile.type == "query":
            return 0.9 if asked.verb_class is VerbClass.READ else 0.0
        return 0.6 if asked.verb_class is not VerbClass.READ else 0.0
    return serves(asked.verb_class, profile.verb[0])


def lacking_values(profile: Profile, reading: Reading) -> int:
    """Return for how many required arguments of a query the prompt holds no value, as "list" has fewer than "get"."""
    function = profile.candidate.function
    if function.type != "query":
        return 0
    values = sum(mention.kind is not Kind.PROPER_NAME for mention in reading.mentions)
    return max(0, len(function.parameters.required) - values)


def _own_word_fit(profile: Profile, reading: Reading) -> float:
    """Return how well "merge pull request 12" or "refund the charge" asks for a function that changes something."""
    first = reading.core[0].stem if reading.core else ""
    if profile.destructive or not first:
        return 0.0
    if first == profile.lead:
        return 1.0
    return 0.6 if first in profile.objects else 0.0


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
    asked_end = reading.asked.end if reading.asked else 0
    begun = False
    for word in reading.request:
        if word.end <= asked_end or (not begun and word.folded in _LEADING_WORDS):
            continue
        if word.folded in STOP_WORDS:
            break
        begun = True
        if word.stem in objects or not SYNONYMS.get(word.stem, frozenset()).isdisjoint(objects):
            found = word.stem
    return found
