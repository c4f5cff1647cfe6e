"""An app that repeats every secret it is sent, in every answer and spelling, gets none of them written down."""

import base64
import html
import json
import re
import signal
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, quote_plus, urlsplit

import httpx
import pytest
from attrs import Factory, define

from tests.real_apps.running import free_port
from tests.service_server.catalog.connector_folder import ConnectorFolder
from tests.service_server.connecting import given_values
from tests.service_server.processes import RunningService, command, create_application, http, service
from tests.service_server.vault.echoing_app import (
    API_KEY,
    CLIENT_SECRET,
    FUNCTIONS,
    MODES,
    PASSPHRASE,
    PASSWORD,
    PIN,
    REFUSED_KEY,
    EchoingApp,
    connector,
    echoing_app,
)

pytestmark = pytest.mark.slow

OPERATOR_PASSWORD = "planted/operator+password\"&<77>'"
NOTE = "A note that may well be found"
PLANTED = {
    "client secret": CLIENT_SECRET,
    "API key": API_KEY,
    "password": PASSWORD,
    "refused key": REFUSED_KEY,
    "sensitive argument": PIN,
    "passphrase": PASSPHRASE,
    "operator's password": OPERATOR_PASSWORD,
}
_OF_ANOTHER_FUNCTION = re.compile(r"/console/calls\?function=(?!echo-)")


@define
class Lived:
    """What a service was told, answered, printed and kept."""

    secrets: dict[str, str] = Factory(dict)
    fleeting: dict[str, str] = Factory(dict)
    """Secrets that travel through browsers by design (state, codes, cookies, session tokens, connect links)."""
    answers: list[tuple[str, bytes]] = Factory(list)
    files: dict[str, bytes] = Factory(dict)
    output: bytes = b""


@cache
def spellings(secret: str) -> set[bytes]:
    """A secret as it could stand somewhere, in lower case: what is searched is made lower case, too, but base64."""
    json_forms = [json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]]
    forms = {secret, quote(secret, safe=""), quote_plus(secret), quote(secret), html.escape(secret), *json_forms}
    forms |= {form.replace("/", "\\/") for form in json_forms} | {html.escape(form) for form in json_forms}
    forms.add(secret.encode().hex())
    return {form.lower().encode() for form in forms}


@cache
def in_base64(secret: str) -> set[bytes]:
    """The parts of a secret that base64 writes the same whatever stands around it."""
    shifted = (base64.b64encode(bytes(offset) + secret.encode())[4:-4] for offset in range(3))
    return {each for text in shifted for each in (text, text.translate(bytes.maketrans(b"+/", b"-_")))}


def found(secrets: dict[str, str], data: bytes) -> list[str]:
    """The names of the secrets that stand in the data."""
    lower = data.lower()
    return [
        name
        for name, secret in secrets.items()
        if any(each in lower for each in spellings(secret)) or any(each in data for each in in_base64(secret))
    ]


def without_output(response: httpx.Response) -> bytes:
    """An answer as it is read; of a call's result not the output, which is the caller's to have."""
    head = b"\r\n".join(b": ".join(pair) for pair in response.headers.raw)
    content = response.content
    if response.status_code == 200 and response.request.method == "POST" and b'"network_code"' in content:
        content = json.dumps({key: value for key, value in response.json().items() if key != "output"}).encode()
    return str(response.url).encode() + b"\r\n" + head + b"\r\n\r\n" + content


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Lived:
    """Connecting in every way, calling, failing, refreshing, revoking and the console, beside the app."""
    folder, port = tmp_path_factory.mktemp("echoes"), free_port()
    data, lived = folder / "data", Lived()
    application = create_application(data, "Host", "https://host.example")
    command(data, "operator", "create", "olga", "--password-file", "/dev/stdin", stdin=OPERATOR_PASSWORD)
    with pytest.MonkeyPatch.context() as patch, echoing_app() as app:
        _record(patch, lived, port)
        ConnectorFolder(connector(app.url), FUNCTIONS).write(folder / "connectors", "echo")
        options = ["--connectors", str(folder / "connectors")]
        command(
            data, "app", "configure", "echo", "--client-id", "us", "--client-secret-file", "-", *options,
            stdin=CLIENT_SECRET,
        )  # fmt: skip
        options += ["--allow-host", app.url.removeprefix("http://"), "--log-level", "debug"]
        lived.secrets = {"application secret": application["app_secret"], **PLANTED}
        with service(data, *options, port=port, application=application) as running:
            _live(running, app, lived)
            _look(lived, data)
            running.program.process.send_signal(signal.SIGTERM)
            running.program.process.wait(timeout=30)
            lived.output = running.program.output().encode()
        _look(lived, data)
    lived.secrets |= {f"token {number}": token for number, token in enumerate(app.tokens)}
    lived.secrets |= {f"verifier {number}": verifier for number, verifier in enumerate(app.verifiers)}
    lived.secrets["vault key"] = lived.files["vault.key"].decode().split("\n")[0].partition(":")[2]
    lived.secrets["vault key in hex"] = base64.b64decode(lived.secrets["vault key"]).hex()
    assert len(app.tokens) >= 6
    assert len(app.verifiers) >= 2
    assert {"/revoke", "/token", "/me", "/change", "/things"} <= set(app.asked)
    return lived


def _record(patch: pytest.MonkeyPatch, lived: Lived, port: int) -> None:
    send = httpx.Client.send

    def recorded(client: httpx.Client, request: httpx.Request, **options: Any) -> httpx.Response:
        response = send(client, request, **options)
        if response.url.port == port:
            lived.answers.append((f"{request.method} {request.url.path}", without_output(response)))
            for name, value in response.cookies.items():
                lived.fleeting[f"cookie {name} {value[-6:]}"] = value
        return response

    patch.setattr(httpx.Client, "send", recorded)


def _look(lived: Lived, folder: Path) -> None:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            lived.files[path.name] = lived.files.get(path.name, b"") + path.read_bytes()


def _live(running: RunningService, app: EchoingApp, lived: Lived) -> None:
    for user, way, typed in (
        ("ann", "oauth", {}),
        ("bea", "key", {"key": API_KEY, "name": "bea"}),
        ("cleo", "basic", {"username": "cleo", "password": PASSWORD}),
    ):
        app.mode = "good"
        assert "connected" == _connect(running, lived, user, way, typed)
        _call(running, app, user)
        for mode in MODES[1:]:
            app.mode = mode
            _connect(running, lived, f"{user} {mode}", way, typed)
    app.mode = "good"
    assert "connected" != _connect(running, lived, "dora", "key", {"key": REFUSED_KEY, "name": "dora"})
    assert "connected" == _connect(running, lived, "emma", "oauth", {}, redirect_url="https://host.example/back")
    _refresh(running, app, lived)
    _disconnect(running, app)
    with running.api("ann") as ann:
        minted = ann.post("/session_tokens", json={}).json()["token"]
        lived.fleeting["session token"] = minted
        with http(running.url, {"Authorization": f"Bearer {minted}"}) as page:
            assert 200 == page.get("/apps").status_code
            assert 403 == page.post("/echo-passthrough-request", json={"method": "GET", "url": "/me"}).status_code
        with http(running.url, {"Authorization": f"Bearer {minted[:-4]}AAAA"}) as page:
            assert 401 == page.get("/apps").status_code
    _visit_console(running)


def _connect(running: RunningService, lived: Lived, user: str, way: str, typed: dict[str, str], **options: str) -> str:
    """Go through the connect page; how the session stands then."""
    with running.api(user) as api, http(running.url) as browser:
        session = api.post("/apps/echo/connect_sessions", json=options).json()
        lived.fleeting[f"connect link {session['id'][-6:]}"] = session["id"]
        address = session["url"].removeprefix(running.url)
        form = given_values(browser.get(f"{address}?auth={way}").text)
        browser.post(address, data={**form, **dict.fromkeys(("field.key",), "x" * 9000)})  # wrong input first
        answer = browser.post(address, data={**form, **{f"field.{name}": value for name, value in typed.items()}})
        if way == "oauth":
            target = unescape(re.findall(r'href="([^"]+/authorize[^"]+)"', answer.text)[0])
            (state,) = parse_qs(urlsplit(target).query)["state"]
            code = f"planted/code+{user}-of-a-sign-in=="
            lived.fleeting |= {f"state of {user}": state, f"code for {user}": code}
            done = browser.get("/oauth/callback", params={"state": state, "code": code}, follow_redirects=False)
            redeem = parse_qs(urlsplit(done.headers.get("location", "")).query).get("code")
            if redeem:
                lived.fleeting[f"redemption code for {user}"] = redeem[0]
                for given in ("planted/wrong+code==", redeem[0]):
                    api.post(f"/connect_sessions/{session['id']}/redeem", json={"code": given})
            browser.get("/oauth/callback", params={"state": state, "code": code})  # a second time
        browser.get(address)
        return api.get(f"/connect_sessions/{session['id']}").json()["status"]


def _call(running: RunningService, app: EchoingApp, user: str) -> None:
    """Calls with sensitive arguments, free-form requests, and calls that are refused."""
    arguments = {"pin": PIN, "passphrase": PASSPHRASE, "note": NOTE}
    free = {"method": "POST", "url": f"/change?api_key={quote(PASSPHRASE, safe='')}", "body": {"secret": PIN}}
    with running.api(user) as api:
        for mode in MODES:
            app.mode = mode
            api.post("/functions/echo-read", json=arguments)
            for _ in range(2):
                api.post("/functions/echo-change", json=arguments, headers={"Idempotency-Key": f"key of {user} {mode}"})
            api.post("/echo-passthrough-request", json=free)
        for wrong in ({"unknown": PIN}, {"pin": [PIN]}):
            api.post("/functions/echo-change", json={**arguments, **wrong})
        api.post("/echo-passthrough-request", json={"method": "GET", "url": f"//{PASSPHRASE}"})
        api.get("/apps/echo")
        api.get("/apps", headers={"Hash": "0" * 64})


def _refresh(running: RunningService, app: EchoingApp, lived: Lived) -> None:
    """Renewals that work, that fail in every way, and that are refused for good."""
    for mode in MODES:
        app.mode = "good"
        assert "connected" == _connect(running, lived, f"refreshing {mode}", "oauth", {})
        with running.api(f"refreshing {mode}") as api:
            account = api.get("/apps/echo").json()["connected_accounts"][0]
            app.mode, app.expired = mode, True
            asked = app.asked.count("/token")
            api.post("/functions/echo-read", json={"note": NOTE}, params={"connected_account_id": account["id"]})
            assert app.asked.count("/token") > asked


def _disconnect(running: RunningService, app: EchoingApp) -> None:
    """Revocations that fail in every way."""
    for mode in MODES:
        app.mode = mode
        with running.api(f"refreshing {mode}") as api:
            assert 204 == api.delete("/apps/echo/connected_accounts").status_code


def _visit_console(running: RunningService) -> None:
    """Read every page of the console, and every call's, but the empty lists of functions that nobody has called."""
    with http(running.url) as browser:
        page = browser.get("/console")
        token = re.findall(r'name="token" value="([^"]+)"', page.text)[0]
        for password in ("planted/wrong+operator+password", OPERATOR_PASSWORD):
            form = {"token": token, "next": "", "operator": "olga", "password": password}
            answer = browser.post("/console", data=form)
        assert 303 == answer.status_code
        seen, to_see = set(), {"/console"}
        while to_see:
            path = to_see.pop()
            seen.add(path)
            page = browser.get(path)
            assert 200 == page.status_code, path
            links = {unescape(each) for each in re.findall(r'href="(/console[^"#]*)"', page.text)}
            to_see |= {each for each in links - seen if not _OF_ANOTHER_FUNCTION.match(each)}
        assert len(seen) > 20


def test_the_search_finds_what_is_there(lived: Lived) -> None:
    """What is no secret is found everywhere: a secret would be, too."""
    database = b"".join(data for name, data in lived.files.items() if name.startswith("service.db"))
    fleeting = {name.split()[0] for name in lived.fleeting}

    assert {"service.db", "service.db-wal", "vault.key"} <= set(lived.files)
    assert ["note"] == found({"note": NOTE}, database)
    assert ["note"] == found({"note": NOTE}, b"".join(answer for _, answer in lived.answers))
    assert b"echo-change" in lived.output
    assert "token 0" in lived.secrets
    assert {"state", "code", "redemption", "cookie", "session", "connect"} <= fleeting


@pytest.mark.parametrize(
    "spell",
    [str, quote, html.escape, lambda text: json.dumps({"a": text}), str.upper, lambda text: text.encode().hex()],
)
def test_every_spelling_is_found(spell: Any) -> None:
    """A secret is found in other words around it, as the app and the pages may write it."""
    assert ["it"] == found({"it": API_KEY}, b"x" + spell(f"before {API_KEY} after").encode())
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        assert ["it"] == found({"it": API_KEY}, encode(f"be{API_KEY} after".encode()))


def test_no_secret_lies_in_the_data_directory(lived: Lived) -> None:
    """Neither the database nor its log files hold one, though the app put each into answers that were logged."""
    key = base64.b64decode(lived.secrets["vault key"])
    assert 32 == len(key)
    kept = {name: value for name, value in lived.fleeting.items() if not name.startswith("connect link")}
    for name in lived.files.keys() - {"vault.key"}:
        assert [] == found({**lived.secrets, **kept}, lived.files[name]), name
        assert key not in lived.files[name], name


def test_no_secret_is_printed(lived: Lived) -> None:
    """The log holds none, at its most talkative; nor the address of any connect page."""
    assert [] == found({**lived.secrets, **lived.fleeting}, lived.output)


def test_no_secret_is_answered(lived: Lived) -> None:
    """No address, header, error, page or console page holds one that the app repeated."""
    assert len(lived.answers) > 200
    for request, answer in lived.answers:
        assert [] == found(lived.secrets, answer), (request, answer[:3000])


def test_what_travels_through_browsers_stays_out_of_other_answers(lived: Lived) -> None:
    """Codes of providers come in and never go out; a session token is answered once, to the backend that asked."""
    codes = {name: code for name, code in lived.fleeting.items() if name.startswith("code")}
    token = {"session token": lived.fleeting["session token"]}
    assert codes
    for request, answer in lived.answers:
        body = answer.partition(b"\r\n")[2] if request == "GET /oauth/callback" else answer
        assert [] == found(codes, body), request
        assert [] == found(token, answer) or request == "POST /session_tokens", request
