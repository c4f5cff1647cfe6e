"""The folder of a demo: one at a time runs on it, and a file there says what someone needs to try it."""

import contextlib
import fcntl
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from service_server.administration.failures import AdministrationError


@contextlib.contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """
    Keep every other demo off a folder, which is made if need be; AdministrationError if one runs there.

    Another one would send the users of the first to its own sandbox, and give the operator its own password.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # ends with this process, however that ends
        except BlockingIOError:
            raise AdministrationError(
                f"A demo is running in {folder} already; once it has started, {folder / 'demo.json'} says where. "
                "Choose another folder for a second one with --data-dir."
            ) from None
        yield
    finally:
        os.close(descriptor)


def read(demo_file: Path) -> dict[str, Any]:
    """What an earlier run wrote; nothing if there was none."""
    try:
        values: dict[str, Any] = json.loads(demo_file.read_text())
    except (OSError, ValueError):
        return {}
    return values


def write(demo_file: Path, values: dict[str, Any]) -> None:
    """Write the file whole or not at all, readable by its owner only: it holds the demo's secret."""
    partial = demo_file.with_suffix(".partial")
    partial.touch(mode=0o600)
    partial.write_text(json.dumps(values, indent=2))
    partial.replace(demo_file)
