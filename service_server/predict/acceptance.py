"""Decide whether the best-ranked function is what the prompt asks for, or whether nothing fits."""

from service_server.predict.confidence import chance_of
from service_server.predict.explanation import Signal
from service_server.predict.ranking import Match

# Weights of a logistic model; see `confidence`.
_BIAS = -5.2
_VERB, _OBJECT, _PROMPT, _APP = 1.6, 3.0, 3.2, 0.9
_NO_VERB = 0.5
_MISSED_AIM = -1.5

# A change of data must be meant; one that can't be undone even more so.
_QUERY_THRESHOLD = 0.45
_MUTATION_THRESHOLD = 0.55
_DESTRUCTIVE_THRESHOLD = 0.65


def confidence(match: Match) -> float:
    """Return how likely the function is the one that the prompt asks for, 0 to 1."""
    return chance_of(_BIAS + sum(signal.counts for signal in signals(match)))


def signals(match: Match) -> list[Signal]:
    """What each figure of a match says."""
    verb = _NO_VERB if match.verb is None else match.verb
    missed = 0.0 if match.aimed else 1.0
    return [
        Signal("verb", verb, _VERB * verb),
        Signal("objects", match.object_share, _OBJECT * match.object_share),
        Signal("prompt", match.prompt_share, _PROMPT * match.prompt_share),
        Signal("app", float(match.app_named), _APP * match.app_named),
        Signal("missed", missed, _MISSED_AIM * missed),
    ]


def threshold(match: Match) -> float:
    """The confidence from which on a function is offered."""
    if match.type == "query":
        return _QUERY_THRESHOLD
    return _DESTRUCTIVE_THRESHOLD if match.destructive else _MUTATION_THRESHOLD


def accepts(match: Match) -> bool:
    """Whether a match is good enough to be offered at all."""
    if match.destructive and not match.aimed:
        return False
    return confidence(match) >= threshold(match)
