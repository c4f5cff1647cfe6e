"""Makes sure that files survive a crash of the machine whole."""

import os
from pathlib import Path


def sync(path: Path) -> None:
    """Wait until a file, or a folder's listing, is on the disk; a rename is permanent once its folder is."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
