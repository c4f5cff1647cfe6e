"""Beginning a connector, and trying its functions with a credential at hand."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.emulators.pointed import point
from tests.service_server.catalog.connector_folder import ConnectorFolder, parameter
from tests.service_server.cli.conftest import Done, Run, lines_of
from tests.service_server.connect.signing_in.atlassian import LABS, SHOP, Atlassian, emulated
from tests.service_server.connect.token_app import (
    CLIENT,
    LOGIN,
    USER,
    WHO_AM_I,
    TokenApp,
    connector,
    right_answers,
    token_app,
)
from tests.service_server.function_files import mutation

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def app() -> Iterator[TokenApp]:
    """An app with many ways of signing in."""
    with token_app() as running:
        yield running


@pytest.fixture
def function_file(app: TokenApp, tmp_path: Path) -> Path:
    """The file of the app's query `who-am-i`; its connector also has the mutation `log-in`."""
    app.reset()
    log_in = mutation(
        {"post": "/login", "body": {"user": "${args.user}", "password": "${args.password}"}},
        takes={"user": parameter(), "password": parameter() | {"x-sensitive": True}},
        required=["user", "password"],
    )
    folder = ConnectorFolder(connector(app.url), {"who-am-i": WHO_AM_I, "log-in": log_in})
    return folder.write(tmp_path / "connectors") / "functions" / "who-am-i.yaml"


@pytest.fixture
def try_(app: TokenApp, run: Run, function_file: Path) -> Any:
    """Tries a function of the app's connector with credentials on standard input, the right ones of a way."""

    def run_try(*arguments: str, way: str = "basic", given: object = None, allowed: bool = True) -> Done:
        hosts = ["--allow-host", app.url.removeprefix("http://")] if allowed else []
        answers = right_answers()[way] if given is None else given
        options = ["--connectors", "connectors", *hosts, *(["--auth", way] * ("--auth" not in arguments))]
        return run("connector", "try", "acme", *arguments, *options, "--credentials", "-", stdin=json.dumps(answers))

    return run_try


@pytest.mark.parametrize("auth", ["api_key", "basic", "oauth2_code", "none"])
def test_a_new_connector_passes_the_check(run: Run, auth: str) -> None:
    """Whatever the way of signing in; next steps are told, and what to register where users sign in on its own page."""
    done = run("connector", "new", "acme_desk", "--auth", auth, "--title", 'Acme "Desk" <b>', "--base-url", "https://h")
    again = run("connector", "new", "acme_desk")
    checked = run("connector", "check", "connectors/acme_desk", "--public-url", "https://functions.example").output
    (listed, *_) = json.loads(run("connector", "list", "--json", "--connectors", "connectors").output)

    assert 0 == done.code, done.errors
    assert "connector check connectors/acme_desk" in done.output
    assert "No problems found" in checked
    assert (auth == "oauth2_code") == ("callback URL https://functions.example/oauth/callback" in checked)
    functions = ["acme_desk-create-item", "acme_desk-list-items", "acme_desk-passthrough-request"]
    assert {"name": "acme_desk", "title": "Acme 'Desk' <b>", "functions": functions} == listed
    assert "is there already" in lines_of(again)[0]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["Acme"], "is not a name"),
        (["../acme"], "is not a name"),
        (["acme", "--auth", "magic"], "--auth is one of"),
        (["acme", "--base-url", "acme.example"], "--base-url acme.example"),
        (["acme", "--title", "a\nb"], "printable"),
    ],
)
def test_what_can_not_be_begun(run: Run, tmp_path: Path, arguments: list[str], said: str) -> None:
    """A wrong name, kind or address is told, and nothing is written."""
    assert said in lines_of(run("connector", "new", *arguments))[0]
    assert [] == list(tmp_path.rglob("connector.yaml"))


@pytest.mark.parametrize("way", ["basic", "service", "exchanged", "signed", "login"])
def test_trying_a_function(try_: Any, way: str) -> None:
    """The function is run as the service would; the credentials appear nowhere in what is shown."""
    as_json, shown = try_("who-am-i", "--json", way=way), try_("acme-who-am-i", way=way)
    outcome = json.loads(as_json.output)

    assert (200, USER) == (outcome["status"], outcome["output"])
    assert {"authorization": "•••"} == {key.lower(): value for key, value in outcome["request"]["headers"].items()}
    assert (way == "basic") == (outcome["sign_in_milliseconds"] is None)
    assert "200 in" in shown.output
    assert USER["name"] in shown.output
    told = as_json.output + as_json.errors + shown.output + shown.errors
    assert not [s for s in (LOGIN[1], CLIENT[1], right_answers()[way].get("key", LOGIN[1])[-60:]) if s in told]


def test_the_test_comes_first(app: TokenApp, try_: Any) -> None:
    """It says whose account it is; without a function it is all that runs. A token at hand needs no signing in."""
    tested = json.loads(try_("--json").output)
    both = try_("who-am-i")
    without = json.loads(try_("who-am-i", "--no-test", "--json").output)

    assert {"id": USER["id"], "name": USER["name"]} == tested["account"]
    assert "status" not in tested
    assert f"The account is “{USER['name']}” ({USER['id']})." in both.output
    assert (None, 200) == (without["account"], without["status"])
    at_hand = json.loads(try_("who-am-i", "--json", way="service", given={"access_token": app.issue("hand")}).output)
    assert (200, None, []) == (at_hand["status"], at_hand["sign_in_milliseconds"], app.asked)


def test_a_failed_test_sends_nothing_else(app: TokenApp, try_: Any) -> None:
    """What connecting would refuse is said as connecting says it, and no function runs."""
    pairs = ["--arg", "user=x", "--arg", "password=y", "--yes"]
    wrong = try_("log-in", *pairs, given={"username": "ada", "password": "wr0ng-and-secret"})

    assert 1 == wrong.code
    assert "did not accept this" in wrong.errors
    assert "GET " + app.url + "/me\nAuthorization: •••\n\n401 in " in wrong.errors
    assert "wr0ng-and-secret" not in wrong.errors + wrong.output
    assert [] == app.asked


def test_an_error_of_the_app_fails_the_command(try_: Any, function_file: Path) -> None:
    """A script sees by the exit status that the app said no; the answer is shown all the same."""
    wrong = try_("who-am-i", "--no-test", "--json", given={"username": "ada", "password": "wrong"})
    function_file.write_text(function_file.read_text().replace("/me", "/nowhere"))
    nowhere = try_("who-am-i", "--no-test", "--json")

    assert [(1, 401), (1, 404)] == [(each.code, json.loads(each.output)["status"]) for each in (wrong, nowhere)]


def test_pages_follow_each_other(try_: Any, function_file: Path) -> None:
    """--pages asks for that many pages at most and tells whether there are more; the list's end is no error."""
    paging = "{type: page, send: query.page, total: body.pages, limit: query.size, size: 2}"
    whole = function_file.read_text().replace("/me", "/list")
    function_file.write_text(f"{whole}\noutput: items\npaginate: {paging}\n")
    outcomes = {"1": ([1, 2], True, []), "2": ([1, 2], True, [[3, 4]]), "9": ([1, 2], False, [[3, 4], [5]])}

    for pages, expected in outcomes.items():
        done = json.loads(try_("who-am-i", "--json", "--pages", pages).output)
        assert expected == (done["output"], done["more"], [page["output"] for page in done["further_pages"]])
    assert "There are more pages: --pages 2 shows the next one." in try_("who-am-i").output
    assert "No page follows, going by body.pages of the answer." in try_("who-am-i", "--pages", "9").output


def test_a_look_up_is_made(try_: Any, function_file: Path) -> None:
    """What a function looks up stands in its request; where the app says no, or something else, that is shown."""
    whole = function_file.read_text().replace("get: /me", 'get: /me\n  query: {user: "${lookup.user}"}')

    def tried(path: str, at: str) -> Done:
        function_file.write_text(f"{whole}\nlookup: {{request: {{get: {path}}}, gives: {{user: body.{at}}}}}\n")
        return try_("who-am-i", "--no-test", "--json")

    right, refused, lacking = tried("/me", "id"), tried("/nowhere", "id"), tried("/me", "nothing")
    assert (200, USER) == (json.loads(right.output)["status"], json.loads(right.output)["output"])
    assert f"/me?user={USER['id']}" in json.loads(right.output)["request"]["url"]
    assert (1, 404) == (refused.code, json.loads(refused.output)["status"])
    assert "The answer to the look-up has no user where 'gives' says." in lacking.errors


def test_the_file_that_a_call_would_keep_is_told(try_: Any, function_file: Path) -> None:
    """Its name, type and size, without keeping it; and what is wrong where there is none under the key."""
    whole = function_file.read_text()

    def tried(output: str) -> str:
        function_file.write_text(f"{whole}\noutput: {{format: file, {output}}}\n")
        told: str = try_("who-am-i").output
        return " ".join(told.split())

    size = len(json.dumps(USER))
    assert f"A call would keep this as a file: me.json, application/json, {size} bytes" in tried("name: me.json")
    assert "A call would keep no file" in tried("base64: content, name: me.pdf")
    function_file.write_text(whole)
    assert None is json.loads(try_("who-am-i", "--json").output)["file"]


def test_what_is_made_of_an_answer_is_shown(try_: Any, function_file: Path) -> None:
    """What its `output` leads to, or that it leads nowhere; what people see of it, and what it lacks for that."""
    whole = function_file.read_text()
    function_file.write_text(f"{whole}\noutput: nmae\n")
    assert "`output` leads to nothing in this answer" in try_("who-am-i").output
    function_file.write_text(f"{whole}\noutput: name\n")
    right = json.loads(try_("who-am-i", "--json").output)
    assert (USER["name"], False) == (right["output"], right["output_missed"])

    sample = "{name: Ada, page: 'https://acme.example/ada'}"
    said = f"outcome:\n  title: This is ${{output.name}}\n  link: ${{output.page}}\n  sample: {sample}\n"
    function_file.write_text(f"{whole}\n{said}")
    shown = try_("who-am-i").output
    assert f"This is {USER['name']}" in shown
    assert "outcome.link: output.page has no value" in shown
    outcome = json.loads(try_("who-am-i", "--json").output)["outcome"]
    assert {"title": f"This is {USER['name']}", "facts": []} == outcome


@pytest.mark.parametrize("given", ["{}", '{"access_token": ""}', '{"refresh_token": "x"}'])
def test_a_providers_page_needs_a_token_at_hand(run: Run, monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    """Without a token the command says how to come by a trial; with the callback URL that the app asks for."""
    monkeypatch.setenv("SERVICE_PUBLIC_URL", "https://functions.example/")
    said = "\n".join(lines_of(run("connector", "try", "github", "--credentials", "-", stdin=given)))

    assert '{"access_token": "…"}, or try another way to sign in: --auth token' in said
    assert "under the callback URL https://functions.example/oauth/callback" in said


def test_the_names_of_shipped_apps_are_taken(run: Run, tmp_path: Path) -> None:
    """A connector can't be begun, imported, checked or tried under the name of another one; which is told."""
    folder = ConnectorFolder().write(tmp_path / "connectors", "github")
    (folder / "connector.yaml").write_text((folder / "connector.yaml").read_text().replace("acme", "github"))
    tried = ("try", "github", "find", "--connectors", "connectors", "--credentials", "-")

    for command in (("new", "github"), ("import-openapi", "x.yaml", "--name", "github"), ("check", folder), tried):
        said = " ".join(lines_of(run("connector", *command, stdin="{}")))
        assert "there is another connector named 'github'" in " ".join(said.split())


def test_changing_data_is_asked_about(app: TokenApp, try_: Any) -> None:
    """A mutation is sent after a yes only; its sensitive arguments are not shown."""
    pairs = ["--arg", f"user={LOGIN[0]}", "--arg", f"password={LOGIN[1]}"]
    refused = try_("log-in", *pairs)
    assert (1, []) == (refused.code, app.asked)

    outcome = try_("log-in", *pairs, "--yes", "--json")
    assert 200 == json.loads(outcome.output)["status"], outcome.errors
    assert LOGIN[1] not in outcome.output
    assert 1 == len(app.asked)


@pytest.mark.parametrize(
    ("arguments", "given", "said"),
    [
        (["who-am-I"], {}, "has no function who-am-I; it has: log-in, passthrough-request, who-am-i"),
        (["who-am-i", "--auth", "magic"], {}, "--auth is one of basic, service"),
        (["who-am-i", "--arg", "x"], {}, "--arg takes NAME=VALUE"),
        (["who-am-i", "--arg", "x=1"], {}, "x is not a parameter"),
        (["log-in"], {}, "password is required"),
        (["who-am-i", "--var", "site=x"], {}, "there is no variable site"),
        (["who-am-i"], ["not an object"], "takes a JSON object"),
        (["who-am-i", "--auth", "service"], {"client_id": "a", "client_secret": "b"}, "refused to sign in (invalid_c"),
        (["who-am-i", "--auth", "basic"], {"username": "a:b", "password": "b"}, "User name isn't in the expected"),
        (["who-am-i", "--auth", "basic"], {"username": "a"}, 'lacks password; “User name and password” takes {"user'),
        (["who-am-i", "--auth", "service"], {"client_id": "a"}, "lacks client_secret"),
        (
            ["--auth", "service"],
            {"client_id": "a", "client_secret": "ü"},
            "a character that can't be in it (character 1)",
        ),
        (["who-am-i", "--auth", "basic"], {"username": "a", "password": "b", "pasword": "c"}, "mean 'password'?"),
        (["log-in", "--arg", "usr=a", "--arg", "password=b"], None, "did you mean user?\n"),
        (["--no-test", "--auth", "basic"], {"username": "a", "password": "b"}, "Say which function to try, such as"),
    ],
)
def test_what_can_not_be_tried(try_: Any, arguments: list[str], given: Any, said: str) -> None:
    """Each mistake is one line that says what to do."""
    assert said in "\n".join([*lines_of(try_(*arguments, given=given)), ""])


def test_private_addresses_are_named_first(try_: Any) -> None:
    """Trying follows the same rules as the service: a private address must be allowed by name."""
    said = " ".join(lines_of(try_("who-am-i", allowed=False)))

    assert "leads to an address that is not public; allow it with --allow-host acme=HOST:PORT" in said
    assert "Nothing was sent: " in try_("who-am-i", "--no-test", allowed=False).errors


@pytest.fixture
def atlassian() -> Iterator[Atlassian]:
    """An emulated Atlassian with two sites, at which a token is known."""
    with emulated(Atlassian()) as app:
        app.reset(SHOP, LABS)
        app.tokens.add("hand")
        yield app


def try_jira(
    run: Run,
    app: Atlassian,
    *arguments: str,
    replaced: dict[str, str] | None = None,
    given: str = "hand",
    allowed: bool = True,
) -> Done:
    """Try Jira's connector there, with some texts of it replaced."""
    host = app.url.removeprefix("http://")
    addresses = {"https://api.atlassian.com": app.url, "allow_hosts: [api.atlassian.com]": f'allow_hosts: ["{host}"]'}
    shutil.rmtree("connectors", ignore_errors=True)
    point("jira", Path("connectors"), addresses | (replaced or {}))
    options = ["--connectors", "connectors", *(["--allow-host", host] if allowed else []), "--credentials", "-"]
    return run("connector", "try", "emulated_jira", *arguments, *options, stdin=f'{{"access_token": "{given}"}}')


def test_the_call_after_the_sign_in_is_made(run: Run, atlassian: Atlassian) -> None:
    """Trying a connector finds out where the account is, as connecting does, or says what there is to choose."""
    several = try_jira(run, atlassian, "list-projects", "--json")
    one = try_jira(run, atlassian, "list-projects", "--json", "--var", f"cloud_id={LABS['id']}")

    assert 1 == several.code
    assert f"--var cloud_id={LABS['id']} (Labs – https://labs.atlassian.net)" in " ".join(several.errors.split())
    assert 0 == one.code, one.errors
    assert "LABS" in one.output


def test_a_call_after_the_sign_in_that_fails_is_shown(run: Run, atlassian: Atlassian) -> None:
    """Whoever wrote the connector sees what was asked and answered, and which key leads nowhere."""
    atlassian.reset(SHOP)
    atlassian.tokens.add("hand")
    misread = {"{id: id, ": "{id: site, "}
    wrong = try_jira(run, atlassian, replaced=misread)
    closed = try_jira(run, atlassian, replaced=misread, allowed=False)
    refused = try_jira(run, atlassian, replaced=misread, given="n0-such-token")

    assert (1, 1, 1) == (wrong.code, closed.code, refused.code)
    assert "The call after the sign-in (`then`) failed." in wrong.errors
    assert "(the only entry lacks id, which then.value names)" in wrong.errors
    assert f"GET {atlassian.url}/oauth/token/accessible-resources" in wrong.errors
    assert f'"url": "{SHOP["url"]}"' in wrong.errors
    assert "allow it with --allow-host emulated_jira=HOST:PORT" in closed.errors
    assert "\n401 in " in refused.errors
    assert "n0-such-token" not in refused.errors
