"""Vectors of functions' texts are kept between starts."""

from pathlib import Path

import numpy as np
import pytest

from service_server.predict.vectors import Vectors
from service_server.prediction.vector_cache import load_vectors, save_vectors


def some_vectors() -> Vectors:
    """Return two vectors that came new."""
    vectors = Vectors({bytes(range(16)): np.full(384, 0.5, np.float16), bytes(16): np.zeros(384, np.float16)})
    vectors.changed = True
    return vectors


def test_kept_vectors_come_back(tmp_path: Path) -> None:
    """What one process kept the next one finds, for the same model only; a new model's vectors replace the old."""
    vectors = some_vectors()
    save_vectors(vectors, tmp_path / "cache", "model-1")

    found = load_vectors(tmp_path / "cache", "model-1")

    assert set(vectors.known) == set(found.known)
    assert all(np.array_equal(vector, found.known[key]) for key, vector in vectors.known.items())
    assert {} == load_vectors(tmp_path / "cache", "model-2").known
    save_vectors(some_vectors(), tmp_path / "cache", "model-2")
    assert ["vectors-model-2.npz"] == [file.name for file in (tmp_path / "cache").iterdir()]


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x03\x04 cut off"])
def test_damaged_files_are_as_none(tmp_path: Path, content: bytes) -> None:
    """A file that can't be read only costs the time to make the vectors again."""
    (tmp_path / "vectors-m.npz").write_bytes(content)

    assert {} == load_vectors(tmp_path, "m").known


def test_wrong_shapes_are_as_none(tmp_path: Path) -> None:
    """Arrays of another form, or with figures that are none, are not used."""
    np.savez(
        tmp_path / "vectors-m.npz", keys=np.zeros((1, 16), np.uint8), vectors=np.full((1, 384), np.nan, np.float16)
    )

    assert {} == load_vectors(tmp_path, "m").known


def test_without_a_directory_nothing_is_kept(tmp_path: Path) -> None:
    """A service without a cache directory works all the same."""
    save_vectors(some_vectors(), None, "m")

    assert {} == load_vectors(None, "m").known
