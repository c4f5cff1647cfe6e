"""What this project trained: thin matrices that are added to the base encoder's, and heads; kept in 8 bits."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

Array = NDArray[np.float32]

_WORDS = "embeddings.word_embeddings.weight"
_SCALE = ".scale"


@frozen
class Adapter:
    """
    What is added to the base encoder's matrices (`up @ down`), whole tensors that replace the base's, and heads.

    All by name, matrices by the base encoder's names.
    """

    up: dict[str, Array]
    down: dict[str, Array]
    replaced: dict[str, Array]
    heads: dict[str, Array]

    def applied_to(self, base: Mapping[str, Array]) -> dict[str, Array]:
        """Return the base encoder's weights with what was trained."""
        weights = dict(base)
        for name, up in self.up.items():
            weights[name] = (base[name] + up @ self.down[name]).astype(np.float32)
        for name, rows in self.replaced.items():
            first = 1 if name == _WORDS else 0  # pieces that BERT never used: [unused0] is piece 1
            weights[name] = base[name].copy()
            weights[name][first : first + len(rows)] = rows
        return weights


def save_adapter(adapter: Adapter, file: Path) -> None:
    """Write an adapter; every row of a matrix has a scale of its own, and its figures become whole ones up to 127."""
    arrays: dict[str, NDArray[np.generic]] = {}
    for kind, tensors in (("up", adapter.up), ("down", adapter.down), ("head", adapter.heads)):
        for name, tensor in tensors.items():
            if tensor.ndim < 2:
                arrays[f"{kind}:{name}"] = tensor.astype(np.float32)
                continue
            scale = np.maximum(np.abs(tensor).max(axis=-1, keepdims=True), 1e-9) / 127
            arrays[f"{kind}:{name}"] = np.round(tensor / scale).astype(np.int8)
            arrays[f"{kind}:{name}{_SCALE}"] = scale.astype(np.float32)
    for name, tensor in adapter.replaced.items():
        arrays[f"replaced:{name}"] = tensor.astype(np.float32)
    with file.open("wb") as stream:
        np.savez_compressed(stream, allow_pickle=False, **arrays)


def load_adapter(file: Path) -> Adapter:
    """Read an adapter that `save_adapter` wrote."""
    parts: dict[str, dict[str, Array]] = {"up": {}, "down": {}, "head": {}, "replaced": {}}
    with np.load(file, allow_pickle=False) as arrays:
        for entry in arrays.files:
            if entry.endswith(_SCALE):
                continue
            kind, _, name = entry.partition(":")
            value = arrays[entry].astype(np.float32)
            if f"{entry}{_SCALE}" in arrays.files:
                value *= arrays[f"{entry}{_SCALE}"]
            parts[kind][name] = value
    return Adapter(up=parts["up"], down=parts["down"], replaced=parts["replaced"], heads=parts["head"])
