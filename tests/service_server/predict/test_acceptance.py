"""Whether a function is offered, by the figures of its match: a change has to be surer than a query."""

from typing import Any

import pytest

from service_server.predict.acceptance import accepts, confidence, signals, threshold
from service_server.predict.explanation import Signal
from service_server.predict.ranking import Match

JUST_A_QUERY = 0.78104  # of the prompt, with the verb and the app: a confidence of 0.45
JUST_A_CHANGE = 0.90646  # 0.55
JUST_A_DELETION = 0.33407  # with three quarters of what it is about: 0.65


def match(**figures: Any) -> Match:
    """A match of a query, all of whose figures speak against it but those that are given."""
    usual: dict[str, Any] = {"name": "acme-list", "app": "acme", "type": "query", "aimed": True, "commanded": True}
    usual |= {"app_named": False, "destructive": False, "verb": 0.0, "relevance": 0.0, "lacking": 0, "form": 0.0}
    usual |= {"object_share": 0.0, "prompt_share": 0.0}
    return Match(**usual | figures)


ALL = {"verb": 1.0, "object_share": 1.0, "prompt_share": 1.0, "app_named": True}


@pytest.mark.parametrize(
    ("expected", "figures"),
    [
        (0.005, {}),
        (0.001, {"aimed": False}),
        (0.027, {"verb": 1.0}),
        (0.012, {"verb": None}),
        (0.1, {"object_share": 1.0}),
        (0.119, {"prompt_share": 1.0}),
        (0.013, {"app_named": True}),
        (0.971, ALL),
        (0.881, ALL | {"aimed": False}),
        (0.937, ALL | {"verb": None}),
    ],
)
def test_what_speaks_for_a_function(expected: float, figures: dict[str, Any]) -> None:
    """Each figure adds to its confidence; a prompt without a verb speaks neither for nor against it."""
    assert expected == confidence(match(**figures))


def test_signals_tell_what_each_figure_counts() -> None:
    """In log-odds, which an explanation shows beside the figure."""
    figures = {"verb": 0.5, "object_share": 0.25, "prompt_share": 0.75, "app_named": True}

    assert [
        Signal("verb", 0.5, 0.8),
        Signal("objects", 0.25, 0.75),
        Signal("prompt", 0.75, pytest.approx(2.4)),
        Signal("app", 1.0, 0.9),
        Signal("missed", 1.0, -1.5),
    ] == signals(match(**figures, aimed=False))
    assert [0.0, 0.0] == [signals(match())[-1].value, signals(match())[-1].counts]


@pytest.mark.parametrize(
    ("expected", "kind", "destructive"),
    [(0.45, "query", False), (0.55, "mutation", False), (0.55, "passthrough", False), (0.65, "mutation", True)],
)
def test_a_change_has_to_be_surer(expected: float, kind: str, destructive: bool) -> None:
    """One that can't be undone even more so."""
    assert expected == threshold(match(type=kind, destructive=destructive))


@pytest.mark.parametrize(
    ("confident", "figures", "share"),
    [
        (0.45, {}, JUST_A_QUERY),
        (0.55, {"type": "mutation"}, JUST_A_CHANGE),
        (0.65, {"type": "mutation", "destructive": True, "object_share": 0.75}, JUST_A_DELETION),
    ],
)
def test_the_threshold_itself_is_enough(confident: float, figures: dict[str, Any], share: float) -> None:
    """And a little less is not."""
    just = match(**figures, verb=1.0, app_named=True, prompt_share=share)
    less = match(**figures, verb=1.0, app_named=True, prompt_share=share - 0.002)

    assert confident == confidence(just)
    assert accepts(just)
    assert not accepts(less)


def test_a_deletion_of_something_else_is_never_offered() -> None:
    """However sure it looks."""
    deletion = ALL | {"type": "mutation", "destructive": True}

    assert accepts(match(**deletion))
    assert not accepts(match(**deletion, aimed=False))
    assert accepts(match(**deletion | {"destructive": False}, aimed=False))
