"""What was trained is kept in a few bits and added to the base encoder."""

from pathlib import Path

import numpy as np
import pytest

from service_server.predict.encoder.adapter import Adapter, load_adapter
from tests.service_server.tiny_model import MARKS, tiny_adapter, tiny_base
from training.adapter_file import save_adapter

pytestmark = pytest.mark.slow

WORDS = "embeddings.word_embeddings.weight"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Adapter, Adapter]:
    """An adapter, and what is read after it was written."""
    adapter, file = tiny_adapter(), tmp_path_factory.mktemp("kept") / "reader.npz.xz"
    save_adapter(adapter, file)
    return adapter, load_adapter(file)


def test_matrices_come_back_within_half_a_step(kept: tuple[Adapter, Adapter]) -> None:
    """Changes are stepped by 0.8 root mean squares of a row; heads by 127th parts of its largest figure, some five."""
    written, read = kept
    for before, after, half_step in (
        (written.changes, read.changes, 0.4),
        (written.heads, read.heads, 5 / 127 / 2),
    ):
        assert before.keys() == after.keys()
        for name, tensor in before.items():
            if tensor.ndim == 2:
                most = half_step * np.sqrt((tensor**2).mean(axis=-1, keepdims=True))
                assert (np.abs(tensor - after[name]) <= most * 1.001).all(), name


def test_vectors_and_rows_come_back_in_half_precision(kept: tuple[Adapter, Adapter]) -> None:
    """They are few, and their errors would not average out."""
    written, read = kept
    assert written.rows.keys() == read.rows.keys()
    for before, after in ((written.rows, read.rows), (written.changes, read.changes), (written.heads, read.heads)):
        for name, tensor in before.items():
            if before is written.rows or tensor.ndim == 1:
                assert np.allclose(tensor, after[name], rtol=2**-10, atol=1e-7), name


def test_a_row_of_zeros_is_kept(tmp_path: Path) -> None:
    """As at the beginning of training; nothing is divided by zero."""
    adapter = Adapter(changes={"a": np.zeros((2, 3), np.float32)}, rows={}, heads={"b": np.zeros((2, 3), np.float32)})
    save_adapter(adapter, tmp_path / "reader.npz.xz")
    read = load_adapter(tmp_path / "reader.npz.xz")

    assert not read.changes["a"].any()
    assert not read.heads["b"].any()


def test_applying_adds_changes_and_replaces_rows() -> None:
    """The first rows of the vocabulary behind [PAD] are replaced, other tensors change, and the base stays as it is."""
    base, adapter = tiny_base(), tiny_adapter()
    before = {name: tensor.copy() for name, tensor in base.items()}
    weights = adapter.applied_to(base)

    assert base.keys() == weights.keys()
    for name, change in adapter.changes.items():
        assert np.allclose(base[name] + change, weights[name])
    assert np.array_equal(adapter.rows[WORDS], weights[WORDS][1 : 1 + MARKS])
    assert np.array_equal(base[WORDS][0], weights[WORDS][0])
    assert np.array_equal(base[WORDS][1 + MARKS :], weights[WORDS][1 + MARKS :])
    assert all(np.array_equal(before[name], base[name]) for name in base)
