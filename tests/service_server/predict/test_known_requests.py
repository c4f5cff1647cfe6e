"""What people are known to say for functions: which share of it asks for each."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from service_server.predict.candidate import Candidate
from service_server.predict.known_requests import NOTHING, KnownRequests, requests_of, shipped_requests
from service_server.predict.predictor import Predictor
from service_server.predict.reader.reader import WIDTH, Reader
from service_server.prediction.prediction import candidates
from tests.service_server.predict.catalogue import function
from tests.service_server.shipped import shipped_catalog

pytestmark = pytest.mark.slow

PLACES = {"shop-refund": 0, "shop-cancel": 1, "mail-send": 2}
REFUND, CANCEL, SEND = np.eye(3, WIDTH, dtype=np.float32)


def shares(known: KnownRequests, prompt: NDArray[np.float32], places: list[int]) -> list[float]:
    """The shares of some places, to two digits."""
    return [round(float(each), 2) for each in known.said_like(prompt, np.array(places, np.int64)).shares]


def known() -> KnownRequests:
    """What is said for a refund, for a cancellation, and for a function that the catalogue lacks."""
    said = [("shop-refund", REFUND + SEND / 2), ("shop-cancel", CANCEL), ("gone", SEND)]
    return KnownRequests(PLACES, requests_of(said))


def test_the_nearest_request_counts_most() -> None:
    """Nearly all that is said like a prompt asks for the function whose request is nearest, also among few."""
    assert [1, 0, 0] == shares(known(), REFUND, [0, 1, 2])
    assert [0, 1] == shares(known(), CANCEL, [2, 1])
    assert [0.5, 0.5] == shares(known(), (REFUND + CANCEL) / np.sqrt(2, dtype=np.float32), [1, 0])


def test_the_longer_of_two_vectors_counts_more() -> None:
    """A function's vector may be longer than one, which makes it likelier for what points its way."""
    both = KnownRequests(PLACES, requests_of([("shop-refund", REFUND), ("shop-cancel", REFUND * np.float32(1.2))]))
    assert [0.08, 0.92] == shares(both, REFUND, [0, 1])


def test_what_nobody_is_known_to_say_has_no_share() -> None:
    """A function without requests has none, nor have those that are not asked about or not in the catalogue."""
    assert [0.0] == shares(known(), SEND, [2])
    assert [1.0] == shares(known(), SEND, [0])
    assert [] == shares(known(), SEND, [])
    assert [0.0, 0.0] == shares(KnownRequests(PLACES, requests_of([])), SEND, [0, 1])


def test_what_no_function_does_is_known_too() -> None:
    """Its share is that of all that is said like a prompt, also where few functions are asked about."""
    both = KnownRequests(PLACES, requests_of([("shop-refund", REFUND), (NOTHING, CANCEL)]))
    for among in ([0, 1, 2], [0], []):
        places = np.array(among, np.int64)
        assert (both.said_like(CANCEL, places).nothing[:1] > 0.99).all()
        assert (both.said_like(REFUND, places).nothing < 0.01).all()
    assert [1.0, 0.0] == shares(both, CANCEL, [0, 1])
    # A connector of one's own does what no shipped one does: that tells nothing about its functions.
    assert [1.0, 0.0] == both.said_like(CANCEL, np.array([0, 1])).nothing.round(2).tolist()


@given(st.lists(st.floats(-2, 2, width=32), min_size=3, max_size=3).filter(lambda row: max(map(abs, row)) > 1e-3))
def test_a_byte_a_figure_keeps_direction_and_length(row: list[float]) -> None:
    """A vector in a byte a figure, times its scale, is nearly what it was."""
    vector = np.array(row, np.float32)
    coarse = requests_of([("shop-refund", vector)])
    assert np.abs(coarse.vectors[0] * coarse.scales[0] - vector).max() <= np.abs(vector).max() / 250


def test_shipped_requests_are_those_of_the_shipped_weights(installed_reader: Reader) -> None:
    """The installed reader finds nearly all functions by what their examples say, alone: a few may have changed."""
    found = list(candidates(shipped_catalog()))
    places = {candidate.function.name: at for at, candidate in enumerate(found)}
    known = KnownRequests(places, shipped_requests())
    among = np.arange(len(found))
    right = []
    for candidate in found[::7]:
        if candidate.examples:
            [example] = installed_reader.vectors([candidate.examples[0][0]])
            right.append(places[candidate.function.name] == int(known.said_like(example, among).shares.argmax()))
    assert len(right) > 150
    assert sum(right) >= 0.8 * len(right), "./dev model --keep-weights writes them again"


def test_examples_of_other_connectors_are_known_requests(installed_reader: Reader) -> None:
    """What the author of a connector says that people ask speaks for its function, in other words than its own."""
    launches = function("sky-list-launches", "List launches.", (), "query")
    chances = []
    for examples in ((), (("what goes up this week", {}),)):
        candidate = Candidate(function=launches, title="", app_name="sky", app_title="Sky", examples=examples)
        found = Predictor([candidate], reader=installed_reader).rank_functions("so what goes up this week?")
        chances.append(found.functions[0].confidence)
    without, having = chances
    assert having > without + 0.2


def test_known_requests_do_not_outweigh_a_connected_app(shipped_predictor: Predictor) -> None:
    """Much of what is like "delete ticket 1001" asks Zendesk; who uses another app with tickets means that one."""
    for app in ("sandbox", "zendesk"):
        ranking = shipped_predictor.rank_functions("delete ticket 1001", connected={app})
        assert f"{app}-delete-ticket" == ranking.functions[0].name
    ranking = shipped_predictor.rank_functions("list my tickets", connected={"sandbox"})
    assert "sandbox-list-tickets" == ranking.functions[0].name
