"""Questions of what something is or how it is done, which ask for nothing to be done."""

from collections.abc import Sequence

from service_server.predict import mood_words as said
from service_server.predict.words import Word


def asks_for_explanation(words: Sequence[Word]) -> bool:
    """Whether a prompt asks what something is or how it is done, instead of asking for it to be done."""
    folded = [word.folded for word in words]
    while folded and folded[0] in said.OPENERS:
        folded = folded[1:]
    match folded:
        case ["why" | "explain", *_] | ["how", "to" | "come", *_]:
            return True
        case ["how", "do" | "does" | "can" | "should" | "would" | "could", *_]:
            return True
        case ["what", "is" | "are" | "does" | "do" | "would", "a" | "an", *_]:
            return True
        case ["what" | "where", "the", "difference", *_] | ["what" | "where", "is", "the", "difference", *_]:
            return True
        case ["how", "many" | "much" | "long" | "big" | "fast", *rest] if _is_of_limits(rest):
            return True
        case ["is", "there", "a", "way", *_]:
            return True
        case ["is", "a" | "an", *rest] if "same" in rest:
            return True
        case ["what", "would", "happen", *_]:
            return True
        case ["what", "happens", "if" | "when", *_] | ["what", "will", "happen", "if" | "when", *_]:
            return True
        case ["can", "a" | "an", *rest]:  # "can a guest be invited": who wants it done says which guest
            return "be" in rest[:3] or "have" in rest[:3]
    return False


def _is_of_limits(words: Sequence[str]) -> bool:
    """Whether a question is about what is allowed, or anybody may do: "how many people can share a board"."""
    at = next((place for place, word in enumerate(words[:4]) if word in ("can", "may")), None)
    is_of_any = at is not None and words[at + 1 : at + 2] not in (["i"], ["we"], ["you"])
    return is_of_any or not said.OF_LIMITS.isdisjoint(words)
