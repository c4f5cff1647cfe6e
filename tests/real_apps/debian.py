"""Debian's packages of third-party software: which are missing here, and whether what they started is gone again."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest


def needs(packages: str) -> None:
    """Skip unless all these packages of Debian's are installed, with the line that installs them."""
    if shutil.which("dpkg-query") is None:
        pytest.skip(f"this is no Debian, whose packages {packages} are needed")
    command = ["dpkg-query", "--show", "--showformat=${Package} ${db:Status-Status}\n", *packages.split()]
    found = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
    missing = [package for package in packages.split() if f"{package} installed" not in found]
    if missing:
        pytest.skip(f"as root: apt-get install --no-install-recommends {' '.join(missing)}")


def processes_of(folder: Path) -> list[str]:
    """The command lines of processes that were told of a folder, by their arguments or their environment."""
    told = str(folder).lstrip("/").encode()
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            arguments, environment = (process / "cmdline").read_bytes(), (process / "environ").read_bytes()
        except OSError:  # it has ended meanwhile, or is somebody else's
            continue
        if int(process.name) != os.getpid() and told in arguments + environment:
            found.append(arguments.replace(b"\0", b" ").decode(errors="replace"))
    return found
