"""Keeps the vectors of functions' texts between starts; losing them only costs the time to compute them again."""

import contextlib
import os
import tempfile
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
import structlog

from service_server.predict.vectors import Vectors

_KEY_BYTES = 16
_LARGEST = 512 * 2**20

_LOG = structlog.get_logger(__name__)


def load_vectors(directory: Path | None, model: str) -> Vectors:
    """Return the vectors that were saved for a model; none if they can't be read."""
    file = None if directory is None else _file(directory, model)
    if file is None or not file.exists():
        return Vectors()
    try:
        if file.stat().st_size > _LARGEST:
            return Vectors()
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
            keys, vectors = arrays["keys"], arrays["vectors"]
        whole = keys.dtype == np.uint8 and keys.shape[1:] == (_KEY_BYTES,) and vectors.dtype == np.float16
        if not whole or len(keys) != len(vectors) or not np.isfinite(vectors).all():
            return Vectors()
        return Vectors({key.tobytes(): vector for key, vector in zip(keys, vectors, strict=True)})
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        _LOG.warning("vector_cache.unreadable", reason=type(error).__name__)
        return Vectors()


def save_vectors(vectors: Vectors, directory: Path | None, model: str) -> None:
    """Save vectors if any are new, and remove those of other models."""
    if directory is None or not vectors.changed:
        return
    keys = np.frombuffer(b"".join(vectors.known), np.uint8).reshape(-1, _KEY_BYTES)
    try:
        directory.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=directory, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as stream:
                np.savez(stream, allow_pickle=False, keys=keys, vectors=np.stack(list(vectors.known.values())))
            Path(name).replace(_file(directory, model))
        except BaseException:
            with contextlib.suppress(OSError):
                Path(name).unlink()
            raise
        for other in directory.glob("vectors-*.npz"):
            if other != _file(directory, model):
                other.unlink(missing_ok=True)
    except OSError as error:
        _LOG.warning("vector_cache.not_written", reason=error.strerror or type(error).__name__)


def _file(directory: Path, model: str) -> Path:
    return directory / f"vectors-{model}.npz"
