"""Commands run in this very process: the same entry as the installed program's, without its start-up time."""

import contextlib
import io
import logging
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import structlog
from attrs import frozen

from service_server.cli import main
from tests.service_server.databases import put_empty_database


@frozen
class Done:
    """How a command ended."""

    code: int
    output: str
    errors: str


Run = Callable[..., Done]


@contextlib.contextmanager
def logging_restored() -> Iterator[None]:
    """Have the log as it was before afterwards: commands have it written to a stream that ends with the test."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    structlog.reset_defaults()
    logging.captureWarnings(capture=False)
    root.handlers[:], root.level = handlers, level


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Iterator[Run]:
    """
    Runs `service-server` with the arguments given, in an empty directory.

    Nothing is set in the environment but where what has been read of the shipped connectors is kept.
    """
    for name in os.environ:
        if name.startswith("SERVICE_") and name != "SERVICE_CACHE_DIR":
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str | Path, stdin: str | None = None) -> Done:
        if stdin is not None:
            monkeypatch.setattr("sys.stdin", io.StringIO(stdin))
        monkeypatch.setattr("sys.argv", ["service-server", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        shown = capsys.readouterr()
        return Done(int(ended.value.code or 0), shown.out, shown.err)

    with logging_restored():
        yield run


@pytest.fixture
def data(run: Run, tmp_path: Path) -> Path:
    """A data directory with one application, the one that commands use unless another is named."""
    put_empty_database(tmp_path / "data")
    assert 0 == run("application", "create", "Acme").code
    return tmp_path / "data"


def lines_of(done: Done) -> list[str]:
    """The lines that a refused command says, and nothing else."""
    assert (1, "") == (done.code, done.output)
    assert "Traceback" not in done.errors
    return done.errors.splitlines()
