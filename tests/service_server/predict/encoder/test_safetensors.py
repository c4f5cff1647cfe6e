"""Files of tensors are read as the format says, and nothing that contradicts itself is believed."""

import json
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service_server.predict.encoder.safetensors import MalformedTensors, tensors_of
from tests.service_server.tiny_model import framed, safetensors

_SHAPES = st.lists(st.integers(1, 5), max_size=4).map(tuple)
_JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=6,
)
_ENTRIES = st.fixed_dictionaries(
    {},
    optional={
        "dtype": st.one_of(st.sampled_from(["F32", "I64", "U8"]), _JSON),
        "shape": st.one_of(st.lists(st.integers(-1, 4), max_size=3), _JSON),
        "data_offsets": st.one_of(st.lists(st.integers(-4, 40), min_size=2, max_size=2), _JSON),
    },
)


def entry(**changes: Any) -> dict[str, Any]:
    """The header's entry of two figures at the beginning, with changes."""
    return {"dtype": "F32", "shape": [2], "data_offsets": [0, 8], **changes}


@given(st.dictionaries(st.text(max_size=8).filter(lambda name: name != "__metadata__"), _SHAPES, max_size=4))
def test_tensors_come_back_by_name_and_shape(shapes: dict[str, tuple[int, ...]]) -> None:
    """Whatever their names and shapes, a single figure included."""
    random = np.random.default_rng(0)
    written = {name: np.asarray(random.normal(size=shape), np.float32) for name, shape in shapes.items()}
    read = tensors_of(safetensors(written))

    assert written.keys() == read.keys()
    for name, tensor in written.items():
        assert tensor.shape == read[name].shape
        assert np.array_equal(tensor, read[name])


def test_other_types_are_left_out() -> None:
    """Their bytes must be right all the same."""
    header = {"a": entry(), "ids": entry(dtype="I64", data_offsets=[8, 24])}

    assert ["a"] == list(tensors_of(framed(header, bytes(24))))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x02\x00\x00",
        (3).to_bytes(8, "little") + b"{}",
        (2**63).to_bytes(8, "little") + b"{}",
        (2).to_bytes(8, "little") + b"[]",
        (2).to_bytes(8, "little") + b"{]",
        (2).to_bytes(8, "little") + b"\xff\xff",
        framed({}, b"rest"),
        len(deep := b"[" * 100_000).to_bytes(8, "little") + deep,
        len(long := b" " * (1024 * 1024) + b"{}").to_bytes(8, "little") + long,
        len(twice := b'{"__metadata__":{},"__metadata__":{}}').to_bytes(8, "little") + twice,
    ],
    ids=["empty", "cut", "longer", "huge", "list", "no JSON", "no text", "rest", "deep", "long", "twice"],
)
def test_malformed_headers_are_refused(content: bytes) -> None:
    """Before anything is read that they name."""
    with pytest.raises(MalformedTensors):
        tensors_of(content)


@pytest.mark.parametrize(
    "malformed",
    [
        {"a": None},
        {"a": {}},
        {"a": entry(more=1)},
        {"a": entry(dtype="F31")},
        {"a": entry(dtype=["F32"])},
        {"a": entry(shape=2)},
        {"a": entry(shape=[3])},
        {"a": entry(shape=[-2])},
        {"a": entry(shape=[2.0])},
        {"a": entry(shape=[True, 2])},
        {"a": entry(shape=[0, 10**30], data_offsets=[0, 0])},
        {"a": entry(shape=[1] * 70, data_offsets=[0, 4])},
        {"a": entry(data_offsets=[0])},
        {"a": entry(data_offsets=[8, 0])},
        {"a": entry(data_offsets=[-8, 0])},
        {"a": entry(data_offsets=[0, 8.0])},
        {"a": entry(data_offsets=[4, 12])},
        {"a": entry(shape=[2**40], data_offsets=[0, 2**42])},
        {"a": entry(), "b": entry()},
        {"a": entry(), "b": entry(shape=[1], data_offsets=[4, 8])},
    ],
    ids=lambda header: json.dumps(header)[:60],
)
def test_contradictions_are_refused(malformed: dict[str, Any]) -> None:
    """Entries that lack something, of shapes that do not fit, outside the file, on top of each other."""
    with pytest.raises(MalformedTensors):
        tensors_of(framed(malformed, bytes(8)))


@given(st.dictionaries(st.text(max_size=3), st.one_of(_ENTRIES, _JSON), max_size=3), st.binary(max_size=40))
def test_any_header_is_read_or_refused(header: dict[str, Any], content: bytes) -> None:
    """There is no third way: no other exception, and nothing that was not in the file."""
    try:
        tensors = tensors_of(framed(header, content))
    except MalformedTensors:
        return
    assert sum(tensor.nbytes for tensor in tensors.values()) <= len(content)


@given(st.binary(max_size=64))
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    """As above, from the first byte on."""
    with suppress(MalformedTensors):
        assert {} == tensors_of(content)
