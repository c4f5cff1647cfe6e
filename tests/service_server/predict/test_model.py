"""A model that cannot be used says why, and what to do."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from service_server.predict.encoder.manifest import ModelUnusable, checked_model, described
from service_server.predict.encoder.recipe import FORMAT
from service_server.predict.model import installed_model
from service_server.settings import default_model_directory
from tests.service_server.tiny_model import TinyModel

pytestmark = pytest.mark.slow

Change = Callable[[dict[str, Any]], Any]


def reason(directory: Path, tiny_model: TinyModel) -> str:
    """Why the model of a directory cannot be used."""
    with pytest.raises(ModelUnusable) as unusable:
        installed_model(directory, tiny_model.recipe)
    return str(unusable.value)


def test_where_nothing_is_installed_the_command_is_told(tiny_model: TinyModel, tmp_path: Path) -> None:
    """With the option only where the directory is not the usual one."""
    (tmp_path / "file").write_text("")
    for directory in (tmp_path, tmp_path / "nowhere", tmp_path / "file"):
        assert f"Run: service-server model install --model-dir {directory}" in reason(directory, tiny_model)
    if not default_model_directory().exists():
        assert reason(default_model_directory(), tiny_model).endswith("Run: service-server model install")


def test_without_an_adapter_no_model_counts(tiny_model: TinyModel, installed: Path, tmp_path: Path) -> None:
    """Nobody knows which one would be right."""
    with pytest.raises(ModelUnusable, match="carries no trained reader"):
        installed_model(installed, tiny_model.recipe._replace(adapter=tmp_path / "reader.npz.xz"))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda manifest: manifest | {"format": 0}, "another version"),
        (lambda manifest: {"format": FORMAT + 1, "unheard": "of"}, "another version"),
        (lambda manifest: manifest | {"id": "0" * 16}, "another version"),
        (lambda manifest: {"format": FORMAT}, "no manifest"),
        (lambda manifest: [manifest], "no manifest"),
        (lambda manifest: None, "no manifest"),
        (lambda manifest: manifest | {"folder": "../model"}, "no manifest"),
        (lambda manifest: manifest | {"folder": 7}, "no manifest"),
        (lambda manifest: manifest | {"files": {}}, "no manifest"),
        (lambda manifest: manifest | {"files": 7}, "no manifest"),
        (lambda manifest: manifest | {"folder": f"{'0' * 16}-{'0' * 8}"}, "damaged: encoder.onnx cannot be read"),
    ],
)
def test_a_manifest_is_not_believed(change: Change, said: str, tiny_model: TinyModel, installed: Path) -> None:
    """One of another version, or changed by hand."""
    file = installed / "manifest.json"
    file.write_text(json.dumps(change(json.loads(file.read_text()))))

    found = reason(installed, tiny_model)
    assert said in found
    assert "service-server model install" in found


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[" * 60_000])
def test_a_manifest_may_be_anything(content: bytes, tiny_model: TinyModel, installed: Path) -> None:
    """What is no JSON is told as well."""
    (installed / "manifest.json").write_bytes(content)

    assert "manifest.json cannot be read" in reason(installed, tiny_model)


@pytest.mark.parametrize("name", ["encoder.onnx", "vocabulary.txt", "heads.npz", "NOTICE"])
def test_a_small_file_that_changed_is_noticed_when_it_is_used(
    name: str, tiny_model: TinyModel, installed: Path
) -> None:
    """Even with as many bytes as before."""
    file = checked_model(installed, tiny_model.recipe).file(name)
    content = bytearray(file.read_bytes())
    content[100] ^= 1
    file.write_bytes(content)

    assert f"damaged: {name} has changed" in reason(installed, tiny_model)


def test_a_file_cut_short_or_gone_is_noticed(tiny_model: TinyModel, installed: Path) -> None:
    """The large one by its size."""
    file = checked_model(installed, tiny_model.recipe).file("encoder.weights")
    file.write_bytes(file.read_bytes()[:-1])
    assert "damaged: encoder.weights has" in reason(installed, tiny_model)

    file.unlink()
    assert "damaged: encoder.weights cannot be read" in reason(installed, tiny_model)


def test_an_encoder_that_the_runtime_refuses_is_told(tiny_model: TinyModel, installed: Path) -> None:
    """One of a newer format, say: the runtime's exception does not get through."""
    model = checked_model(installed, tiny_model.recipe)
    model.file("encoder.onnx").write_bytes(b"no graph")
    manifest = json.loads((installed / "manifest.json").read_text())
    found = described(model.file("encoder.onnx"))
    manifest["files"]["encoder.onnx"] = {"bytes": found.bytes, "sha256": found.sha256}
    (installed / "manifest.json").write_text(json.dumps(manifest))

    assert "cannot be run here" in reason(installed, tiny_model)


def test_a_missing_runtime_is_told(
    tiny_model: TinyModel, tiny_installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There may be no build of it for this machine."""
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    for name in ("service_server.predict.encoder.session", "service_server.predict.reader.reader"):
        monkeypatch.delitem(sys.modules, name, raising=False)

    assert "onnxruntime cannot be loaded" in reason(tiny_installed, tiny_model)
