"""What was trained is kept in 8 bits and added to the base encoder."""

from pathlib import Path

import numpy as np
import pytest

from service_server.predict.encoder.adapter import Adapter, load_adapter, save_adapter
from tests.service_server.tiny_model import MARKS, tiny_adapter, tiny_base

WORDS = "embeddings.word_embeddings.weight"


@pytest.fixture
def kept(tmp_path: Path) -> tuple[Adapter, Adapter]:
    """An adapter, and what is read after it was written."""
    adapter = tiny_adapter()
    save_adapter(adapter, tmp_path / "reader.npz")
    return adapter, load_adapter(tmp_path / "reader.npz")


def test_matrices_come_back_within_half_a_step(kept: tuple[Adapter, Adapter]) -> None:
    """A row has 127 steps on either side of zero, so no figure moves by more than half of one."""
    written, read = kept
    for before, after in ((written.up, read.up), (written.down, read.down), (written.heads, read.heads)):
        assert before.keys() == after.keys()
        for name, tensor in before.items():
            step = np.abs(tensor).max(axis=-1, keepdims=True) / 127
            assert (np.abs(tensor - after[name]) <= 0.5001 * step).all(), name


def test_vectors_and_replaced_tensors_come_back_as_they_were(kept: tuple[Adapter, Adapter]) -> None:
    """They are few, and their errors would not average out."""
    written, read = kept
    assert written.replaced.keys() == read.replaced.keys()
    for name, tensor in written.replaced.items():
        assert np.array_equal(tensor, read.replaced[name])
    for name in (name for name in written.heads if name.endswith(".bias")):
        assert np.array_equal(written.heads[name], read.heads[name])


def test_a_row_of_zeros_is_kept(tmp_path: Path) -> None:
    """As at the beginning of training; nothing is divided by zero."""
    adapter = Adapter(up={"a": np.zeros((2, 3), np.float32)}, down={}, replaced={}, heads={})
    save_adapter(adapter, tmp_path / "reader.npz")

    assert not load_adapter(tmp_path / "reader.npz").up["a"].any()


def test_applying_adds_products_and_replaces_rows() -> None:
    """The first rows of the vocabulary behind [PAD] are replaced, other matrices grow, and the base stays as it is."""
    base, adapter = tiny_base(), tiny_adapter()
    before = {name: tensor.copy() for name, tensor in base.items()}
    weights = adapter.applied_to(base)
    adapted = "encoder.layer.0.output.dense.weight"

    assert base.keys() == weights.keys()
    assert np.allclose(base[adapted] + adapter.up[adapted] @ adapter.down[adapted], weights[adapted])
    assert np.array_equal(adapter.replaced[WORDS], weights[WORDS][1 : 1 + MARKS])
    assert np.array_equal(base[WORDS][0], weights[WORDS][0])
    assert np.array_equal(base[WORDS][1 + MARKS :], weights[WORDS][1 + MARKS :])
    assert all(np.array_equal(before[name], base[name]) for name in base)
