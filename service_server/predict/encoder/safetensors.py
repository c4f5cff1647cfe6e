"""Read single-precision tensors from a file in the safetensors format, trusting nothing that the file says."""

import json
from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

# An encoder's header has some ten thousand bytes, and its tensors have two dimensions.
_LONGEST_HEADER = 1024 * 1024
_MOST_DIMENSIONS = 4
_BYTES_OF = {
    "BOOL": 1,
    "U8": 1,
    "I8": 1,
    "F8_E4M3": 1,
    "F8_E5M2": 1,
    "U16": 2,
    "I16": 2,
    "F16": 2,
    "BF16": 2,
    "U32": 4,
    "I32": 4,
    "F32": 4,
    "U64": 8,
    "I64": 8,
    "F64": 8,
}


class MalformedTensors(ValueError):
    """The bytes are not such a file, or contradict themselves; the message says where."""


def tensors_of(content: bytes) -> dict[str, NDArray[np.float32]]:
    """
    Return the single-precision tensors by name, as views of `content`. Tensors of other types are left out.

    Raises:
        MalformedTensors: a length, type, shape or place does not fit the rest.
    """
    header, first = _header(content)
    available = len(content) - first
    places = []
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        kind, shape, start, end = _entry(name, entry)
        if end > available:
            raise MalformedTensors(f"tensor {name[:100]!r} ends behind the file")
        places.append((start, end))
        if kind == "F32":
            values = np.frombuffer(content, "<f4", count=prod(shape), offset=first + start)
            tensors[name] = values.reshape(shape)
    reached = 0
    for start, end in sorted(places):
        if start != reached:
            raise MalformedTensors("tensors overlap, or leave bytes between them")
        reached = end
    if reached != available:
        raise MalformedTensors("bytes follow the last tensor")
    return tensors


def _header(content: bytes) -> tuple[Mapping[str, Any], int]:
    """Return the header, and where the bytes of the tensors begin."""
    length = int.from_bytes(content[:8], "little")
    if len(content) < 8 or length > min(_LONGEST_HEADER, len(content) - 8):
        raise MalformedTensors("the header is longer than the file, or than any header")
    try:
        header = json.loads(content[8 : 8 + length].decode(), object_pairs_hook=_without_repetition)
    except (ValueError, RecursionError):
        raise MalformedTensors("the header is no JSON object with each key once") from None
    if not isinstance(header, dict):
        raise MalformedTensors("the header is no JSON object")
    return header, 8 + length


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands there twice")
    return found


def _entry(name: str, entry: Any) -> tuple[str, list[int], int, int]:
    """Return type, shape, first byte and the byte behind the last of a tensor."""
    if not isinstance(entry, dict) or entry.keys() != {"dtype", "shape", "data_offsets"}:
        raise MalformedTensors(f"tensor {name[:100]!r} needs dtype, shape and data_offsets")
    kind, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
    if not isinstance(kind, str) or kind not in _BYTES_OF:
        raise MalformedTensors(f"tensor {name[:100]!r} has no known dtype")
    if not _are_sizes(shape) or len(shape) > _MOST_DIMENSIONS or 0 in shape:
        raise MalformedTensors(f"tensor {name[:100]!r} has no usable shape")
    if not _are_sizes(offsets) or len(offsets) != 2:
        raise MalformedTensors(f"tensor {name[:100]!r} has no two data_offsets")
    start, end = offsets
    if end - start != prod(shape) * _BYTES_OF[kind]:
        raise MalformedTensors(f"tensor {name[:100]!r} has a shape that does not fit its bytes")
    return kind, shape, start, end


def _are_sizes(values: Any) -> bool:
    return isinstance(values, list) and all(type(value) is int and value >= 0 for value in values)
