"""What people are known to say when they ask for a function, compared with a prompt by meaning."""

import math
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

# How soon a request counts for less than the nearest one, as a difference of cosines.
_NEARNESS = 0.05
_LEAST = 1e-30
_AT_ONCE = 1024

NOTHING = ""
"""Stands where a function's name stands, for what people say that no function does."""

Coarse = NDArray[np.int8]
Array = NDArray[np.float32]


@frozen(kw_only=True, eq=False)
class Requests:
    """
    The requests that are known for some functions.

    `counts` says how many each has; `vectors` [requests, width] are those of all, one function's after the other's, in
    a byte a figure: their directions are right, their lengths aren't. `axes` [384, width] are those that they keep of a
    text's vector, None if all. `asking` [385] are weights of a text's vector and a bias: they tell how likely it asks
    for something to be done (log-odds); None where that is not known.
    """

    functions: Sequence[str]
    counts: NDArray[np.uint16]
    vectors: Coarse
    axes: NDArray[np.float16] | None = None
    asking: Array | None = None


@frozen(kw_only=True, eq=False)
class Said:
    """
    What is known to be said like a prompt.

    `shares` says how much of what is said for the functions at some places asks for each of them: 1 in all, or 0.
    `nothing` is the share of what no function does among all that is said like the prompt, whichever functions are
    asked about. `asks` is how likely the prompt asks for something to be done (log-odds), whatever its form.
    """

    shares: Array
    nothing: float
    asks: float


class KnownRequests:
    """The requests that are known for the functions of a catalogue, which have places as in the ranking."""

    def __init__(self, places: Mapping[str, int], *requests: Requests) -> None:
        """Take the places of the catalogue's functions by their names; requests for other functions are not kept."""
        self._nothing = len(places)  # behind the functions' own places
        self._asking = next((each.asking for each in requests if each.asking is not None), None)
        place_of = {NOTHING: self._nothing, **places}
        self._owners = np.zeros(0, np.int64)
        self._known: list[tuple[Array | None, Coarse, Array]] = []
        for each in requests:
            owners = np.repeat([place_of.get(name, -1) for name in each.functions], each.counts)
            kept = owners >= 0
            if kept.any():
                vectors = each.vectors if kept.all() else each.vectors[kept]
                axes = None if each.axes is None else each.axes.astype(np.float32)
                self._owners = np.concatenate([self._owners, owners[kept]])
                self._known.append((axes, vectors, _lengths(vectors)))

    def said_like(self, prompt: Array, places: NDArray[np.int64]) -> Said:
        """Return what is said like a prompt (its vector) for the functions at some places."""
        near = [
            _products(vectors, prompt if axes is None else prompt @ axes) / lengths
            for axes, vectors, lengths in self._known
        ]
        cosines = np.concatenate([np.zeros(0, np.float32), *near])
        weights = np.exp((cosines - cosines.max(initial=-1.0)).astype(np.float64) / _NEARNESS)
        total = np.bincount(self._owners, weights, minlength=self._nothing + 1)
        own, known = total[places], float(total.sum())
        return Said(
            shares=(own / max(float(own.sum()), _LEAST)).astype(np.float32),
            nothing=float(total[self._nothing]) / max(known, _LEAST),
            asks=-math.inf if self._asking is None else float(prompt @ self._asking[:-1] + self._asking[-1]),
        )


def _products(vectors: Coarse, other: Array) -> Array:
    """Multiply each of many vectors with another one, some at a time: all of them as floats take four times as much."""
    found = np.empty(len(vectors), np.float32)
    for first in range(0, len(vectors), _AT_ONCE):
        found[first : first + _AT_ONCE] = vectors[first : first + _AT_ONCE].astype(np.float32) @ other
    return found


def _lengths(vectors: Coarse) -> Array:
    squares: Array = np.einsum("ij,ij->i", vectors, vectors, dtype=np.float32)
    return np.sqrt(squares)


def requests_of(vectors: Iterable[tuple[str, Array]]) -> Requests:
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
        return Requests(
            functions=arrays["functions"].tolist(),
            counts=arrays["counts"],
            vectors=arrays["vectors"],
            axes=arrays["axes"],
            asking=arrays["asking"],
        )
