"""What this project trained: changes to the base encoder's weights, and heads; stored in a few bits per figure."""

import io
import lzma
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

Array = NDArray[np.float32]

_WORDS = "embeddings.word_embeddings.weight"
_SCALE = ".scale"
# The step between stored figures, in root mean squares of a row. Further training moves an existing change only a
# little: steps of 0.8 lose a twentieth of a change as a whole, but lost three quarters of what such training gained.
_STEP = 0.2
_LARGEST = 50 * 2**20


@frozen
class Adapter:
    """
    What is added to the base encoder's tensors, tensors that replace the base's first rows, and heads.

    All are keyed by name; the first two by the base encoder's names.
    """

    changes: dict[str, Array]
    rows: dict[str, Array]
    heads: dict[str, Array]

    def applied_to(self, base: Mapping[str, Array]) -> dict[str, Array]:
        """Return the base encoder's weights with the trained changes applied."""
        weights = dict(base)
        for name, change in self.changes.items():
            weights[name] = (base[name] + change).astype(np.float32)
        for name, rows in self.rows.items():
            first = 1 if name == _WORDS else 0  # pieces that BERT never used: [unused0] is piece 1
            weights[name] = base[name].copy()
            weights[name][first : first + len(rows)] = rows
        return weights


def save_adapter(adapter: Adapter, file: Path) -> None:
    """Write an adapter; each row of a matrix has its own scale, and its figures become small integers."""
    arrays: dict[str, NDArray[np.generic]] = {}
    for name, change in adapter.changes.items():
        _keep(arrays, f"change:{name}", change, np.maximum(_size(change) * _STEP, 1e-9))
    for name, head in adapter.heads.items():
        _keep(arrays, f"head:{name}", head, np.maximum(np.abs(head).max(axis=-1, keepdims=True), 1e-9) / 127)
    for name, rows in adapter.rows.items():
        arrays[f"rows:{name}"] = rows.astype(np.float16)
    stream = io.BytesIO()
    np.savez(stream, allow_pickle=False, **arrays)
    file.write_bytes(lzma.compress(stream.getvalue(), preset=9 | lzma.PRESET_EXTREME))


def _size(tensor: Array) -> Array:
    """Return the root mean square of each row."""
    return np.asarray(np.sqrt((tensor**2).mean(axis=-1, keepdims=True)), np.float32)


def _keep(arrays: dict[str, NDArray[np.generic]], name: str, tensor: Array, scale: Array) -> None:
    if tensor.ndim < 2:
        arrays[name] = tensor.astype(np.float16)
        return
    arrays[name] = np.clip(np.round(tensor / scale), -127, 127).astype(np.int8)
    arrays[f"{name}{_SCALE}"] = scale.astype(np.float32)


def load_adapter(file: Path) -> Adapter:
    """Read an adapter that `save_adapter` wrote."""
    parts: dict[str, dict[str, Array]] = {"change": {}, "head": {}, "rows": {}}
    content = lzma.LZMADecompressor().decompress(file.read_bytes(), max_length=_LARGEST)
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        for entry in arrays.files:
            if entry.endswith(_SCALE):
                continue
            kind, _, name = entry.partition(":")
            value = arrays[entry].astype(np.float32)
            if f"{entry}{_SCALE}" in arrays.files:
                value *= arrays[f"{entry}{_SCALE}"]
            parts[kind][name] = value
    return Adapter(changes=parts["change"], rows=parts["rows"], heads=parts["head"])
