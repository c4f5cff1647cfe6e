"""Write what was trained as the service reads it (`service_server.predict.encoder.adapter`)."""

import io
import lzma
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from service_server.predict.encoder.adapter import SCALE, Adapter, Array

# The step between stored figures, in root mean squares of a row. Further training moves an existing change only a
# little: steps of 0.8 lose a twentieth of a change as a whole, but lost three quarters of what such training gained.
_STEP = 0.2


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
    arrays[f"{name}{SCALE}"] = scale.astype(np.float32)
