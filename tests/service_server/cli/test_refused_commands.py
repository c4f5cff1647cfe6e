"""What a command cannot do it says in one line, without a traceback, and leaves everything as it was."""

import getpass
import socket
import warnings
from pathlib import Path

import pytest

from service_server.cli.listening import FOR_USERS, bound, listen
from service_server.cli.logs import LOG_LEVELS
from service_server.settings import InvalidSetting
from tests.service_server.catalog.connector_folder import connector_with
from tests.service_server.cli.conftest import Run, lines_of
from tests.service_server.databases import execute, put_empty_database, rows

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["application", "create", "Acme", "--origin", "https://acme.example/"], "write https://acme.example."),
        (["application", "create", "a\nb"], "A name is 1 to 200"),
        (["app", "configure", "qqqq", "--client-id", "x"], "There is no app named qqqq. `connector list`"),
        (["connector", "try", "qqqq"], "--connectors DIR adds yours"),
        (["app", "configure", "GitHub", "--client-id", "x"], "no app named GitHub; did you mean 'github'? `connector"),
        (["functions", "--app", "slak"], "There is no app named slak; did you mean 'slack'?"),
        (["call", "slack-send-massage", "--user-id", "ann"], "did you mean 'slack-send-message'? `functions` lists"),
        (["app", "configure", "sandbox", "--var", "region=eu"], "no operator's variable region; it has: base_url"),
        (["app", "configure", "sandbox", "--var", "base_url"], "--var takes NAME=VALUE"),
        (["app", "configure", "sandbox", "--var", "base_url=no address"], "Address"),
        (["app", "configure", "sandbox", "--client-id", "ü"], "A client id is"),
        (["app", "configure", "sandbox", "--client-id", ""], "The client id is empty"),
        (["app", "configure", "sandbox", "--client-secret-file", "no such file"], "no such file: No such file"),
        (["app", "configure", "sandbox", "--client-secret-file", "binary"], "binary is not text"),
        (["app", "configure", "sandbox", "--client-secret-file", "empty"], "The client secret is empty"),
        (["operator", "create", "olga", "--password-file", "no such file"], "no such file: No such file"),
        (["operator", "create", "olga", "--password-file", "empty"], "The password is empty"),
        (["operator", "create", "olga", "--password-file", "short"], "A password has 8 to 1,024 characters"),
        (["operator", "sessions", "olag", "--end"], "There is no operator olag; `operator list` shows them."),
        (["operator", "sessions", "olag"], "There is no operator olag; `operator list` shows them."),
        (["connector", "list", "--connectors", "nowhere"], "nowhere: is not a directory"),
        (["connector", "check", "nowhere"], "nowhere: is not a directory"),
        (["connector", "check", "folder"], "folder: holds no connector"),
        (["predict", "anything", "--connectors", "empty"], "empty: is not a directory"),
        (["db", "upgrade", "--database", "bogus"], "has to be a file of SQLite"),
        (["db", "upgrade", "--database", "mysql://user:planted@host/name"], "or one of PostgreSQL"),
        (
            ["db", "upgrade", "--database", "postgresql://user:planted@127.0.0.1:1/name"],
            "127.0.0.1:1/name cannot be used",
        ),
        (["serve", "--port", "0", "--database", "postgresql+asyncpg://user:planted@127.0.0.1:1/name"], "Connect call"),
        (["db", "upgrade", "--database", "postgresql://user:planted/@127.0.0.1/name"], "percent-encoded"),
        (["db", "upgrade", "--database", "postgresql://user:planted@127.0.0.1:99999/name"], "port must be 0-65535"),
        (["db", "upgrade", "--database", "postgresql+psycopg://user:planted@127.0.0.1/name"], "--database takes"),
        (["db", "upgrade", "--database", "sqlite+aiosqlite://"], "has to be a file of SQLite"),
        (["db", "upgrade", "--database", "sqlite+aiosqlite:///no/such/folder.db"], "does not exist"),
        (["db", "upgrade", "--database", "sqlite+aiosqlite:///binary"], "binary cannot be used"),
        (["db", "upgrade", "--data-dir", "empty"], "empty: File exists"),
        (["serve", "--host", "203.0.113.9"], "Cannot listen on port 8000 of 203.0.113.9"),
        (["serve", "--port", "0", "--public-url", "functions.example"], "--public-url cannot be used: not an"),
        (["serve", "--port", "0", "--public-url", "https://me:planted@functions.example"], "without user information"),
        (["serve", "--port", "0", "--public-url", "https://functions.example/?a=b"], "without query"),
        (["serve", "--port", "0", "--allow-host", "http://10.0.0.1"], "--allow-host takes APP=HOST[:PORT]"),
        (["users", "accounts", "--user-id", "a\udcff"], "is not text in UTF-8"),
        (["serve", "--port", "0", "--log-level", "loud"], f"--log-level is one of {', '.join(LOG_LEVELS)}"),
    ],
)
def test_it_is_said_in_one_line(run: Run, tmp_path: Path, arguments: list[str], said: str) -> None:
    """Wrong names, values, files and addresses."""
    (tmp_path / "empty").touch()
    (tmp_path / "short").write_text("x")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00" * 2000)
    (tmp_path / "folder").mkdir()
    put_empty_database(tmp_path / "data")
    (line,) = lines_of(run(*arguments))

    assert said in line
    assert "planted" not in line


@pytest.mark.parametrize(
    "command",
    [
        ["users", "accounts", "--application"],
        ["users", "accounts", "--before"],
        ["users", "disconnect"],
        ["webhook", "resend", "whe_1"],
        ["webhook", "deliveries", "whe_1", "--before"],
        ["call", "sandbox-list-projects", "--user-id", "ann", "--account"],
    ],
)
def test_a_number_that_no_database_has(run: Run, command: list[str]) -> None:
    """It is refused where it is given, and not by the database with a traceback."""
    assert "is not in the range 1<=x<=9007199254740991" in run(*command, str(2**64)).errors


@pytest.mark.parametrize("command", [["audit"], ["calls", "list"]])
def test_a_place_in_a_list_is_an_id(run: Run, command: list[str]) -> None:
    """Any other text would list the newest again."""
    assert "it is no id from the list." in run(*command, "--before", "nonsense").errors


@pytest.mark.parametrize(
    "arguments",
    [
        ["accounts", "--user-id", "ann"],
        ["admin-key", "list"],
        ["application", "list"],
        ["application", "rotate-secret", "Acme"],
        ["audit"],
        ["backup", "functions.backup"],
        ["call", "sandbox-create-ticket", "--user-id", "ann", "title=x"],
        ["calls", "list"],
        ["mcp", "--user-id", "ann"],
        ["operator", "list"],
        ["users", "erase", "ann", "--yes"],
        ["users", "export", "ann"],
        ["vault", "rotate"],
        ["webhook", "list"],
    ],
)
def test_a_wrong_data_directory_is_no_empty_service(run: Run, tmp_path: Path, arguments: list[str]) -> None:
    """Nobody is told that nobody was there, or that all is sealed with another key; and nothing is written."""
    (line,) = lines_of(run(*arguments, "--data-dir", "functoins"))

    assert f"{tmp_path / 'functoins'} does not exist" in line
    assert [] == list(tmp_path.iterdir())
    (tmp_path / "functoins").mkdir()
    (line,) = lines_of(run(*arguments, "--data-dir", "functoins"))

    assert f"There is no database at {tmp_path / 'functoins' / 'service.db'}" in line


@pytest.mark.parametrize("option", ["--data-dir", "--connectors", "--model-dir"])
def test_an_empty_folder_is_not_the_present_one(run: Run, tmp_path: Path, option: str) -> None:
    """A variable of a script that was not set: nothing is written where it happens to run."""
    done = run("check", option, "")

    assert (2, True) == (done.code, f"'{option}'" in done.errors and "it is empty" in done.errors), done.errors
    assert [] == list(tmp_path.iterdir())


@pytest.mark.usefixtures("data")
def test_without_a_terminal_no_password_is_asked_for(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """What can be given in its place is said, and the operator is not made."""
    monkeypatch.setattr(
        getpass, "getpass", lambda _: warnings.warn("no terminal", getpass.GetPassWarning, stacklevel=1)
    )
    (line,) = lines_of(run("operator", "create", "olga", stdin="secret\nsecret\n"))

    assert "--password-file" in line
    assert "olga" not in run("operator", "list").output


def test_a_port_that_is_in_use_is_refused(run: Run, tmp_path: Path) -> None:
    """The other program keeps its port, and nothing is written."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        (line,) = lines_of(run("serve", "--port", str(port)))

    assert f"port {port} of 127.0.0.1: Address already in use" in line
    assert not (tmp_path / "data").exists()


def test_a_port_that_is_taken_during_a_start_is_refused() -> None:
    """Of two programs that have bound it, one listens; the other says so, and doesn't go on without being heard."""
    with bound("127.0.0.1", 0) as first, bound("127.0.0.1", first.getsockname()[1]) as second:
        listen(first, FOR_USERS)

        with pytest.raises(InvalidSetting, match=r"Address already in use\. Choose others with --port"):
            listen(second, FOR_USERS)


def test_a_broken_connector_is_refused(run: Run, tmp_path: Path) -> None:
    """A connector that cannot be used stops the start with file, line and key, instead of failing calls later."""
    folder = connector_with(auth=5).write(tmp_path / "connectors")
    (line,) = lines_of(run("serve", "--port", "0", "--connectors", tmp_path / "connectors"))

    assert line.startswith(f"{folder / 'connector.yaml'}:1: auth: ")


def test_a_refused_configuration_keeps_the_old_one(run: Run, data: Path) -> None:
    """When one of several settings is wrong none of them is changed, and every wrong one is told."""
    assert 0 == run("app", "configure", "sandbox", "--client-id", "old").code
    done = run("app", "configure", "sandbox", "--client-id", "new", "--var", "region=eu", "--var", "base_url=x")

    assert 2 == len(lines_of(done))
    assert [("old", "{}")] == rows(data, "SELECT client_id, variables FROM app_configurations")


def test_a_database_that_carries_nothing_out_is_not_said_to_be_away(run: Run, data: Path) -> None:
    """It may well be there: full, locked, or of an owner who gave no rights."""
    execute(data, "CREATE TRIGGER refusing BEFORE INSERT ON audit_events BEGIN INSERT INTO absent VALUES (1); END")
    (line,) = lines_of(run("application", "create", "Other"))

    assert line.startswith("The database could not carry it out: no such table")


def test_a_damaged_database_is_said_to_be_damaged(run: Run, data: Path) -> None:
    """In one line, by every command that reads what is damaged."""
    with (data / "service.db").open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (data / "service.db").stat().st_size)
    for command in (["application", "list"], ["operator", "list"], ["backup", "a.backup"], ["vault", "rotate"]):
        assert any(each in run(*command).errors for each in ("malformed", "not a database")), command
        assert 1 == len(lines_of(run(*command)))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("UPDATE schema_compatibility SET oldest_revision = '9998'", ["newer version", "9998", "Install the newer"]),
        ("DELETE FROM schema_compatibility", ["made by another version"]),
        ("DROP TABLE schema_compatibility", ["made by another version"]),
    ],
)
def test_a_database_of_a_newer_version_is_not_touched(run: Run, data: Path, change: str, told: list[str]) -> None:
    """A schema that this version does not know, and that doesn't say that it works on it, is left alone."""
    execute(data, "UPDATE alembic_version SET version_num = '9999'")
    execute(data, change)
    for command in (["application", "create", "Acme"], ["serve", "--port", "0"]):
        (line,) = lines_of(run(*command))

        assert all(each in line for each in ("9999", *told)), line


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        *(("SERVICE_VAULT_KEY", key, "") for key in ("planted-nonsense", "a:cGxhbnRlZA==", "")),
        ("SERVICE_MAX_BODY_BYTES", "lots", " must be a whole number"),
    ],
)
def test_a_variable_that_can_not_be_used_is_named(
    run: Run, monkeypatch: pytest.MonkeyPatch, name: str, text: str, said: str
) -> None:
    """The content of a malformed key is not shown."""
    monkeypatch.setenv(name, text)
    (line,) = lines_of(run("application", "create", "Acme"))

    assert f"{name}{said}" in line
    assert "planted" not in line
    assert "cGxh" not in line
