"""What the commands print and keep when all is well."""

import json
import stat
import subprocess
from pathlib import Path

import pytest

from service_server.catalog.load import SHIPPED
from tests.real_apps.running import ROOT
from tests.service_server.administration.test_brands import png
from tests.service_server.catalog.connector_folder import connector_with
from tests.service_server.cli.conftest import Run
from tests.service_server.databases import rows
from tests.service_server.processes import SERVICE_SERVER

pytestmark = pytest.mark.slow


def test_the_installed_program_makes_an_application(tmp_path: Path) -> None:
    """`application create --json` prints one object with key and secret, and keeps the secret only sealed."""
    command = [SERVICE_SERVER, "application", "create", "Acme", "--origin", "https://acme.example", "--json"]
    done = subprocess.run([*command, "--data-dir", tmp_path / "data"], capture_output=True, check=True)
    made = json.loads(done.stdout)
    ((name, key, sealed, origins),) = rows(
        tmp_path / "data", "SELECT name, app_key, sealed_secrets, allowed_origins FROM applications"
    )

    assert {"app_key", "app_secret"} == set(made)
    assert ("Acme", made["app_key"], ["https://acme.example"]) == (name, key, json.loads(str(origins)))
    assert made["app_secret"] not in str(sealed)
    assert 0o600 == stat.S_IMODE((tmp_path / "data" / "vault.key").stat().st_mode)


def test_without_json_an_application_is_told_in_words(run: Run) -> None:
    """Key and secret each stand on a line, with the advice to keep the secret."""
    done = run("application", "create", "Acme")

    assert 0 == done.code
    assert ["App-Key", "App secret"] == [line.partition(":")[0] for line in done.output.splitlines()[:2]]
    assert "not shown again" in done.output


def test_an_application_has_settings_of_its_own(run: Run, tmp_path: Path) -> None:
    """They are set beside the others', checked, and taken away again; an application that there is not is refused."""
    run("application", "create", "Acme")
    query = "SELECT application_id, client_id, variables FROM application_app_configurations"
    mine = ("app", "configure", "sandbox", "--application", "Acme")
    assert "Configured sandbox for Acme alone." in run(*mine, "--client-id", "own").output
    assert [(1, "own", "{}")] == rows(tmp_path / "data", query)
    assert [] == rows(tmp_path / "data", "SELECT * FROM app_configurations")
    checked = run("check")
    assert "is set up in part for Acme alone" in checked.output.replace("\n", " ")
    assert 0 != run("app", "configure", "sandbox", "--application", "Nobody", "--client-id", "x").code
    shared = run("app", "share", "sandbox", "--application", "Acme")
    again = run("app", "share", "sandbox", "--application", "Acme")

    assert (0, []) == (shared.code, rows(tmp_path / "data", query))
    assert 1 == again.code
    assert "no settings of its own" in again.errors


def test_sign_in_settings_are_tried(run: Run) -> None:
    """Each finding is a line; the exit status says whether anything fails, and what can't be tried is said."""
    assert "Complete the settings first." in run("app", "try", "sandbox").errors
    run("app", "configure", "sandbox", "--client-id", "c", "--client-secret-file", "-", stdin="secret")
    run("app", "configure", "sandbox", "--var", "base_url=http://127.0.0.1:9")
    tried = run("app", "try", "sandbox", "--allow-host", "sandbox=127.0.0.1:9")

    assert 1 == tried.code
    assert ["fails", "fails"] == [line.split()[0] for line in tried.output.splitlines()]


def test_an_app_is_configured_step_by_step(run: Run, tmp_path: Path) -> None:
    """
    Each run changes what it names and leaves the rest; the client secret comes from a file or standard input.

    The callback URL that it tells is the one that `serve` sends, which by default is at the address it listens at.
    """
    (tmp_path / "secret").write_text("from-the-file\n")
    first = run("app", "configure", "sandbox", "--client-id", "one", "--client-secret-file", "secret")
    query = "SELECT client_id, sealed_client_secret, variables FROM app_configurations"
    ((_, sealed, _),) = rows(tmp_path / "data", query)
    address = ("--var", "base_url=http://127.0.0.1:8400", "--public-url", "https://f.example")
    second = run("app", "configure", "sandbox", *address)
    both = rows(tmp_path / "data", query)
    third = run("app", "configure", "sandbox", "--client-secret-file", "-", stdin="from-standard-input")
    ((client_id, resealed, _),) = rows(tmp_path / "data", query)

    assert [0, 0, 0] == [first.code, second.code, third.code]
    assert "callback URL http://127.0.0.1:8000/oauth/callback" in first.output
    assert "callback URL https://f.example/oauth/callback" in second.output
    assert [("one", sealed, '{"base_url": "http://127.0.0.1:8400"}')] == both
    assert "one" == client_id
    assert "from-the-file" not in str(sealed)
    assert sealed != resealed


def test_an_operator_is_made_and_given_a_new_password(run: Run, tmp_path: Path) -> None:
    """The password is kept as a hash; creating the operator again replaces it."""
    hashes = []
    for password in ("first password", "second password"):
        (tmp_path / "password").write_text(f"{password}\n")
        assert 0 == run("operator", "create", "olga", "--password-file", "password").code
        ((password_hash,),) = rows(tmp_path / "data", "SELECT password_hash FROM operators")
        hashes.append(str(password_hash))

    assert hashes[0] != hashes[1]
    assert not any("password" in each for each in hashes)


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


@pytest.mark.parametrize("path", ["examples/connector/hello_world", "examples/connector"])
def test_good_connectors_pass_the_check(run: Run, path: str) -> None:
    """A connector's folder, and a folder of several, is found to be right."""
    done = run("connector", "check", ROOT / path)

    assert (0, "No problems found.\n", "") == (done.code, done.output, done.errors)


def test_the_check_names_file_line_and_key(run: Run, tmp_path: Path) -> None:
    """A problem is told at its place, on standard error, and the exit status says it."""
    folder = connector_with(title="Acme [bold]", auth=[{"id": "open", "type": "nine"}]).write(tmp_path)
    done = run("connector", "check", folder)

    assert (1, "") == (done.code, done.output)
    assert done.errors.startswith(f"{folder / 'connector.yaml'}:3: auth[0].type: ")
    assert "Traceback" not in done.errors


def test_a_prompt_is_predicted(run: Run) -> None:
    """`predict` shows people the functions that come near, arguments with their words, and what is missing."""
    shown = run("predict", 'create a ticket in the website project titled "No coffee"').output

    assert "sandbox-create-ticket" in shown
    assert '"No coffee"' in shown
    assert "Looked up in the user's account: project_id, by the name “website”" in shown
    assert "The prompt doesn't say" not in shown
    assert "The prompt doesn't say: title" in run("predict", "create a sandbox ticket").output
    without = run("predict", "--without-model", 'create a sandbox ticket titled "No coffee"').output
    assert "sandbox-create-ticket" in without
    assert "The prompt doesn't say: title, project_id" in without
    assert "Nothing fits" in run("predict", "--without-model", "qwertz uiopü asdfgh").output


def test_cases_are_answered_line_by_line(run: Run, tmp_path: Path) -> None:
    """`predict` without a prompt answers cases of standard input in JSON lines, over any catalogue."""
    functions = [
        {"name": "set-alarm", "description": "Set an alarm.", "parameters": {"type": "object", "properties": {}}},
        {"name": "list-alarms", "description": "List all alarms.", "parameters": {"type": "object", "properties": {}}},
    ]
    catalogue = tmp_path / "catalogue.jsonl"
    catalogue.write_text("".join(f"{json.dumps(function)}\n" for function in functions))
    cases = [
        {"id": "a", "prompt": "list all alarms", "candidates": None, "now": "2026-01-01"},
        {"id": "b", "prompt": "list all alarms", "candidates": [], "now": None},
        {"id": "c", "prompt": "list all alarms", "function": "set-alarm"},
    ]

    given = "".join(f"{json.dumps(case)}\n" for case in cases)
    done = run("predict", "--without-model", "--catalogue", catalogue, "--arguments", stdin=given)
    answers = [json.loads(line) for line in done.output.splitlines()]

    assert ["a", "b", "c"] == [answer["id"] for answer in answers]
    assert ["list-alarms"] == [function["name"] for function in answers[0]["functions"]]
    assert [] == answers[1]["functions"]
    assert ["set-alarm"] == [function["name"] for function in answers[2]["functions"]]


@pytest.mark.parametrize(
    ("case", "said"),
    [
        ('{"id": 1}', "line 1: a case needs a prompt."),
        ('{"id": 1, "prompt": "do it", "function": "no-such"}', "line 1: there is no function 'no-such'."),
    ],
)
def test_a_case_that_cannot_be_answered_is_told(run: Run, case: str, said: str) -> None:
    """A line that is no case, or asks for what the catalogue lacks, ends `predict` with one line that names it."""
    done = run("predict", "--without-model", stdin=f"{case}\n")

    assert 1 == done.code
    assert said in done.errors


def test_the_schema_is_brought_up_to_date_beforehand(run: Run, tmp_path: Path) -> None:
    """`db upgrade` makes the tables, also at an address of one's own, and may be run again."""
    url = f"sqlite+aiosqlite:///{tmp_path / 'elsewhere.db'}"
    for _ in range(2):
        assert 0 == run("db", "upgrade", "--database", url).code
    tables = {name for (name,) in rows(url, "SELECT name FROM sqlite_master WHERE type = 'table'")}

    assert {"accounts", "calls", "applications"} <= tables


def test_applications_are_listed_and_given_a_second_secret(run: Run, tmp_path: Path) -> None:
    """A second secret is shown once, a third is refused, and retiring leaves the newer one."""
    first = json.loads(run("application", "create", "Acme", "--origin", "https://acme.example", "--json").output)
    second = json.loads(run("application", "rotate-secret", "Acme", "--json").output)
    listed = json.loads(run("application", "list", "--json").output)
    table = run("application", "list")
    third = run("application", "rotate-secret", first["app_key"])
    retired = run("application", "rotate-secret", "Acme", "--retire-old")
    again = run("application", "rotate-secret", "Acme", "--retire-old")
    left = json.loads(run("application", "list", "--json").output)

    assert first["app_key"] == second["app_key"]
    assert first["app_secret"] != second["app_secret"]
    assert [("Acme", ["https://acme.example"], 2)] == [
        (each["name"], each["origins"], len(each["secrets"])) for each in listed
    ]
    assert first["app_key"][:8] in table.output
    assert (1, 0, 1) == (third.code, retired.code, again.code)
    assert "Retire the old one first" in third.errors
    assert "only one live secret" in again.errors
    assert listed[0]["secrets"][:1] == left[0]["secrets"]
    for secret in (first["app_secret"], second["app_secret"]):
        assert secret not in json.dumps(listed) + table.output


def test_an_application_has_a_brand(run: Run, tmp_path: Path) -> None:
    """What is given is set and the rest stays; what can't be a logo or a colour changes nothing."""
    run("application", "create", "acme-prod")
    (tmp_path / "logo.png").write_bytes(png())
    (tmp_path / "logo.svg").write_text("<svg/>")
    given = ("--name", "Acme", "--colour", "#FFD400", "--logo", str(tmp_path / "logo.png"))
    made = json.loads(run("application", "brand", "acme-prod", *given, "--json").output)
    wrong = run("application", "brand", "acme-prod", "--colour", "teal", "--logo", str(tmp_path / "logo.svg"))
    left = json.loads(run("application", "brand", "acme-prod", "--remove", "logo", "--json").output)

    assert ("Acme", "#ffd400", "image/png") == (made["name"], made["colour"], made["logo"])
    assert (made["colour_on_dark"], made["colour_on_light"]) != ("#ffd400", "#ffd400")
    assert 1 == wrong.code
    assert "#rrggbb" in wrong.errors
    assert "SVG is not taken" in wrong.errors
    assert ("Acme", "#ffd400", None) == (left["name"], left["colour"], left["logo"])


def test_an_application_is_found_by_a_name_that_is_its_own(run: Run) -> None:
    """A name that two share, or nobody has, is refused with what to do."""
    for _ in range(2):
        run("application", "create", "Acme")

    assert "use the App-Key" in run("application", "rotate-secret", "Acme").errors
    assert "no application Other" in run("application", "rotate-secret", "Other").errors


def test_reading_and_exporting_calls_is_in_the_audit_trail(run: Run, tmp_path: Path) -> None:
    """With what was narrowed down to, on the command line too; a call that isn't there was not read."""
    assert 0 == run("calls", "export", "--user-id", "ann", "--contents").code
    assert 0 != run("calls", "show", "0" * 32).code
    trail = json.loads(run("audit", "--json").output)

    assert [("calls.exported", "command_line", {"filters": {"user": "ann"}, "contents": True})] == [
        (each["act"], each["via"], each["changes"]) for each in trail
    ]


def test_operators_have_roles(run: Run, tmp_path: Path) -> None:
    """Added, given another role, listed and removed; the last owner stays."""
    (tmp_path / "password").write_text("a password\n")
    for name, options in {"olga": [], "vera": ["--role", "viewer", "--contents"]}.items():
        assert 0 == run("operator", "create", name, "--password-file", "password", *options).code
    listed = json.loads(run("operator", "list", "--json").output)
    roles = {each["name"]: (each["role"], each["sees_contents"]) for each in listed}
    refused = run("operator", "remove", "olga")

    assert {"olga": ("owner", False), "vera": ("viewer", True)} == roles
    assert 0 != refused.code
    assert 0 == run("operator", "role", "vera", "owner").code
    assert 0 == run("operator", "password", "vera", "--password-file", "password").code
    assert 0 == run("operator", "remove", "olga").code
    assert "operator.removed" in run("audit", "--subject", "olga").output
