"""What people are known to say when they ask for a function, compared with a prompt by meaning."""

from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from service_server.predict.vectors import products

# How soon a request counts for less than the nearest one, as a difference of cosines.
_NEARNESS = 0.05

Coarse = NDArray[np.int8]


@frozen(kw_only=True, eq=False)
class Requests:
    """
    The requests that are known for some functions.

    `counts` says how many each has; `vectors` [requests, width] are those of all, one function's after the other's, in
    a byte a figure: their directions are right, their lengths aren't.
    """

    functions: Sequence[str]
    counts: NDArray[np.uint16]
    vectors: Coarse


class KnownRequests:
    """The requests that are known for the functions of a catalogue, which have places as in the ranking."""

    def __init__(self, places: Mapping[str, int], *requests: Requests) -> None:
        """Take the places of the catalogue's functions by their names; requests for other functions don't count."""
        self._functions = len(places)
        self._known = [
            (np.repeat([places.get(name, -1) for name in each.functions], each.counts), each.vectors, _lengths(each))
            for each in requests
            if len(each.vectors)
        ]

    def shares(self, prompt: NDArray[np.float32], places: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return how much of what is said like a prompt (its vector) asks for each place's function: 1 in all, or 0."""
        order = np.full(self._functions + 1, -1)  # the last one is for functions that have no place
        order[places] = np.arange(len(places))
        owners, cosines = [np.zeros(0, np.intp)], [np.zeros(0, np.float32)]
        for places_of, vectors, lengths in self._known:
            found = order[places_of]
            rows = np.flatnonzero(found >= 0)
            owners.append(found[rows])
            own = vectors if len(rows) == len(vectors) else vectors[rows]
            cosines.append(products(own, prompt) / lengths[rows])
        near = np.concatenate(cosines)
        weights = np.exp((near - near.max(initial=-1.0)) / _NEARNESS)
        shares = np.bincount(np.concatenate(owners), weights, minlength=len(places))
        return (shares / max(float(weights.sum()), 1e-6)).astype(np.float32)


def _lengths(requests: Requests) -> NDArray[np.float32]:
    vectors = requests.vectors
    squares: NDArray[np.float32] = np.einsum("ij,ij->i", vectors, vectors, dtype=np.float32)
    return np.sqrt(squares)


def requests_of(vectors: Iterable[tuple[str, NDArray[np.float32]]]) -> Requests:
    """Return the requests for some functions, given as their names and their requests' vectors [requests, width]."""
    functions, counts, rows = [], [], []
    for name, own in vectors:
        functions.append(name)
        counts.append(len(own))
        rows.append(np.round(own * (127 / np.abs(own).max(axis=1, keepdims=True, initial=1e-9))).astype(np.int8))
    return Requests(
        functions=functions,
        counts=np.array(counts, np.uint16),
        vectors=np.concatenate(rows) if rows else np.zeros((0, 1), np.int8),
    )


def shipped_requests() -> Requests:
    """Return the known requests for shipped functions, which come with the weights (`training/requests.py`)."""
    with (
        files("service_server.predict").joinpath("weights", "requests.npz").open("rb") as stream,
        np.load(stream, allow_pickle=False) as arrays,
    ):
        return Requests(functions=arrays["functions"].tolist(), counts=arrays["counts"], vectors=arrays["vectors"])
