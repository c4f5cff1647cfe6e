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
SCALE = ".scale"
"""Behind the name of stored figures: what they are multiplied by."""
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


def load_adapter(file: Path) -> Adapter:
    """Read an adapter that `training/adapter_file.py` wrote."""
    parts: dict[str, dict[str, Array]] = {"change": {}, "head": {}, "rows": {}}
    content = lzma.LZMADecompressor().decompress(file.read_bytes(), max_length=_LARGEST)
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        for entry in arrays.files:
            if entry.endswith(SCALE):
                continue
            kind, _, name = entry.partition(":")
            value = arrays[entry].astype(np.float32)
            if f"{entry}{SCALE}" in arrays.files:
                value *= arrays[f"{entry}{SCALE}"]
            parts[kind][name] = value
    return Adapter(changes=parts["change"], rows=parts["rows"], heads=parts["head"])
