"""What the commands print and keep when all is well."""

import json
import subprocess
from pathlib import Path

import pytest

from service_client import __version__
from service_server.catalog.load import SHIPPED
from tests.real_apps.running import ROOT
from tests.service_server.administration.test_brands import png
from tests.service_server.catalog.connector_folder import connector_with
from tests.service_server.cli.conftest import Run, lines_of
from tests.service_server.databases import rows
from tests.service_server.processes import SERVICE_SERVER

pytestmark = pytest.mark.slow


def test_the_installed_program_makes_an_application(tmp_path: Path) -> None:
    """`application create --json` prints one object with key and secret, and keeps the secret only sealed."""
    command = [SERVICE_SERVER, "application", "create", "Acme", "--origin", "https://acme.example", "--json"]
    done = subprocess.run([*command, "--data-dir", tmp_path], capture_output=True, check=True)
    made = json.loads(done.stdout)
    ((name, key, sealed, origins),) = rows(
        tmp_path, "SELECT name, app_key, sealed_secrets, allowed_origins FROM applications"
    )

    assert {"app_key", "app_secret"} == set(made)
    assert ("Acme", made["app_key"], ["https://acme.example"]) == (name, key, json.loads(str(origins)))
    assert made["app_secret"] not in str(sealed)


def test_origins_are_added_and_removed(run: Run) -> None:
    """What is no origin, or none of the application's, is refused before anything is changed."""
    run("application", "create", "Acme", "--origin", "https://old.example")
    moved = run("application", "origins", "Acme", "--add", "https://new.example", "--remove", "https://old.example")
    unknown = run("application", "origins", "Acme", "--add", "https://x.example", "--remove", "https://old.example")
    path = run("application", "origins", "Acme", "--add", "https://x.example/page")
    shown = json.loads(run("application", "origins", "Acme", "--json").output)
    run("application", "origins", "Acme", "--remove", "https://new.example")

    assert "https://new.example" == moved.output.strip()
    assert (1, "https://old.example is no origin of Acme; nothing was changed.") == (
        unknown.code,
        unknown.errors.strip(),
    )
    assert path.code
    assert ["https://new.example"] == shown["origins"]
    assert "No page may use Acme" in run("application", "origins", "Acme").output


def test_an_application_is_renamed(run: Run) -> None:
    """Its key stays, and the audit trail has both names."""
    key = json.loads(run("application", "create", "Acme", "--json").output)["app_key"]
    told = run("application", "rename", "Acme", "Acme Helpdesk").output
    (listed,) = json.loads(run("application", "list", "--json").output)

    assert f"{key} is named Acme Helpdesk now." == told.strip()
    assert ("Acme Helpdesk", key) == (listed["name"], listed["app_key"])
    assert "Acme Helpdesk" in run("audit").output


def test_an_application_is_given_a_second_secret(run: Run) -> None:
    """Each is shown once; a third is refused, and retiring leaves the newer one. Shared names have to be keys."""
    told = run("application", "create", "Acme", "--origin", "https://acme.example").output
    key, secret = (line.partition(": ")[2].strip() for line in told.splitlines()[:2])
    second = json.loads(run("application", "rotate-secret", "Acme", "--json").output)
    table = run("application", "list").output
    (listed,) = json.loads(run("application", "list", "--json").output)
    third = run("application", "rotate-secret", key)
    retired = run("application", "rotate-secret", "Acme", "--retire-old")
    again = run("application", "rotate-secret", "Acme", "--retire-old")
    (left,) = json.loads(run("application", "list", "--json").output)
    run("application", "create", "Acme")

    assert "not shown again" in told
    assert key == second["app_key"]
    assert secret != second["app_secret"]
    assert ("Acme", ["https://acme.example"], 2) == (listed["name"], listed["origins"], len(listed["secrets"]))
    assert key[:8] in table
    assert (1, 0, 1) == (third.code, retired.code, again.code)
    assert "Retire the old one first" in third.errors
    assert "only one live secret" in again.errors
    assert listed["secrets"][:1] == left["secrets"]
    assert not [each for each in (secret, second["app_secret"]) if each in json.dumps(listed) + table]
    assert "use the App-Key" in run("application", "rotate-secret", "Acme").errors
    assert "no application Other" in run("application", "rotate-secret", "Other").errors


def test_an_application_has_a_brand(run: Run, data: Path) -> None:
    """What is given is set and the rest stays; what can't be a logo or a colour changes nothing."""
    (data / "logo.png").write_bytes(png())
    (data / "logo.svg").write_text("<svg/>")
    given = ("--name", "Acme!", "--colour", "#FFD400", "--logo", data / "logo.png", "--json")
    made = json.loads(run("application", "brand", "Acme", *given).output)
    wrong = run("application", "brand", "Acme", "--colour", "teal", "--logo", data / "logo.svg")
    left = json.loads(run("application", "brand", "Acme", "--remove", "logo", "--json").output)

    assert ("Acme!", "#ffd400", "image/png") == (made["name"], made["colour"], made["logo"])
    assert (made["colour_on_dark"], made["colour_on_light"]) != ("#ffd400", "#ffd400")
    assert (1, True, True) == (wrong.code, "#rrggbb" in wrong.errors, "SVG is not taken" in wrong.errors)
    assert ("Acme!", "#ffd400", None) == (left["name"], left["colour"], left["logo"])


def test_an_app_is_configured_step_by_step(run: Run, data: Path) -> None:
    """Each run changes what it names and leaves the rest; the client secret comes from a file or standard input."""
    (data / "secret").write_text("from-the-file\n")
    query = "SELECT client_id, sealed_client_secret, variables FROM app_configurations"
    address = ("--var", "base_url=http://127.0.0.1:9", "--public-url", "https://f.example")
    first = run("app", "configure", "sandbox", "--client-id", "one", "--client-secret-file", data / "secret")
    ((_, sealed, _),) = rows(data, query)
    second = run("app", "configure", "sandbox", *address)
    both = rows(data, query)
    run("app", "configure", "sandbox", "--client-secret-file", "-", stdin="from-standard-input")
    ((client_id, resealed, _),) = rows(data, query)

    assert "callback URL http://127.0.0.1:8000/oauth/callback" in first.output
    assert "callback URL https://f.example/oauth/callback" in second.output
    assert [("one", sealed, '{"base_url": "http://127.0.0.1:9"}')] == both
    assert "one" == client_id
    assert "from-the-file" not in str(sealed)
    assert sealed != resealed


@pytest.mark.usefixtures("data")
def test_a_list_without_entries_says_so(run: Run) -> None:
    """In words, not as JSON."""
    assert "There are no such accounts.\n" == run("users", "accounts").errors
    assert "There are no such calls.\n" == run("calls", "list").errors
    assert "There are no such calls.\n" == run("calls", "list", "--refused").errors


@pytest.mark.usefixtures("data")
def test_ids_in_lists_are_whole(run: Run) -> None:
    """Other commands take them, so a narrow terminal doesn't cut them."""
    made = json.loads(run("webhook", "create", "https://hooks.of-acme.example.com/a/long/path", "--json").output)
    (application,) = json.loads(run("application", "list", "--json").output)

    assert made["id"] in run("webhook", "list").output
    run(
        "application",
        "create",
        "An application with quite a long name",
        "--origin",
        "https://an.application.example.com",
    )
    assert application["app_key"] in run("application", "list").output


def test_an_app_for_which_nothing_is_given_stays_as_it_is(run: Run, data: Path) -> None:
    """It is not said to be configured, and no line of the audit trail says so; the callback URL is told."""
    told = run("app", "configure", "github").output.splitlines()
    run("app", "configure", "github", "--application", "Acme")

    assert "Nothing was set: give --client-id, --client-secret-file or --var." == told[0]
    assert "callback URL http://127.0.0.1:8000/oauth/callback" in told[1]
    assert [("application.created",)] == rows(data, "SELECT act FROM audit_events")
    for table in ("app_configurations", "application_app_configurations"):
        assert [] == rows(data, f"SELECT * FROM {table}")


@pytest.mark.usefixtures("data")
def test_sign_in_settings_are_tried(run: Run) -> None:
    """Each finding is a line; the exit status says whether anything fails, and what can't be tried is said."""
    assert "Complete the settings first." in run("app", "try", "sandbox").errors
    address = ("--var", "base_url=http://127.0.0.1:9")
    run("app", "configure", "sandbox", "--client-id", "c", "--client-secret-file", "-", *address, stdin="secret")
    tried = run("app", "try", "sandbox", "--allow-host", "sandbox=127.0.0.1:9")

    assert 1 == tried.code
    assert ["fails", "fails"] == [line.split()[0] for line in tried.output.splitlines()]


def test_an_application_has_settings_of_its_own(run: Run, data: Path) -> None:
    """They are set beside the others', checked, and taken away again; an application that there is not is refused."""
    query = "SELECT application_id, client_id, variables FROM application_app_configurations"
    mine = ("app", "configure", "sandbox", "--application", "Acme")
    assert "Configured sandbox for Acme alone." in run(*mine, "--client-id", "own").output
    assert [(1, "own", "{}")] == rows(data, query)
    assert [] == rows(data, "SELECT * FROM app_configurations")
    assert "is set up in part for Acme alone" in run("check").output.replace("\n", " ")
    assert 0 != run("app", "configure", "sandbox", "--application", "Nobody", "--client-id", "x").code
    shared = run("app", "share", "sandbox", "--application", "Acme")
    again = run("app", "share", "sandbox", "--application", "Acme")

    assert (0, []) == (shared.code, rows(data, query))
    assert (1, True) == (again.code, "no settings of its own" in again.errors)


def test_operators_have_roles(run: Run, data: Path) -> None:
    """Added, given another password or role, listed and removed; the last owner stays. What they read is kept."""
    hashes = []
    for name, options in (("olga", []), ("olga", []), ("vera", ["--role", "viewer", "--contents"])):
        (data / "password").write_text(f"password {len(hashes)}\n")
        assert 0 == run("operator", "create", name, "--password-file", data / "password", *options).code
        hashes.append(rows(data, f"SELECT password_hash FROM operators WHERE name = '{name}'"))
    listed = json.loads(run("operator", "list", "--json").output)
    refused = run("operator", "remove", "olga")

    assert 3 == len({str(each) for each in hashes})
    assert "password" not in str(hashes)
    assert [("olga", "owner", False), ("vera", "viewer", True)] == [
        (each["name"], each["role"], each["sees_contents"]) for each in listed
    ]
    assert 0 != refused.code
    assert 0 == run("operator", "role", "vera", "owner").code
    assert 0 == run("operator", "password", "vera", "--password-file", data / "password").code
    assert 0 == run("operator", "remove", "olga").code
    assert "operator.removed" in run("audit", "--subject", "olga").output

    assert 0 == run("calls", "export", "--user-id", "ann", "--contents").code
    assert 0 != run("calls", "show", "0" * 32).code
    trail = json.loads(run("audit", "--json").output)
    assert [("calls.exported", "command_line", {"filters": {"user": "ann"}, "contents": True})] == [
        (each["act"], each["via"], each["changes"]) for each in trail if each["act"].startswith("call")
    ]


def test_the_version_is_told(run: Run) -> None:
    """Which is what anybody who is to help asks first."""
    assert f"{__version__}\n" == run("--version").output


def test_connectors_are_listed(run: Run) -> None:
    """`connector list --json` gives name, title and functions of every folder, sorted; --connectors adds one's own."""
    listed = json.loads(run("connector", "list", "--json").output)
    folders = sorted(path.name for path in SHIPPED.iterdir() if (path / "connector.yaml").is_file())

    assert folders == [each["name"] for each in listed]
    assert all({"name", "title", "functions"} == set(each) for each in listed)
    assert all(each["functions"] == sorted(each["functions"]) for each in listed)
    assert all(f"{each['name']}-passthrough-request" in each["functions"] for each in listed)

    own = run("connector", "list", "--connectors", ROOT / "examples" / "connector").output.splitlines()
    assert {"hello_world", *folders} == {line.split(" (")[0] for line in own if " (" in line}


def test_connectors_are_checked(run: Run, tmp_path: Path) -> None:
    """A connector's folder, or a folder of several; a problem is told with file, line and key."""
    for path in ("hello_world", ""):
        done = run("connector", "check", ROOT / "examples" / "connector" / path)
        assert (0, "No problems found.\n", "") == (done.code, done.output, done.errors)

    folder = connector_with(title="Acme [bold]", auth=[{"id": "open", "type": "nine"}]).write(tmp_path)
    (line, *_) = lines_of(run("connector", "check", folder))
    assert line.startswith(f"{folder / 'connector.yaml'}:3: auth[0].type: ")


@pytest.fixture
def of_alarms(tmp_path: Path) -> tuple[str | Path, ...]:
    """The options with which `predict` knows of two functions, by their words."""
    time = {"type": "object", "properties": {"time": {"type": "string"}}, "required": ["time"]}
    functions = [
        {"name": "set-alarm", "description": "Set an alarm.", "parameters": time},
        {"name": "list-alarms", "description": "List all alarms.", "parameters": {"type": "object", "properties": {}}},
    ]
    catalogue = tmp_path / "catalogue.jsonl"
    catalogue.write_text("".join(f"{json.dumps(function)}\n" for function in functions))
    return "predict", "--without-model", "--catalogue", catalogue


def test_a_prompt_is_predicted(run: Run, of_alarms: tuple[str | Path, ...]) -> None:
    """`predict` shows people the functions that come near, arguments with their words, and what is missing."""
    shown = run("predict", 'create a ticket in the website project titled "No coffee"').output
    without = run(*of_alarms, "set an alarm").output

    assert "sandbox-create-ticket" in shown
    assert '"No coffee"' in shown
    assert "Looked up in the user's account: project_id, by the name “website”" in shown
    assert "The prompt doesn't say" not in shown
    assert "set-alarm" in without
    assert "The prompt doesn't say: time" in without
    assert "Nothing fits" in run(*of_alarms, "qwertz uiopü asdfgh").output


def test_cases_are_answered_line_by_line(run: Run, of_alarms: tuple[str | Path, ...]) -> None:
    """Without a prompt those of standard input, until a line is none, or asks for what the catalogue lacks."""
    cases = [
        {"id": "a", "prompt": "list all alarms", "candidates": None, "now": "2026-01-01"},
        {"id": "b", "prompt": "list all alarms", "candidates": [], "now": None},
        {"id": "c", "prompt": "list all alarms", "function": "set-alarm"},
    ]
    given = "".join(f"{json.dumps(case)}\n" for case in cases)
    for wrong, said in {
        '{"id": 1}': "line 4: a case needs a prompt.",
        '{"id": 1, "prompt": "do it", "function": "no-such"}': "line 4: there is no function 'no-such'.",
    }.items():
        done = run(*of_alarms, "--arguments", stdin=f"{given}{wrong}\n")
        answers = [json.loads(line) for line in done.output.splitlines()]

        assert (1, True) == (done.code, said in done.errors)
        assert [("a", ["list-alarms"]), ("b", []), ("c", ["set-alarm"])] == [
            (answer["id"], [function["name"] for function in answer["functions"]]) for answer in answers
        ]


def test_the_schema_is_brought_up_to_date_beforehand(run: Run, tmp_path: Path) -> None:
    """`db upgrade` makes the tables, also at an address of one's own, and may be run again."""
    url = f"sqlite+aiosqlite:///{tmp_path / 'elsewhere.db'}"
    for _ in range(2):
        assert 0 == run("db", "upgrade", "--database", url).code
    tables = {name for (name,) in rows(url, "SELECT name FROM sqlite_master WHERE type = 'table'")}

    assert {"accounts", "calls", "applications"} <= tables
