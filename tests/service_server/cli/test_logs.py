"""What libraries say is in the service's own log, in its form, and without the secrets of addresses."""

import asyncio
import json
import logging
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import structlog

from service_server.cli.logs import LONGEST_MESSAGE, configure_logging
from tests.service_server.cli.conftest import logging_restored

Lines = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def lines(capsys: pytest.CaptureFixture[str]) -> Iterator[Lines]:
    """Reads the lines that were logged; logging is configured in the test, which has a standard error of its own."""
    with logging_restored():
        yield lambda: [json.loads(line) for line in capsys.readouterr().err.splitlines()]


def test_what_libraries_say_is_a_line_of_the_log(lines: Lines) -> None:
    """With event and level, and its beginning, Python's own warnings too; not what they tell of their own steps."""
    configure_logging("info", lasts=False)
    logging.getLogger("uvicorn.error").warning("Invalid %s received.", "HTTP request")
    logging.getLogger("uvicorn.error").info("Started server process")
    logging.getLogger("chatty").error("x" * 10 * LONGEST_MESSAGE)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(capture=True)
        warnings.warn("old", DeprecationWarning, stacklevel=1)
        logging.captureWarnings(capture=False)

    *told, warned = [tuple(each[name] for name in ("event", "level", "library", "message")) for each in lines()]
    assert [
        ("library.told", "warning", "uvicorn.error", "Invalid HTTP request received."),
        ("library.told", "error", "chatty", "x" * LONGEST_MESSAGE),
    ] == told
    assert ("library.told", "warning", "py.warnings") == warned[:3]
    assert "DeprecationWarning: old" in warned[3]


def test_a_librarys_failure_has_its_traceback_without_secrets_of_addresses(lines: Lines) -> None:
    """Neither the message nor the traceback keep the user or the query of an address."""
    configure_logging("info", lasts=False)
    try:
        raise ValueError("GET https://me:hidden@api.example/a?key=hidden failed")
    except ValueError:
        logging.getLogger("asyncio").exception("Lost redis://me:hidden@cache.example#hidden")

    (line,) = lines()
    assert ("library.failed", "error", "Lost redis://cache.example") == (line["event"], line["level"], line["message"])
    assert "ValueError: GET https://api.example/a failed" == line["exception"].splitlines()[-1]


def test_lines_of_the_event_loop_come_in_order_and_to_the_last(lines: Lines) -> None:
    """They are written together, and none is lost where the loop ends, or for what it says."""
    configure_logging("info", lasts=False)

    async def work() -> None:
        for number in range(3):
            structlog.get_logger().info("counted", number=number)
            if number == 1:
                await asyncio.sleep(0)
        structlog.get_logger().info("odd", text="\ud800", number=2**70, kind=object)

    asyncio.run(work())
    structlog.get_logger().info("counted", number=3)

    written = lines()
    assert [0, 1, 2, 2**70, 3] == [each["number"] for each in written]
    assert ("\ud800", "<class 'object'>") == (written[3]["text"], written[3]["kind"])
