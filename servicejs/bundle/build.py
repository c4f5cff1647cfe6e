"""Builds the bundle, or finds that nothing changed since the last time."""

import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from servicejs.bundle import contents, npm_package, scripts, sources, wheels
from servicejs.bundle.lean_runtime import lean_runtime
from servicejs.bundle.sources import read_manifest, sources_digest

DIST = contents.ROOT / sources.DIST
HERE = Path(__file__).parent
DEVELOPMENT_QUALITY, RELEASE_QUALITY = 9, 11
COMPRESSED = (".br", ".gz")
HASHED = re.compile(r".+\.[0-9a-f]{16}\.\w+")
ZIP_TIME = (1980, 1, 1, 0, 0, 0)  # the earliest a zip can say, so that two builds are the same

Progress = Callable[[str], None]


def build(force: bool, progress: Progress, quality: int = DEVELOPMENT_QUALITY) -> bool:
    """
    Build unless the last build was made of the same inputs; return whether anything was built.

    `quality` is brotli's; a last build that is compressed better counts as well.
    """
    _check_tools()
    digests = {"sources": sources_digest(contents.ROOT), "inputs": _inputs_digest()}
    last = read_manifest(DIST) or {}
    is_compressed = last.get("quality", 0) >= quality
    if not force and is_compressed and last.items() >= digests.items():
        return False
    DIST.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=DIST.parent, prefix=".building-") as scratch:
        folder = Path(scratch) / "servicejs"
        folder.mkdir()
        _build_files(folder, Path(scratch), progress)
        progress("Compressing")
        if not force and last.get("quality") == quality:
            _take_compressed(folder)
        _node("compress_files.mjs", folder, str(quality))
        manifest = {**digests, "quality": quality, "files": _files(folder)}
        (folder / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")
        _replace(DIST, folder)
    return True


def _build_files(folder: Path, scratch: Path, progress: Progress) -> None:
    progress("Compiling Python to byte code")
    compiled = _compile(contents.python_sources(), scratch / "sources")
    archive = _stored_zip(compiled | contents.catalogs(), scratch / "python.zip")
    python_file = _add(folder, "python.zip", archive)
    progress("Booting it")
    _node("check_archive.mjs", folder / python_file)
    progress("Taking a snapshot")
    pyodide = {
        name: _add(folder, name, (contents.PYODIDE / name).read_bytes())
        for name in ("pyodide.asm.wasm", "pyodide.asm.mjs")
    }
    lean = lean_runtime(
        (contents.PYODIDE / "pyodide.asm.mjs").read_text(),
        (contents.PYODIDE / "pyodide.asm.wasm").read_bytes(),
        contents.users_of_runtime(),
    )
    glue = scripts.build_runtime(lean.glue, scratch)
    module_file = _add(folder, "python.wasm", lean.module)
    runtime_file = _add(folder, "runtime.mjs", glue.encode())
    build = hashlib.sha256("\0".join([*pyodide.values(), module_file, runtime_file, python_file]).encode()).hexdigest()
    snapshot_file = _add(folder, "snapshot.bin", _snapshot(archive, glue, build, scratch / "snapshot"))
    progress("Bundling scripts")
    defined = {
        "BUILD": build,
        "MOST_PAGES": str(lean.most_pages),
        "PYTHON_FILE": python_file,
        "ARCHIVE_PATH": contents.archive_path(),
        "WHOLE_MODULE_FILE": pyodide["pyodide.asm.wasm"],
        "PLAIN_BOOT_FILE": _add(
            folder, "plain_boot.js", scripts.build_plain_boot(pyodide, python_file, scratch).encode()
        ),
    }
    worker_file = _add(folder, "worker.js", scripts.build_worker(defined).encode())
    content_file = _add(folder, "surface_content.js", scripts.build_surface_content().encode())
    worker_files = [worker_file, snapshot_file, module_file, runtime_file]
    (folder / "servicejs.js").write_text(scripts.build_shell("script_tag.js", "iife", content_file, worker_files))
    (folder / "servicejs.mjs").write_text(scripts.build_shell("module.js", "esm", content_file, worker_files))
    for types in scripts.SCRIPTS.glob("servicejs*.d.ts"):
        shutil.copyfile(types, folder / types.name)
    (folder / npm_package.ARCHIVE).write_bytes(npm_package.npm_archive())
    progress("Collecting wheels")
    wheels.add_wheels(folder, scratch / "wheels")
    (folder / "licenses.txt").write_text(contents.licenses())


def _take_compressed(folder: Path) -> None:
    """Take the compressed forms of the last build where a file's name, and so its content, is the same."""
    for file in list(folder.iterdir()):
        if HASHED.fullmatch(file.name):
            for suffix in COMPRESSED:
                with contextlib.suppress(FileNotFoundError):
                    shutil.copyfile(DIST / f"{file.name}{suffix}", folder / f"{file.name}{suffix}")


def _snapshot(archive: bytes, glue: str, build: str, folder: Path) -> bytes:
    """Return the memory of Python once the SDK is imported, as make_snapshot.mjs writes it."""
    folder.mkdir()
    (folder / "python.zip").write_bytes(archive)
    (folder / "runtime.mjs").write_text(glue)
    (folder / "lock.json").write_text(json.dumps(scripts.empty_lock_file()))
    (folder / "snapshot.json").write_text(json.dumps({"build": build}))
    _node("make_snapshot.mjs", folder)
    return (folder / "snapshot.bin").read_bytes()


def _compile(sources: dict[str, bytes], folder: Path) -> dict[str, bytes]:
    for path, text in sources.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text)
    _node("compile_sources.mjs", folder)
    compiled = {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*.pyc")}
    if len(compiled) != len(sources):
        raise RuntimeError(f"{len(sources)} sources became {len(compiled)} compiled files.")
    return compiled


def _stored_zip(files: dict[str, bytes], path: Path) -> bytes:
    """Return a zip without compression: the server sends it compressed, and doing both is larger and slower."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for name, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name, ZIP_TIME), content)
    return path.read_bytes()


def _add(folder: Path, name: str, content: bytes) -> str:
    """Write a file under its name with its hash in it, and return that name."""
    stem, _, suffix = name.rpartition(".")
    hashed = f"{stem}.{hashlib.sha256(content).hexdigest()[:16]}.{suffix}"
    (folder / hashed).write_bytes(content)
    return hashed


def _files(folder: Path) -> dict[str, dict[str, Any]]:
    return {
        file.name: {"bytes": file.stat().st_size, "sha256": hashlib.sha256(file.read_bytes()).hexdigest()}
        for file in sorted(folder.iterdir())
    }


def _replace(target: Path, folder: Path) -> None:
    """Put a finished folder in the place of the last one."""
    former = folder.with_name("former")
    if target.exists():
        target.rename(former)
    try:
        folder.rename(target)
    except OSError:
        former.rename(target)
        raise


def _inputs_digest() -> str:
    """Return a digest of the build's inputs as they are installed here, which may differ from what the locks say."""
    digest = hashlib.sha256()

    def add(name: str, content: bytes) -> None:
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)

    for name, content in (contents.python_sources() | contents.catalogs()).items():
        add(name, content)
    for name in ("pyodide.asm.wasm", "pyodide.asm.mjs", "pyodide.mjs", "pyodide-lock.json"):
        add(name, (contents.PYODIDE / name).read_bytes())
    add("esbuild", (contents.NODE_MODULES / "esbuild" / "package.json").read_bytes())
    add("licenses", contents.licenses().encode())
    return digest.hexdigest()


def _check_tools() -> None:
    if shutil.which("node") is None:
        raise RuntimeError("Building the bundle needs Node.js 20 or newer.")
    if not (contents.PYODIDE / "package.json").exists() or not scripts.ESBUILD.exists():
        raise RuntimeError("The npm packages are missing: run `npm ci` first.")


def _node(script: str, path: Path, *more: str) -> None:
    environment = {**os.environ, "NODE_NO_WARNINGS": "1"}
    done = subprocess.run(
        ["node", HERE / script, path, *more],
        capture_output=True,
        text=True,
        check=False,
        cwd=contents.ROOT,
        env=environment,
    )
    if done.returncode != 0:
        raise RuntimeError(f"{script} failed:\n{done.stdout}{done.stderr}")
