"""Arrays that come with the weights, whose vectors are kept in a byte a figure."""

from collections.abc import Mapping
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray


def in_bytes(vector: NDArray[Any]) -> tuple[NDArray[np.int8], float]:
    """Return a vector with a byte for each figure, and the scale that it is to be multiplied with."""
    scale = max(float(np.abs(vector).max()), 1e-9) / 127
    return np.round(vector / scale).astype(np.int8), scale


def shipped_arrays(name: str) -> Mapping[str, NDArray[Any]]:
    """Return the arrays of a file of the package's weights, by their names."""
    with (
        files("service_server.predict").joinpath("weights", name).open("rb") as stream,
        np.load(stream, allow_pickle=False) as arrays,
    ):
        return dict(arrays)
