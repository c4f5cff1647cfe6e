"""What commands and the running service log, and how it is written: every line of every library in one form."""

import asyncio
import json
import logging
import re
import sys
import traceback
from typing import BinaryIO

import msgspec

# structlog imports Rich, where it is installed, to write for terminals. Nothing here does, and it would cost each
# command and each process 3 MiB and a thirtieth of a second.
if not sys.modules.keys() & {"rich", "structlog"}:
    sys.modules["rich"] = None  # type: ignore[assignment] # to Python this says that it isn't installed
    import structlog

    del sys.modules["rich"]
import structlog

from service_server.settings import InvalidSetting

LOG_LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}
LONGEST_MESSAGE = 2000
LONGEST_TRACE = 8000
"""Characters that are kept of what a library says, and of the end of its traceback."""
# Libraries quote addresses; keys and prompts travel in their queries, and passwords before their hosts.
_QUERY = re.compile(r"(\w+://[^\s?#'\"]*)[?#][^\s'\"]*")
_USER = re.compile(r"(\w+://)[^\s/@'\"]+@")

_LOG = structlog.get_logger(__name__)
_ENCODER = msgspec.json.Encoder(enc_hook=repr)


def level_of(name: str) -> str:
    """The level that `--log-level` names; raises InvalidSetting."""
    if name not in LOG_LEVELS:
        raise InvalidSetting(f"--log-level is one of {', '.join(LOG_LEVELS)}.")
    return name


def configure_logging(level: str, *, lasts: bool = True) -> None:
    """
    Write one JSON object a line to standard error, so that standard output stays the command's own.

    With `lasts` a logger that has been used stays as it is, which is faster; a later call doesn't change it.
    """
    lines = _Lines(sys.stderr.buffer)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            _rendered,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(LOG_LEVELS[level]),
        logger_factory=lambda *_names: lines,
        cache_logger_on_first_use=lasts,
    )
    # What libraries say below a warning is about their own steps, and tells more of what they were given.
    root = logging.getLogger()
    root.handlers[:] = [LibraryHandler()]
    root.setLevel(max(LOG_LEVELS[level], logging.WARNING))
    logging.captureWarnings(capture=True)


class _Lines:
    """
    Writes lines: of `info` those of one turn of the event loop together, at its end; what is worse at once.

    A write lets go of Python's lock, for which the loop then waits: a line at a time took a twentieth of a call.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._waiting: list[bytes] = []

    def info(self, line: bytes) -> None:
        """Write a line, soon where an event loop runs."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # a thread, or a command without a loop
            self._write([line])
            return
        if not self._waiting:
            loop.call_soon(self._write_waiting)
        self._waiting.append(line)

    def msg(self, line: bytes) -> None:
        """Write a line now."""
        self._write([line])

    debug = warning = error = critical = msg

    def _write_waiting(self) -> None:
        lines, self._waiting = self._waiting, []
        self._write(lines)

    def _write(self, lines: list[bytes]) -> None:
        self._file.write(b"\n".join((*lines, b"")))
        self._file.flush()


def _rendered(_logger: object, _method: str, event: structlog.typing.EventDict) -> bytes:
    """The line: every call of a function writes one, for which `json` takes several times as long."""
    try:
        return _ENCODER.encode(event)
    except (TypeError, ValueError):  # a lone surrogate, or a number of 65 bits: no line is lost for that
        return json.dumps(event, default=repr).encode()


class LibraryHandler(logging.Handler):
    """Writes what libraries log as lines of this log."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line."""
        level = record.levelno if record.levelno in LOG_LEVELS.values() else logging.ERROR
        said = without_secrets(record.getMessage()[:LONGEST_MESSAGE])
        if record.exc_info:
            trace = without_secrets("".join(traceback.format_exception(*record.exc_info)))
            _LOG.log(level, "library.failed", library=record.name, message=said, exception=trace[-LONGEST_TRACE:])
        else:
            _LOG.log(level, "library.told", library=record.name, message=said)


def without_secrets(said: str) -> str:
    """What a library says, as it may stand in the log: addresses have lost their users and queries."""
    return _USER.sub(r"\1", _QUERY.sub(r"\1", said))
