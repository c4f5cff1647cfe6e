"""Commands run in this very process: the same entry as the installed program's, without its start-up time."""

import io
import logging
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import structlog
from attrs import frozen

from service_server.cli import main


@frozen
class Done:
    """How a command ended."""

    code: int
    output: str
    errors: str


Run = Callable[..., Done]


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
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level

    def run(*arguments: str | Path, stdin: str | None = None) -> Done:
        if stdin is not None:
            monkeypatch.setattr("sys.stdin", io.StringIO(stdin))
        monkeypatch.setattr("sys.argv", ["service-server", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        shown = capsys.readouterr()
        return Done(int(ended.value.code or 0), shown.out, shown.err)

    yield run
    structlog.reset_defaults()  # `serve` has the log written to a stream that ends with the test
    logging.captureWarnings(capture=False)
    root.handlers[:], root.level = handlers, level
