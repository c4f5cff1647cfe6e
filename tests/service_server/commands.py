"""
Runs commands of `service-server`, each in a process forked from one that has imported them.

Importing takes a second of processor time, most commands a tenth of that, and nearly every test with a service of its
own begins with two or three.
"""

import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from tests.real_apps.running import ROOT

SECONDS = 120
_WRITE = os.O_WRONLY | os.O_CREAT
_IMPORTED = ("main", "applications", "apps", "database", "operators", "vault")
_FORKS = get_context("forkserver")
_FORKS.set_forkserver_preload([f"service_server.cli.{name}" for name in _IMPORTED])


class Ended(NamedTuple):
    """A command that has ended: its exit status, and what it printed."""

    status: int | None
    output: str
    errors: str


def run_command(arguments: Sequence[str], *, stdin: str, env: Mapping[str, str]) -> Ended:
    """Run a command to its end; one that takes two minutes is killed, and its status is negative."""
    with tempfile.TemporaryDirectory(prefix="command-") as name:
        folder = Path(name)
        (folder / "input").write_text(stdin)
        process = _FORKS.Process(target=_become, args=(tuple(arguments), {**os.environ, **env}, folder))
        process.start()
        process.join(SECONDS)
        if process.is_alive():
            process.kill()
            process.join()
        ended = Ended(process.exitcode, (folder / "output").read_text(), (folder / "errors").read_text())
        process.close()
        return ended


def _become(arguments: tuple[str, ...], env: dict[str, str], folder: Path) -> None:
    os.chdir(ROOT)
    os.environ.clear()
    os.environ.update(env)
    for number, (name, mode) in enumerate((("input", os.O_RDONLY), ("output", _WRITE), ("errors", _WRITE))):
        opened = os.open(folder / name, mode, 0o600)
        os.dup2(opened, number)
        if opened != number:
            os.close(opened)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - it stays open as long as the process lives
    sys.argv = ["service-server", *arguments]
    from service_server.cli.main import main

    main()
