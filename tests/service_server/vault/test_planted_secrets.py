"""Secrets that are planted in a working service are found nowhere but in the vault's key file."""

import base64
import hashlib
import json
import os
import re
import signal
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from attrs import Factory, define

from tests.examples.processes import SandboxApp, sandbox_app
from tests.real_apps.running import free_port
from tests.service_server.calls.sandbox_controls import expire_tokens, make_fault
from tests.service_server.connecting import connect_by_key, connect_by_sign_in
from tests.service_server.processes import RunningService, command, configure_app, create_application, http, service

pytestmark = pytest.mark.slow

CLIENT_SECRET = "planted-client-secret-3f9c"
OPERATOR_PASSWORD = "planted-operator-password-77d1"
REFUSED_KEY = "planted-key-that-the-app-refuses"
TITLE = "A ticket that may well be found"
_RUN = re.compile(rb"[A-Za-z0-9_-]{43,}")


@define
class Traces:
    """Everything a service left behind and said, and the secrets it was given."""

    data_directory: Path
    secrets: dict[str, bytes] = Factory(dict)
    answers: list[bytes] = Factory(list)
    files: dict[str, bytes] = Factory(dict)
    output: bytes = b""

    def look(self) -> None:
        """Take in all files of the data directory as they are now."""
        for path in sorted(self.data_directory.rglob("*")):
            if path.is_file():
                self.files[path.name] = self.files.get(path.name, b"") + path.read_bytes()


def _spellings(secret: bytes) -> set[bytes]:
    """A secret as it could stand somewhere: plain, in a URL, in hex, in base64 at each of its three offsets."""
    shifted = (base64.b64encode(bytes(offset) + secret)[4:-4] for offset in range(3))
    plain = {secret, quote(secret, safe="").encode(), secret.hex().encode()}
    return plain | {each for text in shifted for each in (text, text.translate(bytes.maketrans(b"+/", b"-_")))}


def _found(secrets: dict[str, bytes], data: bytes) -> list[str]:
    """The names of the secrets that stand in the data, in some spelling."""
    return [name for name, secret in secrets.items() if any(each in data for each in _spellings(secret))]


def _verifiers(challenges: set[bytes], data: bytes) -> list[bytes]:
    """PKCE verifiers in the data: what hashes to one of the challenges that were sent out."""
    found = []
    for run in set(_RUN.findall(data)):
        for length in range(43, 65):
            for start in range(len(run) - length + 1):
                part = run[start : start + length]
                digest = base64.urlsafe_b64encode(hashlib.sha256(part).digest()).rstrip(b"=")
                if digest in challenges:
                    found.append(part)
    return found


@pytest.fixture(scope="module")
def traces(tmp_path_factory: pytest.TempPathFactory) -> Traces:
    """What is left after connecting, calling, failing, refreshing, reconnecting and disconnecting."""
    folder = tmp_path_factory.mktemp("planted")
    traces = Traces(folder / "data")
    traces.data_directory.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        _record_answers(patch, traces.answers)
        _live(traces, folder / "grants.json")
    return traces


def _record_answers(patch: pytest.MonkeyPatch, answers: list[bytes]) -> None:
    send = httpx.Client.send

    def recorded(client: httpx.Client, request: httpx.Request, **options: Any) -> httpx.Response:
        response = send(client, request, **options)
        if "service-version" in response.headers or "request-id" in response.headers:  # not the app's own pages
            head = b"\r\n".join(b": ".join(pair) for pair in response.headers.raw)
            answers.append(str(response.url).encode() + b"\r\n" + head + b"\r\n\r\n" + response.content)
        return response

    patch.setattr(httpx.Client, "send", recorded)


def _live(traces: Traces, grants: Path) -> None:
    port, folder = free_port(), traces.data_directory
    application = create_application(folder, "Test host")
    traces.secrets |= {
        "application secret": application["app_secret"].encode(),
        "client secret": CLIENT_SECRET.encode(),
    }
    traces.secrets |= {"operator password": OPERATOR_PASSWORD.encode(), "refused key": REFUSED_KEY.encode()}
    command(folder, "operator", "create", "olga", "--password-file", "/dev/stdin", stdin=OPERATOR_PASSWORD)
    options = ["--client-secret", CLIENT_SECRET, "--grants-file", str(grants)]
    with sandbox_app(f"http://127.0.0.1:{port}/oauth/callback", *options) as sandbox:
        traces.secrets |= {f"API key of {user}": key.encode() for user, key in sandbox.api_keys.items()}
        configure_app(
            folder,
            "sandbox",
            client_id=sandbox.client_id,
            client_secret=CLIENT_SECRET,
            variables={"base_url": sandbox.url},
        )
        allowed = ["--allow-host", sandbox.url.removeprefix("http://"), "--log-level", "debug"]
        with service(folder, *allowed, port=port, application=application) as running:
            _use(running, sandbox, traces, grants)
            traces.look()
            running.program.process.send_signal(signal.SIGTERM)
            running.program.process.wait(timeout=30)
            traces.output = running.program.output().encode()
    traces.look()
    key = base64.b64decode(traces.files["vault.key"].partition(b":")[2].strip())
    traces.secrets["vault key"] = key


def _use(running: RunningService, sandbox: SandboxApp, traces: Traces, grants: Path) -> None:
    def remember_tokens() -> None:
        kept = json.loads(grants.read_text())
        for kind in ("access", "refresh"):
            for secret, *_ in kept[kind]:
                traces.secrets[f"{kind} token {secret[-6:]}"] = secret.encode()

    connect_by_sign_in(running, sandbox, "ann", "alice")
    remember_tokens()
    connect_by_key(running, "bea", sandbox.api_keys["bob"])
    with pytest.raises(AssertionError):  # the app refuses this key
        connect_by_key(running, "bea", REFUSED_KEY)
    with running.api("ann") as ann, running.api("bea") as bea:
        for api in (ann, bea):
            _call(api, sandbox)
        expire_tokens(sandbox)
        assert "200" == ann.post("/functions/sandbox-list-projects").json()["network_code"]
        remember_tokens()
        make_fault(sandbox, "/oauth/token", "server_error", times=9)
        expire_tokens(sandbox)
        assert "401" == ann.post("/functions/sandbox-list-projects").json()["network_code"]
        httpx.post(f"{sandbox.url}/_reset", json={"parts": ["faults"]}, trust_env=False).raise_for_status()
        httpx.post(f"{sandbox.url}/_revoke", json={}, trust_env=False).raise_for_status()
        assert "401" == ann.post("/functions/sandbox-list-projects").json()["network_code"]
        assert "reconnect_required" in ann.post("/functions/sandbox-list-projects").text
        connect_by_sign_in(running, sandbox, "ann", "alice")
        remember_tokens()
        make_fault(sandbox, "/oauth/revoke", "server_error", times=9)
        assert 204 == ann.delete("/apps/sandbox/connected_accounts").status_code
        token = ann.post("/session_tokens", json={}).json()["token"]
    with http(running.url, {"Authorization": f"Bearer {token}"}) as page:
        assert 200 == page.get("/apps").status_code
    _visit_console(running)


def _call(api: httpx.Client, sandbox: SandboxApp) -> None:
    """Calls that succeed, that the app refuses, that break off, and that are never sent."""
    ticket = {"title": TITLE, "project_id": "website", "fields": {"severity": "high"}}
    assert 200 == api.post("/functions/sandbox-create-ticket", json=ticket).status_code
    assert 200 == api.post("/functions/sandbox-create-ticket", json={**ticket, "fields": {}}).status_code
    assert 200 == api.post("/sandbox-passthrough-request", json={"method": "GET", "url": "/me"}).status_code
    assert 400 == api.post("/functions/sandbox-create-ticket", json={"titel": TITLE}).status_code
    for fault in ("reset_after_commit", "truncated_body", "malformed_json", "server_error"):
        make_fault(sandbox, "/api/v1/tickets", fault)
        assert 200 == api.post("/functions/sandbox-create-ticket", json=ticket).status_code
    assert 401 == api.get("/apps", headers={"Hash": "0" * 64}).status_code
    listed = api.get("/functions", params={"app": "sandbox", "include": "meta"})
    assert 200 == listed.status_code


def _visit_console(running: RunningService) -> None:
    """Read every kind of page of the console."""
    with http(running.url) as browser:
        page = browser.get("/console")
        token = re.search(r'name="token" value="([^"]+)"', page.text)
        assert token is not None
        form = {"token": token.group(1), "next": "", "operator": "olga", "password": OPERATOR_PASSWORD}
        assert 303 == browser.post("/console", data=form).status_code
        seen, to_see = set(), {"/console"}
        while to_see:
            path = to_see.pop()
            seen.add(path)
            page = browser.get(path)
            assert 200 == page.status_code, path
            to_see |= set(re.findall(r'href="(/console[^"#?]*)"', page.text)) - seen
        assert len(seen) > 5


@pytest.fixture
def challenges(traces: Traces) -> set[bytes]:
    """The PKCE challenges that were sent out, one for each sign-in."""
    found = set(re.findall(rb"code_challenge=([\w-]{43})", b"".join(traces.answers)))
    assert len(found) >= 2
    return found


def test_the_search_finds_what_is_there(traces: Traces) -> None:
    """What is not secret is found in database, log and answers: a secret would be, too."""
    database = b"".join(data for name, data in traces.files.items() if name.startswith("service.db"))
    tokens = [name for name in traces.secrets if "token" in name]

    assert {"service.db", "service.db-wal", "vault.key"} <= set(traces.files)
    assert TITLE.encode() in database
    assert b"sandbox-create-ticket" in traces.output
    assert TITLE.encode() in b"".join(traces.answers)
    assert len(tokens) >= 5
    assert ["vault key"] == _found(traces.secrets, traces.files["vault.key"])


@pytest.mark.parametrize("spell", [bytes, bytes.hex, base64.b64encode, base64.urlsafe_b64encode])
@pytest.mark.parametrize("before", [b"", b"a:", b"id:"])
def test_every_spelling_is_found(spell: Any, before: bytes) -> None:
    """A secret in plain, hex or base64, alone or behind a name as in Basic authentication, is found."""
    spelled = spell(before + b"planted secret \xff\xfe?")
    data = spelled.encode() if isinstance(spelled, str) else spelled

    assert ["it"] == _found({"it": b"planted secret \xff\xfe?"}, b"noise" + data + b"noise")


def test_verifiers_are_found() -> None:
    """A verifier within other text is found by its challenge."""
    verifier = base64.urlsafe_b64encode(os.urandom(32)).rstrip(b"=")
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier).digest()).rstrip(b"=")

    assert [verifier] == _verifiers({challenge}, b'{"verifier":"x' + verifier + b'yz"}')


def test_no_secret_lies_in_the_data_directory(traces: Traces, challenges: set[bytes]) -> None:
    """Neither the database nor its log files hold one, while the service runs and after it ended."""
    for name, data in traces.files.items():
        assert [] == _found(traces.secrets, data) or name == "vault.key", name
        assert [] == _verifiers(challenges, data), name


def test_no_secret_is_printed(traces: Traces, challenges: set[bytes]) -> None:
    """The log holds none, at its most talkative."""
    assert [] == _found(traces.secrets, traces.output)
    assert [] == _verifiers(challenges, traces.output)


def test_no_secret_is_answered(traces: Traces, challenges: set[bytes]) -> None:
    """No body, header or address that the service answered holds one, the console's pages included."""
    assert len(traces.answers) > 40
    for answer in traces.answers:
        assert [] == _found(traces.secrets, answer), answer[:500]
        assert [] == _verifiers(challenges, answer), answer[:500]
