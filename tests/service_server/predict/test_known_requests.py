"""What people are known to say for functions: which share of it asks for each."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from service_client.models import Function, Parameters
from service_server.predict.candidate import Candidate
from service_server.predict.known_requests import NOTHING, KnownRequests, Requests, requests_of, shipped_requests
from service_server.predict.predictor import Predictor
from service_server.predict.reader.reader import Reader
from service_server.prediction.prediction import candidates
from tests.service_server.shipped import shipped_catalog

PLACES = {"shop-refund": 0, "shop-cancel": 1, "mail-send": 2}
REFUND, CANCEL, SEND = np.eye(3, dtype=np.float32)


def shares(known: KnownRequests, prompt: NDArray[np.float32], places: list[int]) -> list[float]:
    """The shares of some places, to two digits."""
    return [round(float(each), 2) for each in known.said_like(prompt, np.array(places, np.int64)).shares]


def known() -> KnownRequests:
    """Two requests for a refund, one for a cancellation, one for a function that the catalogue lacks."""
    said = [("shop-refund", np.stack([REFUND, SEND])), ("shop-cancel", CANCEL[None]), ("gone", SEND[None])]
    return KnownRequests(PLACES, requests_of(said))


def test_the_nearest_request_counts_most() -> None:
    """Nearly all that is said like a prompt asks for the function whose request is nearest, also among few."""
    assert [1, 0, 0] == shares(known(), REFUND, [0, 1, 2])
    assert [0, 1] == shares(known(), CANCEL, [2, 1])
    assert [0.5, 0.5] == shares(known(), (REFUND + CANCEL) / np.sqrt(2, dtype=np.float32), [1, 0])


def test_what_nobody_is_known_to_say_has_no_share() -> None:
    """A function without requests has none, nor have those that are not asked about or not in the catalogue."""
    assert [0.0] == shares(known(), SEND, [2])
    assert [1.0] == shares(known(), SEND, [0])
    assert [] == shares(known(), SEND, [])
    assert [0.0, 0.0] == shares(KnownRequests(PLACES, requests_of([])), SEND, [0, 1])


def test_what_no_function_does_is_known_too() -> None:
    """Its share is that of all that is said like a prompt, also where few functions are asked about."""
    both = KnownRequests(PLACES, requests_of([("shop-refund", REFUND[None]), (NOTHING, CANCEL[None])]))
    for places in ([0, 1, 2], [2], []):
        assert both.said_like(CANCEL, np.array(places, np.int64)).nothing > 0.99
        assert both.said_like(REFUND, np.array(places, np.int64)).nothing < 0.01
    assert [1.0, 0.0] == shares(both, CANCEL, [0, 1])


def test_requests_may_keep_some_axes_of_their_vectors() -> None:
    """A prompt is brought to the same axes before it is compared."""
    axes = np.stack([CANCEL, REFUND], axis=1).astype(np.float16)
    rows = [("shop-refund", np.array([[0, 1]], np.float32)), ("shop-cancel", np.array([[1, 0]], np.float32))]
    full = requests_of(rows)
    narrow = Requests(functions=full.functions, counts=full.counts, vectors=full.vectors, axes=axes)
    assert [1.0, 0.0] == shares(KnownRequests(PLACES, narrow), REFUND, [0, 1])


@given(st.lists(st.lists(st.floats(-1, 1), min_size=3, max_size=3).filter(any), min_size=1, max_size=40))
def test_a_byte_a_figure_keeps_the_direction(rows: list[list[float]]) -> None:
    """Vectors in a byte a figure point where they pointed, however long they were."""
    vectors = np.array(rows, np.float32)
    lengths = np.linalg.norm(vectors, axis=1)
    vectors = vectors[lengths > 1e-6]
    coarse = requests_of([("shop-refund", vectors)]).vectors.astype(np.float32)
    cosines = (coarse * vectors).sum(axis=1) / np.linalg.norm(coarse, axis=1).clip(1e-9) / lengths[lengths > 1e-6]
    assert all(cosines > 0.999)


def test_shipped_requests_are_those_of_the_shipped_weights(installed_reader: Reader) -> None:
    """The installed reader gives the vectors that come with it, for nearly all examples: a few may have changed."""
    shipped = shipped_requests()
    assert shipped.axes is not None
    axes = shipped.axes.astype(np.float32)
    starts = dict(zip(shipped.functions, np.cumsum(shipped.counts) - shipped.counts, strict=True))
    counts = dict(zip(shipped.functions, shipped.counts, strict=True))
    nearest = []
    for candidate in list(candidates(shipped_catalog()))[::7]:
        name = candidate.function.name
        if candidate.examples and name in starts:
            own = shipped.vectors[starts[name] :][: counts[name]].astype(np.float32)
            [example] = installed_reader.vectors([candidate.examples[0][0]]) @ axes
            example /= np.linalg.norm(example)
            nearest.append(float((own @ example / np.linalg.norm(own, axis=1)).max()))
    assert len(nearest) > 50
    assert sum(each > 0.99 for each in nearest) >= 0.9 * len(nearest), "./dev model --keep-weights writes them again"


def test_examples_of_other_connectors_are_known_requests(installed_reader: Reader) -> None:
    """What the author of a connector says that people ask speaks for its function, in other words than its own."""
    function = Function(
        name="sky-list-launches", description="List launches.", parameters=Parameters(properties={}), type="query"
    )
    chances = []
    for examples in ((), (("what goes up this week", dict[str, Any]()),)):
        candidate = Candidate(function=function, title="", app_name="sky", app_title="Sky", examples=examples)
        found = Predictor([candidate], reader=installed_reader).rank_functions("so what goes up this week?")
        chances.append(found.functions[0].confidence)
    without, having = chances
    assert having > without + 0.2


def test_known_requests_do_not_outweigh_a_connected_app(shipped_predictor: Predictor) -> None:
    """Much of what is like "delete ticket 1001" asks Zendesk; who uses another app with tickets means that one."""
    for app in ("sandbox", "zendesk"):
        ranking = shipped_predictor.rank_functions("delete ticket 1001", connected={app})
        assert f"{app}-delete-ticket" == ranking.functions[0].name
