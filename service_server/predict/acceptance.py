"""Decide whether the best-ranked function is what the prompt asks for, or whether nothing fits."""

import math

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
    verb = _NO_VERB if match.verb is None else match.verb
    total = _BIAS + _VERB * verb + _OBJECT * match.object_share + _PROMPT * match.prompt_share
    total += _APP * match.app_named
    total += 0.0 if match.aimed else _MISSED_AIM
    return round(1 / (1 + math.exp(-total)), 3)


def accepts(match: Match) -> bool:
    """Whether a match is good enough to be offered at all."""
    if match.destructive and not match.aimed:
        return False
    if match.type == "query":
        threshold = _QUERY_THRESHOLD
    else:
        threshold = _DESTRUCTIVE_THRESHOLD if match.destructive else _MUTATION_THRESHOLD
    return confidence(match) >= threshold
