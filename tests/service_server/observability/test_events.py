"""The events of the log: all of them are documented, and a running service names nobody in them."""

import logging
import re
from pathlib import Path
from typing import Any

import pytest
import structlog
from structlog.testing import capture_logs

from service_server.events import listening, tell, warn
from tests.examples.processes import SandboxApp
from tests.service_server.connecting import connect_by_key, connect_by_sign_in
from tests.service_server.observability.events_in_code import events_in_code
from tests.service_server.processes import RunningService

pytestmark = pytest.mark.slow

PERSON = "person@example.com"


def told(service: RunningService, event: str, request_id: str = "") -> dict[str, Any]:
    """The last line of an event, of that request if one is named, without what differs from run to run."""

    def found() -> dict[str, Any] | None:
        lines = [line for line in service.program.json_lines() if line.get("event") == event]
        return next((each for each in reversed(lines) if request_id in each["request_id"]), None)

    line = dict(service.program.wait_until(found))  # lines may come just after the answer
    assert line.pop("timestamp").endswith("Z")
    return line


@pytest.fixture
def account(running_service: RunningService, sandbox: SandboxApp) -> int:
    """An account of a person."""
    return connect_by_key(running_service, PERSON, sandbox.api_keys["alice"])


def test_accounts_are_told_of_from_connecting_to_disconnecting(
    running_service: RunningService, sandbox: SandboxApp, account: int
) -> None:
    """Connecting, an attempt that fails, and disconnecting each have a line that says whose by a pseudonym."""
    connected = told(running_service, "account.connected")
    with pytest.raises(AssertionError):
        connect_by_key(running_service, PERSON, "wrong")
    failed = told(running_service, "connect.failed")
    with running_service.api(PERSON) as api:
        answer = api.delete("/apps/sandbox/connected_accounts", params={"connected_account_id": account})
    gone = told(running_service, "account.disconnected")

    assert answer.is_success, answer.text
    assert (account, "sandbox", "key", False) == tuple(connected[each] for each in ("account", "app", "auth", "again"))
    assert (connected["user"], "credentials", "warning") == (failed["user"], failed["about"], failed["level"])
    assert (account, connected["user"]) == (gone["account"], gone["user"])
    assert PERSON not in running_service.program.output()


def test_a_renewal_is_told_with_the_call_that_needed_it(running_service: RunningService, sandbox: SandboxApp) -> None:
    """Tokens that have ended are renewed within a call, and both lines have the id of its request."""
    account = connect_by_sign_in(running_service, sandbox, "renewed@example.com", "bob")
    # Others go on with Alice's: a call that has to renew them reaches the app twice.
    sandbox.expire_tokens("bob")
    with running_service.api("renewed@example.com") as api:
        request_id = api.post("/functions/sandbox-list-projects").headers["request-id"]

    renewed = told(running_service, "account.refreshed", request_id)
    assert (account, "sandbox") == (renewed["account"], renewed["app"])
    assert renewed["user"] == told(running_service, "call.executed", request_id)["user"]


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
