"""The encoder in 8 bits computes what its formula says."""

import logging
from math import erf
from pathlib import Path

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray

from service_server.predict.encoder.graph import build_encoder, weights_of
from service_server.predict.encoder.session import EncoderSession
from tests.service_server.tiny_model import WIDTH, tiny_adapter, tiny_base

pytestmark = pytest.mark.slow

Array = NDArray[np.float32]

HEADS = 12
IDS, SEGMENTS = [5, 44, 17, 60, 6, 23, 81, 6], [0, 0, 0, 0, 0, 1, 1, 1]


def linear(x: Array, weights: dict[str, Array], name: str) -> Array:
    """A product with a matrix, plus its bias."""
    return np.asarray(x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"])


def normalised(x: Array, weights: dict[str, Array], name: str) -> Array:
    """Mean 0 and variance 1 along the width, then scale and bias."""
    centred = x - x.mean(-1, keepdims=True)
    variance = (centred**2).mean(-1, keepdims=True)
    return np.asarray(centred / np.sqrt(variance + 1e-12) * weights[f"{name}.weight"] + weights[f"{name}.bias"])


def reference(weights: dict[str, Array], ids: list[int], segments: list[int]) -> Array:
    """The states [length, 384] of one sequence, straight from BERT's formula for an encoder of one layer."""
    prefix = "encoder.layer.0."
    x = weights["embeddings.word_embeddings.weight"][ids] + weights["embeddings.token_type_embeddings.weight"][segments]
    x = normalised(x + weights["embeddings.position_embeddings.weight"][: len(ids)], weights, "embeddings.LayerNorm")
    query, key, value = (
        linear(x, weights, f"{prefix}attention.self.{name}").reshape(len(ids), HEADS, -1).swapaxes(0, 1)
        for name in ("query", "key", "value")
    )
    scores = query @ key.swapaxes(1, 2) / np.sqrt(WIDTH // HEADS)
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    mixed = (powers / powers.sum(-1, keepdims=True) @ value).swapaxes(0, 1).reshape(len(ids), WIDTH)
    x = normalised(
        x + linear(mixed, weights, f"{prefix}attention.output.dense"), weights, f"{prefix}attention.output.LayerNorm"
    )
    inner = linear(x, weights, f"{prefix}intermediate.dense")
    inner = inner * (1 + np.vectorize(erf)(inner / np.sqrt(2))) / 2
    return normalised(x + linear(inner, weights, f"{prefix}output.dense"), weights, f"{prefix}output.LayerNorm")


@pytest.fixture(scope="module")
def weights() -> dict[str, Array]:
    """An encoder's weights, with what was trained."""
    return tiny_adapter().applied_to(tiny_base())


@pytest.fixture(scope="module")
def file(weights: dict[str, Array], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The encoder as a file."""
    file = tmp_path_factory.mktemp("graph") / "encoder.onnx"
    build_encoder(weights, file)
    return file


def assert_close(expected: Array, found: Array) -> None:
    """Each state points where it should; 8 bits turn it by a few degrees at most."""
    cosines = (expected * found).sum(-1) / np.linalg.norm(expected, axis=-1) / np.linalg.norm(found, axis=-1)
    assert cosines.min() > 0.998
    assert np.abs(expected - found).mean() < 0.05


def test_states_are_those_of_the_formula(weights: dict[str, Array], file: Path) -> None:
    """Embedding, attention, both norms and the inner layer."""
    assert_close(reference(weights, IDS, SEGMENTS), EncoderSession(file).states(IDS, SEGMENTS, range(len(IDS))))


def test_only_the_states_that_are_wanted_come_out(weights: dict[str, Array], file: Path) -> None:
    """In the order they are asked for; what the others are doesn't change them."""
    places = [6, 0]

    assert_close(reference(weights, IDS, SEGMENTS)[places], EncoderSession(file).states(IDS, SEGMENTS, places))


def test_the_matrices_are_kept_in_8_bits(file: Path) -> None:
    """All but the table of places, of which a slice is taken; and nothing else lies beside the file."""
    weights = [weight for weight in onnx.load(file).graph.initializer if len(weight.dims) == 2]
    full = [weight.name for weight in weights if weight.data_type == onnx.TensorProto.FLOAT]

    assert ["places"] == full
    assert len(weights) > len(full)
    assert {file, weights_of(file)} == set(file.parent.iterdir())


def test_the_matrices_are_mapped_from_their_file(file: Path) -> None:
    """So that all processes share them; whoever may read the one file may read the other."""
    session = EncoderSession(file)

    assert str(weights_of(file)) in Path("/proc/self/maps").read_text()
    assert file.stat().st_mode == weights_of(file).stat().st_mode
    assert session.states(IDS, SEGMENTS, [0]).any()


def test_building_says_nothing(weights: dict[str, Array], tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """An installation shows people its own steps alone, however much a log was asked to tell."""
    caplog.set_level(logging.DEBUG)

    build_encoder(weights, tmp_path / "encoder.onnx")

    assert [] == caplog.messages
