"""`call`, `functions` and `accounts`: what one user can do in a terminal, beside a running service."""

import json
from pathlib import Path

import pytest
from attrs import frozen

from tests.examples.processes import SandboxApp
from tests.service_server.cli.conftest import Run, lines_of
from tests.service_server.commands import Ended, run_command
from tests.service_server.connecting import connect_by_key
from tests.service_server.databases import database_of, rows
from tests.service_server.processes import RunningService

pytestmark = pytest.mark.slow


@frozen
class Terminal:
    """Runs commands for a user of the test's own on the data of a running service."""

    service: RunningService
    sandbox: SandboxApp
    user_id: str

    def connect(self) -> int:
        """Connect an account of the sandbox; its id."""
        return connect_by_key(self.service, self.user_id, self.sandbox.api_keys["alice"])

    def run(self, command: str, *arguments: str, stdin: str = "") -> Ended:
        """Run a command to its end."""
        folder = self.service.data_directory
        options = ["--data-dir", str(folder)]
        if command != "calls":
            options += ["--user-id", self.user_id]
        if command == "call":
            options += ["--public-url", self.service.url]
        if command == "call" or arguments[0] == "replay":
            options += ["--allow-host", f"sandbox={self.sandbox.url.removeprefix('http://')}"]
        # Other tests may have made applications on the same service.
        env = {"SERVICE_DATABASE": database_of(folder), "SERVICE_APP_KEY": self.service.app_key}
        return run_command([command, *arguments, *options], stdin=stdin, env=env)


@pytest.fixture
def terminal(running_service: RunningService, sandbox: SandboxApp, request: pytest.FixtureRequest) -> Terminal:
    """That of a user of the test's own."""
    return Terminal(running_service, sandbox, request.node.name)


def test_a_function_is_called(terminal: Terminal) -> None:
    """A list is a table, or whole as JSON; a change wants a yes; what was not done is said, with what helps."""
    unconnected = terminal.run("call", "sandbox-list-tickets")
    account = terminal.connect()
    listed = terminal.run("call", "sandbox-list-tickets")
    whole = json.loads(terminal.run("call", "sandbox-list-tickets", "--json").output)
    accounts = json.loads(terminal.run("accounts", "--json").output)
    before = len(terminal.sandbox.received("/api/v1/tickets"))
    given = ("sandbox-create-ticket", "title=Ice", "project_id=website", 'fields:={"severity": "high"}', "urgent=true")
    declined = terminal.run("call", *given, stdin="n\n")
    after = len(terminal.sandbox.received("/api/v1/tickets"))
    made = json.loads(terminal.run("call", *given, "--json", stdin="y\n").output)["output"]
    unfit = terminal.run("call", "sandbox-create-ticket", "colour=red", "--yes")
    away = terminal.run("call", "sandbox-get-ticket", "ticket_id=999999")

    assert [1, 0, 1, 1, 1] == [each.status for each in (unconnected, listed, declined, unfit, away)]
    assert f"{terminal.service.url}/connect/" in unconnected.errors
    titles, first, *_ = (line.split() for line in listed.output.splitlines())
    assert ["id", "title"] == titles[:2]
    assert str(whole["output"][0]["id"]) == first[0]
    assert "next_page=" in listed.errors
    assert [("sandbox", account, "Alice Andersson (Acme)")] == [
        (each["app"], each["id"], each["display_name"]) for each in accounts
    ]
    assert "account “Alice Andersson (Acme)”?" in declined.errors
    assert "title: Ice" in declined.errors
    assert before == after
    assert ("Ice", True, {"severity": "high"}) == (made["title"], made["urgent"], made["fields"])
    assert ("colour" in unfit.errors, "title" in unfit.errors) == (True, True)
    assert "The app answered 404." in away.errors


def test_half_an_emoji_keeps_nobody_from_the_answer(terminal: Terminal) -> None:
    """Apps cut texts anywhere. What was executed is told all the same, in whatever form."""
    terminal.connect()
    told = []
    for form in ((), ("--json",)):
        terminal.sandbox.fault("/api/v1/tickets/7", "answer", status=200, content=r'{"title": "half \ud83d"}')
        told.append(terminal.run("call", "sandbox-get-ticket", "ticket_id=7", *form))

    assert [0, 0] == [each.status for each in told], [each.errors for each in told]
    assert "half" in told[0].output
    assert {"title": "half \ud83d"} == json.loads(told[1].output)["output"]


def test_a_call_of_the_log_is_run_again(terminal: Terminal) -> None:
    """As in the console: the log has the new call, the trail who did it, and a change has to be confirmed."""
    terminal.connect()
    with terminal.service.api(terminal.user_id) as api:
        assert api.post("/functions/sandbox-create-ticket", json={"title": "T", "project_id": "website"}).is_success
    folder = terminal.service.data_directory
    of_user = ("--user-id", terminal.user_id, "--json")
    (first,) = json.loads(terminal.run("calls", "list", *of_user).output)["calls"]
    refused = terminal.run("calls", "replay", first["id"])
    unsent = json.loads(terminal.run("calls", "list", *of_user).output)["calls"]
    done = terminal.run("calls", "replay", first["id"], "--confirm")
    again = json.loads(terminal.run("calls", "show", done.output.strip()).output)
    trail = rows(folder, "SELECT via, subject FROM audit_events WHERE act = 'call.replayed' AND via = 'command_line'")

    assert (1, True) == (refused.status, "Confirm that it may change something" in refused.errors)
    assert [first] == unsent
    assert (0, "") == (done.status, done.errors)
    assert ("T", first["network_code"]) == (again["arguments"]["title"], again["network_code"])
    assert again["id"] != first["id"]
    assert [("command_line", first["id"])] == trail


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["sandbox-list-ticket"], "sandbox-list-tickets"),
        (["sandbx-list-tickets"], "sandbox"),
        (["sandbox-create-ticket", "urgent=perhaps"], "urgent"),
        (["sandbox-create-ticket", "title:=Ice"], "is not JSON"),
        (["sandbox-create-ticket", "Ice"], "NAME=TEXT"),
        (["sandbox-create-ticket", "title=a", 'title:="b"'], "title is given more than once"),
    ],
)
def test_what_can_not_be_read_is_told_before_anything_is_opened(run: Run, arguments: list[str], said: str) -> None:
    """In a line that says what to mend."""
    assert said in lines_of(run("call", *arguments, "--user-id", "ann"))[0]
    assert not Path("data").exists()


def test_functions_are_searched_for(run: Run) -> None:
    """All words have to be there; JSON has the schema; a typo in an app is told."""
    searched = ("--search", "ticket CREATE", "--app", "sandbox", "--type", "mutation")
    (found,) = json.loads(run("functions", *searched, "--json").output)
    table = run("functions", "--app", "sandbox", "--search", "delete ticket").output
    nothing = run("functions", "--search", "zeppelin landing permit")

    assert "sandbox-create-ticket" == found["name"]
    assert "title" in found["parameters"]["required"]
    assert "sandbox-delete-ticket" in table
    assert "for good" in table
    assert (0, "") == (nothing.code, nothing.output)
    assert "`service-server predict`" in nothing.errors
    assert "sandbox" in run("functions", "--app", "sandbx").errors


@pytest.mark.parametrize(
    ("words", "position", "completed"),
    [
        ("service-server call sandbox-create-t", 2, "plain,sandbox-create-ticket"),
        ("service-server call sandbox-create-ticket proj", 3, "plain,project_id="),
        ("service-server call sandbox-create-ticket title=x ur", 4, "plain,urgent:="),
    ],
)
def test_shells_complete_names(words: str, position: int, completed: str) -> None:
    """Those of functions, and of the arguments of the one that is there."""
    env = {"_SERVICE_SERVER_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(position)}
    done = run_command([], stdin="", env=env)

    assert ([completed], "") == (done.output.splitlines(), done.errors)
