"""Files that a crash of the machine leaves whole."""

import os
from pathlib import Path


def sync(path: Path) -> None:
    """Wait until a file, or what a folder lists, is on the disk; a rename is there for good once its folder is."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
