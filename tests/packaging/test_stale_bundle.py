"""What was built of other sources than those beside it, the bundle or the model, never gets into a package."""

import json
import os
import re
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from servicejs.bundle.build import build as build_bundle
from servicejs.bundle.sources import DIST, problem_of_bundle

from .trees import MODEL, ROOT, build, copy_tree, lend_environments

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        shutil.which("node") is None or not (ROOT / "node_modules" / "pyodide").exists(),
        reason="The bundle is built with Node and the npm packages: run ./dev setup.",
    ),
]

TEMPLATE = "web_assets/templates/servicejs/marketplace.html"


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the working tree with the bundle that belongs to it."""
    build_bundle(force=False, progress=print)
    return copy_tree(tmp_path_factory.mktemp("pristine"))


@pytest.fixture
def tree(pristine: Path, tmp_path: Path) -> Path:
    """A tree that a test may change: its files are those of the pristine one until they are written again."""
    return Path(shutil.copytree(pristine, tmp_path / "tree", copy_function=os.link))


def change(file: Path, alter: Callable[[str], str]) -> None:
    """Write a file again."""
    text = file.read_text()
    file.unlink()
    file.write_text(alter(text))
    assert file.read_text() != text


def edit(name: str) -> Callable[[Path], None]:
    """Make a change of a file's text."""
    return lambda tree: change(tree / name, lambda text: f"{text}\n")


def edit_lock(name: str, package: str) -> Callable[[Path], None]:
    """Let a lock name another version of a package."""
    return lambda tree: change(tree / name, lambda text: re.sub(rf"({package})[\d.]+", r"\g<1>99.0", text, count=1))


CHANGES = {
    "a template": edit(TEMPLATE),
    "a style": edit("web_assets/styles/form.css"),
    "a script": edit("web_assets/scripts/worker.js"),
    "the SDK": edit("servicejs/instance.py"),
    "a translation": edit("servicejs/locales/de.po"),
    "the client": edit("service_client/models/app.py"),
    "the build": edit("servicejs/bundle/make_snapshot.mjs"),
    "the npm package": edit("web_assets/npm/README.md"),
    "a new file": lambda tree: (tree / "servicejs" / "new.py").write_text("") and None,
    "a deleted file": lambda tree: (tree / "servicejs" / "locales" / "fr.po").unlink(),
    "the locked Pyodide": edit_lock("package-lock.json", 'node_modules/pyodide": {\n *"version": "'),
    "the locked Jinja": edit_lock("requirements.lock", "\njinja2=="),
    "the bundle": lambda tree: change(tree / DIST / "servicejs.js", lambda text: text[:-1]),
    "the manifest": lambda tree: (tree / DIST / "manifest.json").unlink(),
}


def test_a_bundle_of_these_sources_passes(tree: Path) -> None:
    """Neither what belongs to the server alone nor what an interpreter leaves behind makes a bundle stale."""
    edit("service_server/app.py")(tree)
    edit("web_assets/templates/console/calls.html")(tree)
    (tree / "servicejs" / "__pycache__").mkdir()
    (tree / "servicejs" / "__pycache__" / "bus.cpython-311.pyc").touch()

    assert problem_of_bundle(tree) is None


@pytest.mark.parametrize("make_stale", CHANGES.values(), ids=CHANGES)
def test_every_change_is_noticed(tree: Path, make_stale: Callable[[Path], None]) -> None:
    """Whatever goes into the bundle, and the bundle itself: a change makes it unfit."""
    make_stale(tree)

    assert "browser bundle" in (problem_of_bundle(tree) or "")


def test_without_node_a_stale_bundle_is_refused(tree: Path, tmp_path: Path) -> None:
    """The build says what is wrong and what to do, and makes no package at all."""
    edit(TEMPLATE)(tree)
    done = build(tree, tmp_path / "out", "wheel", path=str(tmp_path))

    assert 0 != done.returncode
    assert "The browser bundle was built of other sources than those beside it. Run ./dev bundle" in done.stderr
    assert [] == list(tmp_path.glob("out/*"))


def test_a_model_that_does_not_fit_is_refused(tree: Path, tmp_path: Path) -> None:
    """The same for the model: one of other weights, and a damaged one."""
    (file,) = (tree / MODEL).glob("*/vocabulary.txt")
    for damaged, said in ((tree / "service_server/predict/weights/reader.npz.xz", "does not fit"), (file, "not fit")):
        content = damaged.read_bytes()
        damaged.unlink()
        damaged.write_bytes(content + b"\n")
        done = build(tree, tmp_path / "out", "wheel", path=str(tmp_path))
        assert f"{said} the weights beside it. Run ./dev setup" in done.stderr
        damaged.write_bytes(content)
    (tree / MODEL / "manifest.json").unlink()

    assert "model has not been built. Run" in build(tree, tmp_path / "out", "wheel", path=str(tmp_path)).stderr
    assert [] == list(tmp_path.glob("out/*"))


def test_with_node_it_is_built_anew(tree: Path, tmp_path: Path) -> None:
    """Of the same sources comes the very same bundle, wherever and whenever it is built, and gets into the wheel."""
    lend_environments(tree)
    manifest = tree / DIST / "manifest.json"
    before = json.loads(manifest.read_text())
    change(manifest, lambda text: text.replace(before["sources"], "others"))
    done = build(tree, tmp_path / "out", "wheel", path=os.environ["PATH"])
    assert 0 == done.returncode, done.stderr

    assert problem_of_bundle(tree) is None
    assert plain_files(before) == plain_files(json.loads(manifest.read_text()))
    (wheel,) = tmp_path.glob("out/*.whl")
    with zipfile.ZipFile(wheel) as packed:
        assert manifest.read_bytes() == packed.read((DIST / "manifest.json").as_posix())


def plain_files(manifest: dict[str, Any]) -> dict[str, Any]:
    """What a manifest says of its files; compressed ones depend on how much time was taken for that."""
    return {name: each for name, each in manifest["files"].items() if not name.endswith((".br", ".gz"))}
