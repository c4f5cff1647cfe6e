"""The events of the log: their one grammar, and the list of them in the documentation."""

import logging
import re
from pathlib import Path

import pytest
import structlog
from structlog.testing import capture_logs

from service_server.events import listening, tell, warn
from tests.service_server.observability.events_in_code import events_in_code

pytestmark = pytest.mark.slow

DOCUMENT = Path(__file__).parents[3] / "docs" / "observability.md"
_ROW = re.compile(r"\| `([^`]+)` \| ((?:`\w+`(?:, )?)*)\s*\| .+ \|")


def documented() -> dict[str, frozenset[str]]:
    """The fields of every event by its name, as the documentation lists them."""
    events = DOCUMENT.read_text().partition("### Requests and calls")[2].partition("\n## ")[0]
    rows = [_ROW.fullmatch(line) for line in events.splitlines() if line.startswith("| `")]
    return {row[1]: frozenset(re.findall(r"\w+", row[2])) for row in rows if row is not None}


def test_the_documentation_lists_each_event_with_its_fields() -> None:
    """What the code writes and docs/observability.md says are the same; each is a thing, a dot, and what happened."""
    written = events_in_code()

    assert documented() == written
    assert [] == [name for name in written if not re.fullmatch(r"[a-z][a-z_]*\.[a-z][a-z_]*", name)]


def test_listeners_hear_what_the_log_leaves_out() -> None:
    """Figures don't depend on the log's level; who no longer listens hears nothing."""
    heard: list[tuple[str, dict[str, object]]] = []
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR), cache_logger_on_first_use=False
    )
    with capture_logs() as logged:
        with listening(lambda event, fields: heard.append((event, dict(fields)))):
            tell("thing.done", number=1)
            warn("thing.failed", number=2)
        tell("thing.done", number=3)
    structlog.reset_defaults()

    assert [("thing.done", {"number": 1}), ("thing.failed", {"number": 2})] == heard
    assert [] == logged
