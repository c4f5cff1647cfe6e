"""A third-party app that repeats whatever it was sent, in every answer, at every place, in every spelling."""

import base64
import contextlib
import html
import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, unquote_plus

from attrs import define, field

from tests.service_server.catalog.connector_folder import known_at, parameter
from tests.service_server.function_files import mutation, query
from tests.service_server.http_app import Answering, answering

# Characters that JSON, HTML, URLs and base64 each write in another way.
CLIENT_SECRET = "planted/client+secret\"&<3f9c>'"
API_KEY = "planted/api+key\"&<a1b2>'"
PASSWORD = "planted/password+typed\"&<7d>' in"
REFUSED_KEY = "planted/refused+key\"&<c3>'"
PIN = "planted/sensitive+argument\"&<9>'é"
PASSPHRASE = "PlantedPassphrase8x"  # fits into a host and an error code, as the tokens do
MODES = ("good", "refused", "failing", "page", "elsewhere", "host", "cut", "no http", "silent")


@define
class EchoingApp:
    """How it answers from now on (`expired`: the next call with a 401 first); the tokens it gave, what it was told."""

    url: str = ""
    mode: str = "good"
    expired: bool = False
    tokens: list[str] = field(factory=list)
    asked: list[str] = field(factory=list)
    verifiers: list[str] = field(factory=list)

    def new_token(self, kind: str) -> str:
        """A token with a recognisable name."""
        self.tokens.append(f"Planted{kind}Token{len(self.tokens):04}x")
        return self.tokens[-1]


@contextlib.contextmanager
def echoing_app() -> Iterator[EchoingApp]:
    """Run the app on a free loopback port."""
    app = EchoingApp()

    class Handler(Answering):
        def respond(self) -> None:
            path, body = self.path.partition("?")[0], self.content().decode()
            app.asked.append(path)
            app.verifiers += re.findall("code_verifier=([^&]+)", body)
            sent = f"{self.path} {unquote_plus(self.path)} {self.headers.as_string()} {body} "
            sent += unquote_plus(body) + _basic(self.headers.get("Authorization", ""))
            echo = _echoes(sent)
            expired, app.expired = app.expired and path == "/things", app.expired and path != "/things"
            status, headers, answer = (401, {}, echo["json"]) if expired else _made(app, path, echo, _fitting(sent))
            whole = expired or path == "/me"
            if app.mode in ("silent", "no http") and not whole:
                self.wfile.write(json.dumps(echo).encode() if app.mode == "no http" else b"")
                self.close_connection = True
                return
            content = answer.encode()
            self.send_response(status, quote(sent)[:200])
            for name, value in headers.items():
                self.send_header(name, value)
            for name in ("X-Echo", "Set-Cookie", "WWW-Authenticate", "Retry-Note"):
                self.send_header(name, quote(sent)[:4000])
            self.send_header("Content-Length", str(len(content) + (100 if app.mode == "cut" and not whole else 0)))
            self.end_headers()
            self.wfile.write(content)

    with answering(Handler) as app.url:
        yield app


def _made(app: EchoingApp, path: str, echo: dict[str, str], secret: str) -> tuple[int, dict[str, str], str]:
    json_type = {"Content-Type": "application/json"}
    if path == "/me":
        refused = REFUSED_KEY in echo["plain"]
        me = {"id": echo["plain"][-900:], "name": f"Known by {echo['plain']}", **echo}
        return (401 if refused else 200), json_type, json.dumps(me)
    if path == "/token" and app.mode == "good":
        token = {"access_token": app.new_token("Access"), "refresh_token": app.new_token("Refresh"), "expires_in": 3600}
        return 200, json_type, json.dumps({**token, "token_type": "bearer", "note": echo})
    if app.mode == "refused":
        return 400, json_type, json.dumps({"error": secret, "error_description": echo, "error_uri": echo["url"]})
    if app.mode == "failing":
        return 500, json_type, json.dumps({"error": {"message": echo, "cause": [echo]}})
    if app.mode == "page":
        return 503, {"Content-Type": "text/html"}, f"<h1>{echo['html']}</h1>{echo['plain']}"
    if app.mode == "elsewhere":
        return 302, {"Location": f"http://elsewhere.example/{echo['url'][:3000]}?token={echo['url'][:3000]}"}, ""
    if app.mode == "host":
        return 302, {"Location": f"https://{secret}.example/"}, ""
    return 200, json_type, json.dumps({"items": [echo], "note": echo["plain"], "echo": echo})


def _basic(authorization: str) -> str:
    with contextlib.suppress(ValueError):
        return unquote_plus(base64.b64decode(authorization.partition(" ")[2]).decode())
    return ""


def _fitting(sent: str) -> str:
    """A planted secret of what was sent that is nothing but letters and digits."""
    return max(re.findall(r"Planted[A-Za-z]+[0-9]+x", sent), key=len, default="nothing-planted")


def _echoes(sent: str) -> dict[str, str]:
    """What was sent in many spellings."""
    encoded = base64.b64encode(sent.encode()).decode()
    return {
        "plain": sent,
        "url": quote(sent, safe=""),
        "lower_url": re.sub("%[0-9A-F]{2}", lambda each: each[0].lower(), quote(sent, safe="")),
        "html": html.escape(sent),
        "json": json.dumps({"in": sent}),
        "json_in_json": json.dumps({"in": sent}, ensure_ascii=False).replace("/", "\\/"),
        "base64": encoded,
        "base64_shifted": base64.b64encode(f"x{sent}".encode()).decode(),
        "base64_url": base64.urlsafe_b64encode(f"xx{sent}".encode()).decode(),
        "hex": sent.encode().hex(),
    }


def connector(url: str) -> dict[str, Any]:
    """The app's connector file."""
    sign_in = {"authorize_url": f"{url}/authorize", "token_url": f"{url}/token", "revoke_url": f"{url}/revoke"}
    bearer = {"header": {"Authorization": "Bearer ${token.access_token}"}}
    fields = {"key": {"title": "Key"}, "name": {"title": "Name", "secret": False}}
    key = {"query": {"key": "${creds.key}"}, "header": {"X-Key": "${creds.key}"}}
    return known_at(
        url,
        {"id": "oauth", "type": "oauth2_code", "title": "Sign in", **sign_in, "inject": bearer},
        {"id": "key", "type": "api_key", "title": "Key", "fields": fields, "inject": key},
        {"id": "basic", "type": "basic", "title": "Password"},
        name="echo",
        title="Echo",
        passthrough={"methods": ["GET", "POST", "PUT", "PATCH", "DELETE"]},
    )


_TAKEN = {"pin": parameter() | {"x-sensitive": True}, "passphrase": parameter(), "note": parameter()}
_SENT = {"pin": "${args.pin?}", "words": "${args.passphrase?}", "note": "${args.note?}"}
FUNCTIONS = {
    "read": query({"get": "/things", "query": _SENT}, takes=_TAKEN, output="items"),
    "change": mutation({"post": "/change", "body": _SENT}, takes=_TAKEN),
}
