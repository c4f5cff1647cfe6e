"""
What is installed in a model's folder, and whether it is usable.

The folder holds `manifest.json`, which names the one folder beside it that counts. Installing a model means replacing
that file, so at any moment there is either the old model or the new one.
"""

import hashlib
import json
import re
from pathlib import Path

import cattrs
from attrs import frozen

from service_server.predict.encoder.recipe import FORMAT, Recipe
from service_server.settings import default_model_directory

MANIFEST = "manifest.json"
ENCODER, WEIGHTS, VOCABULARY, HEADS = "encoder.onnx", "encoder.weights", "vocabulary.txt", "heads.npz"
NOTICE_FILE = "NOTICE"
FILES = (ENCODER, WEIGHTS, VOCABULARY, HEADS, NOTICE_FILE)
FOLDER_NAME = re.compile(r"[0-9a-f]{16}-[0-9a-f]{8}")

_LONGEST_MANIFEST = 64 * 1024


class ModelUnusable(Exception):
    """There is no model that can be used; the message says why and what to do."""


class InstallFailed(Exception):
    """A model could not be installed; what was there before is unchanged. The message says what to do."""


@frozen
class InstalledFile:
    """A file of a model: its size in bytes and its SHA-256."""

    bytes: int
    sha256: str


@frozen
class Manifest:
    """What a model was made from (`base` is the package's wheel), and its files in `folder`."""

    format: int
    id: str
    package: str
    version: str
    base_sha256: str
    adapter_sha256: str
    folder: str
    files: dict[str, InstalledFile]


@frozen
class Installed:
    """A model that is there: its manifest, and the folder with its files."""

    manifest: Manifest
    folder: Path

    def file(self, name: str) -> Path:
        """Return where one of its files is."""
        return self.folder / name


def checked_model(directory: Path, recipe: Recipe, *, thoroughly: bool = False) -> Installed:
    """
    Return the model of a directory if it is the recipe's and whole.

    The encoder's weights are large: unless `thoroughly`, only their size is checked.

    Raises:
        ModelUnusable: nothing is installed, or something else, or a file is missing or changed.
    """
    try:
        wanted = recipe.model_id()
    except FileNotFoundError:
        raise ModelUnusable(
            f"This copy of the service carries no trained reader ({recipe.adapter} is missing); a released one does."
        ) from None
    installed = _read(directory)
    if installed.manifest.format != FORMAT or installed.manifest.id != wanted:
        raise ModelUnusable(f"The model in {directory} belongs to another version. {what_to_run(directory)}")
    for name in FILES:
        if problem := _problem(installed, name, thoroughly=thoroughly):
            raise ModelUnusable(f"The model in {directory} is damaged: {name} {problem}. {what_to_run(directory)}")
    return installed


def _read(directory: Path) -> Installed:
    file = directory / MANIFEST
    try:
        with file.open("rb") as stream:
            content = json.loads(stream.read(_LONGEST_MANIFEST))
    except (FileNotFoundError, NotADirectoryError):
        raise ModelUnusable(f"No model is installed in {directory}. {what_to_run(directory)}") from None
    except (OSError, ValueError, RecursionError) as error:
        raise ModelUnusable(f"{file} cannot be read ({type(error).__name__}). {what_to_run(directory)}") from None
    if isinstance(content, dict) and content.get("format") != FORMAT:
        raise ModelUnusable(f"The model in {directory} belongs to another version. {what_to_run(directory)}")
    try:
        manifest = cattrs.structure(content, Manifest)
    except Exception:  # whatever cattrs raises for a value that is not a manifest
        raise ModelUnusable(f"{file} is no manifest. {what_to_run(directory)}") from None
    if not FOLDER_NAME.fullmatch(manifest.folder) or not manifest.files.keys() >= set(FILES):
        raise ModelUnusable(f"{file} is no manifest. {what_to_run(directory)}")
    return Installed(manifest, directory / manifest.folder)


def _problem(installed: Installed, name: str, *, thoroughly: bool) -> str | None:
    file, wanted = installed.file(name), installed.manifest.files[name]
    try:
        size = file.stat().st_size
        if size != wanted.bytes:
            return f"has {size} bytes instead of {wanted.bytes}"
        if (thoroughly or name != WEIGHTS) and described(file).sha256 != wanted.sha256:
            return "has changed"
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    return None


def described(file: Path) -> InstalledFile:
    """Return size and SHA-256 of a file."""
    with file.open("rb") as stream:
        return InstalledFile(file.stat().st_size, hashlib.file_digest(stream, "sha256").hexdigest())


def what_to_run(directory: Path) -> str:
    """Return the sentence that says how to get a model into a directory; doing so also replaces a damaged one."""
    option = "" if directory == default_model_directory() else f" --model-dir {directory}"
    return f"Run: service-server model install{option}"
