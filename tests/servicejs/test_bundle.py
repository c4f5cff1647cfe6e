"""The built bundle: whole, small where it must be, the same every time."""

import gzip
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from itertools import pairwise
from pathlib import Path

import pytest

from servicejs.bundle import build as building
from servicejs.bundle import contents
from servicejs.bundle.build import DIST, build
from servicejs.bundle.sources import read_manifest

# In bytes, gzip; a tenth of it asks for what a call shows before Python is there. The names of the files that it loads
# are made of their contents, by which it is some bytes larger or smaller.
SHELL_LIMIT = 10.2 * 1024

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        shutil.which("node") is None or not contents.PYODIDE.exists(),
        reason="The bundle is built with Node and the npm packages: run ./dev setup.",
    ),
]


@pytest.fixture(scope="module")
def bundle() -> Path:
    """The bundle as the sources say."""
    build(force=False, progress=print)
    return DIST


def test_the_manifest_tells_the_truth(bundle: Path) -> None:
    """Every file is there with the size and hash that the manifest says, and no other file is."""
    files = json.loads((bundle / "manifest.json").read_text())["files"]

    assert {file.name for file in bundle.iterdir()} == {*files, "manifest.json"}
    for name, entry in files.items():
        content = (bundle / name).read_bytes()
        assert (len(content), hashlib.sha256(content).hexdigest()) == (entry["bytes"], entry["sha256"])


def test_hashed_names_are_those_of_the_content(bundle: Path) -> None:
    """A file that may be cached for ever has its own hash in its name, and is named by a file that asks for it."""
    hashed = [file for file in bundle.iterdir() if len(file.name.split(".")[-2]) == 16]
    asking = [bundle / "servicejs.js", *bundle.glob("worker.*.js"), *bundle.glob("plain_boot.*.js")]
    texts = "".join(file.read_text() for file in asking)

    assert {".js", ".mjs", ".wasm", ".zip", ".bin"} == {file.suffix for file in hashed}
    for file in hashed:
        assert hashlib.sha256(file.read_bytes()).hexdigest().startswith(file.name.split(".")[-2])
        assert file.name in texts


def test_the_snapshot_is_memory_and_nothing_of_this_machine(bundle: Path) -> None:
    """The snapshot holds the memory it says, in order and without a path of the machine that built it."""
    (path,) = bundle.glob("snapshot.*.bin")
    content = path.read_bytes()
    end = 4 + int.from_bytes(content[:4], "little")
    header = json.loads(content[4:end])
    runs = list(zip(header["runs"][::2], header["runs"][1::2], strict=True))

    assert runs == sorted(runs)
    assert all(start + length <= following for (start, length), (following, _) in pairwise(runs))
    assert len(content) - end == sum(length for _, length in runs)
    assert runs[-1][0] + runs[-1][1] <= header["memory"]
    for private in (str(contents.ROOT), str(Path.home()), tempfile.gettempdir() + "/"):
        if len(private) > len("/root"):
            assert private.encode() not in content[end:]


def test_the_shell_is_small(bundle: Path) -> None:
    """What every page of the host loads stays under its limit."""
    assert len(gzip.compress((bundle / "servicejs.js").read_bytes(), 9)) <= SHELL_LIMIT


def test_compressed_files_hold_the_same(bundle: Path) -> None:
    """Each .gz holds the file it is named after, and a .br lies beside it; archives that are compressed have none."""
    without = (".gz", ".br", ".whl", ".tgz")
    plain = [file for file in bundle.iterdir() if file.suffix not in without and file.name != "manifest.json"]

    for file in plain:
        assert file.read_bytes() == gzip.decompress(file.with_name(f"{file.name}.gz").read_bytes())
        assert file.with_name(f"{file.name}.br").exists()


def test_the_archive_is_byte_code_that_names_its_sources(bundle: Path) -> None:
    """No Python source and nothing of the build goes to browsers; tracebacks name the files of the repository."""
    (path,) = bundle.glob("python.*.zip")
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        code = archive.read("servicejs/instance.pyc")
    assert sorted(names) == names
    assert not [name for name in names if name.endswith(".py") or "bundle" in name or "memory_page" in name]
    assert b"servicejs/instance.py" in code


def test_the_archive_is_without_what_only_other_programs_use() -> None:
    """Tools for models, what notebooks show and fake services are in the client's wheel, not in every page."""
    names = contents.python_sources().keys()

    assert "service_client/client.py" in names
    assert not [name for name in names if name.startswith(("service_client/tools", "service_client/testing"))]
    assert "service_client/models/notebook.py" not in names


def test_wheels_are_the_released_ones(bundle: Path) -> None:
    """The lock file names each wheel of the bundle by digests, what needs what, and the Pyodide that it is for."""
    lock = json.loads((bundle / "pyodide-lock.json").read_text())
    wheels = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in bundle.glob("*.whl")}
    locked = (contents.ROOT / "requirements.lock").read_text()
    fetched = [digest for name, digest in wheels.items() if not name.startswith("service_client-")]

    assert {f"{digest[:16]}/{name}": digest for name, digest in wheels.items()} == {
        package["file_name"]: package["sha256"] for package in lock["packages"].values()
    }
    assert {
        "attrs": [],
        "cattrs": ["attrs", "typing-extensions"],
        "service-client": ["attrs", "cattrs"],
        "typing-extensions": [],
    } == {name: sorted(package["depends"]) for name, package in lock["packages"].items()}
    assert all(f"sha256:{digest}" in locked for digest in fetched)
    own = json.loads((contents.PYODIDE / "pyodide-lock.json").read_text())["info"]
    assert own.items() <= lock["info"].items()


def test_nothing_is_built_twice(bundle: Path) -> None:
    """Without a change the build does nothing and leaves every file alone."""
    before = {file.name: file.stat().st_mtime_ns for file in bundle.iterdir()}

    done = subprocess.run([sys.executable, "-m", "servicejs.bundle"], capture_output=True, text=True, check=True)

    assert "up to date" in done.stdout
    assert before == {file.name: file.stat().st_mtime_ns for file in bundle.iterdir()}


def test_a_damaged_bundle_is_noticed(bundle: Path, tmp_path: Path) -> None:
    """A file that is missing, cut short or another one, or a manifest that is none, makes the bundle be built again."""
    copy = tmp_path / "servicejs"
    shutil.copytree(bundle, copy)
    assert read_manifest(copy) is not None

    for damage in (b"", (bundle / "servicejs.js").read_bytes().swapcase()):
        (copy / "servicejs.js").write_bytes(damage)
        assert read_manifest(copy) is None
    shutil.copy(bundle / "servicejs.js", copy)
    (copy / "licenses.txt").unlink()
    assert read_manifest(copy) is None
    (copy / "manifest.json").write_text("[]")
    assert read_manifest(copy) is None


@pytest.mark.parametrize(("last_quality", "taken"), [(4, True), (5, False)])
def test_only_what_was_compressed_alike_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, last_quality: int, taken: bool
) -> None:
    """A file that is the same is not compressed again, unless the last build compressed otherwise."""
    target = tmp_path / "servicejs"
    monkeypatch.setattr(building, "DIST", target)
    monkeypatch.setattr(building, "_build_files", lambda folder, *_: building._add(folder, "a.js", b"text " * 1000))
    build(force=False, progress=print, quality=4)
    (compressed,) = target.glob("a.*.br")
    content = compressed.read_bytes()
    compressed.write_bytes(b"the last build's")
    (target / "manifest.json").unlink()
    last = {"sources": "others", "inputs": "", "quality": last_quality, "files": building._files(target)}
    (target / "manifest.json").write_text(json.dumps(last))
    assert last == read_manifest(target)

    assert build(force=False, progress=print, quality=4)

    assert (b"the last build's" if taken else content) == compressed.read_bytes()


def test_a_failed_build_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a step fails the last bundle stays as it was, and nothing half-built lies about."""
    target = tmp_path / "servicejs"
    target.mkdir()
    (target / "servicejs.js").write_text("the last one")
    monkeypatch.setattr(building, "DIST", target)
    monkeypatch.setattr(contents, "python_sources", lambda: {"broken.py": b"def ("})

    with pytest.raises(RuntimeError, match=r"(?s)compile_sources.*SyntaxError"):
        build(force=True, progress=print)

    assert ["the last one"] == [file.read_text() for file in target.iterdir()]
    assert [target] == list(tmp_path.iterdir())
