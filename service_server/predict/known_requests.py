"""What people are known to say when they ask for a function, compared with a prompt by meaning."""

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from service_server.predict.reader.reader import WIDTH
from service_server.predict.shipped_arrays import in_bytes, shipped_arrays

SHARPNESS = 12.0
"""What the product of a prompt's vector and a function's is multiplied with to be log-odds."""

NOTHING = ""
"""Stands where a function's name stands, for what people say that no function does."""

_LEAST = 1e-30

Array = NDArray[np.float32]


@frozen(kw_only=True, eq=False)
class Requests:
    """
    What people say for some functions: for each one vector, whose product with a prompt's tells whether it is like it.

    Of `vectors` [functions, 384], in a byte a figure, each is to be multiplied with its `scales` [functions].
    `asking` [385] are weights of a text's vector and a bias: they tell how likely it asks for something to be done
    (log-odds); None where that is not known.
    """

    functions: Sequence[str]
    vectors: NDArray[np.int8]
    scales: Array
    asking: Array | None = None


@frozen(kw_only=True, eq=False)
class Said:
    """
    What is known to be said like a prompt.

    `shares` says how much of what is said for the functions at some places asks for each of them: 1 in all, or 0.
    `nothing` [places] is the share of what no function does among all that is said like the prompt, whichever functions
    are asked about, and also for those that the catalogue lacks; 0 at places whose functions nothing is known of, for
    what serves none of the others may well be for these. `asks` is how likely the prompt asks for something to be
    done (log-odds), whatever its form.
    """

    shares: Array
    nothing: Array
    asks: float


class KnownRequests:
    """The requests that are known for the functions of a catalogue, which have places as in the ranking."""

    def __init__(self, places: Mapping[str, int], *requests: Requests) -> None:
        """Take the places of the catalogue's functions by their names; those of other functions only count as such."""
        self._nothing, elsewhere = len(places), len(places) + 1  # behind the functions' own places
        self._asking = next((each.asking for each in requests if each.asking is not None), None)
        place_of = {NOTHING: self._nothing, **places}
        owners = [place_of.get(name, elsewhere) for each in requests for name in each.functions]
        self._owners = np.array(owners, np.int64)
        self._known = np.bincount(self._owners, minlength=self._nothing) > 0
        vectors = [each.vectors * each.scales[:, None] for each in requests]
        self._vectors = np.asfortranarray(np.concatenate([np.zeros((0, WIDTH), np.float32), *vectors]))

    def said_like(self, prompt: Array, places: NDArray[np.int64]) -> Said:
        """Return what is said like a prompt (its vector) for the functions at some places."""
        odds = SHARPNESS * (self._vectors @ prompt).astype(np.float64)
        weights = np.exp(odds - odds.max(initial=-math.inf))
        total = np.bincount(self._owners, weights, minlength=self._nothing + 1)
        own = total[places]
        nothing = float(total[self._nothing]) / max(float(total.sum()), _LEAST)
        return Said(
            shares=(own / max(float(own.sum()), _LEAST)).astype(np.float32),
            nothing=(nothing * self._known[places]).astype(np.float32),
            asks=-math.inf if self._asking is None else float(prompt @ self._asking[:-1] + self._asking[-1]),
        )


def requests_of(vectors: Iterable[tuple[str, Array]], asking: Array | None = None) -> Requests:
    """Return the requests for some functions, given as their names and a vector for each."""
    functions, rows, scales = [], [], []
    for name, own in vectors:
        row, scale = in_bytes(own)
        functions.append(name)
        rows.append(row)
        scales.append(scale)
    return Requests(
        functions=functions,
        vectors=np.stack(rows) if rows else np.zeros((0, WIDTH), np.int8),
        scales=np.array(scales, np.float32),
        asking=asking,
    )


def shipped_requests() -> Requests:
    """Return the known requests for shipped functions, which come with the weights (`training/requests.py`)."""
    arrays = shipped_arrays("requests.npz")
    return Requests(
        functions=arrays["functions"].tolist(),
        vectors=arrays["vectors"],
        scales=arrays["scales"],
        asking=arrays["asking"],
    )
