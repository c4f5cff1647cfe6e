"""
A backend in Flask: its page embeds ServiceJS, and it calls a function for the user who is signed in.

Run it beside the demo, with the key, the secret and the address of the service that the demo prints:
`APP_KEY=… APP_SECRET=… SERVICE_URL=… flask --app examples.backends.with_flask run --port 9000`. It needs the packages
flask and service-client.
"""

import os
import secrets
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Response, abort, make_response, render_template, request, session
from werkzeug.exceptions import HTTPException

from service_client import CallRefusedError, Client, ServiceClientError, sign

APP_KEY, APP_SECRET = os.environ["APP_KEY"], os.environ["APP_SECRET"]
SERVICE_URL = os.environ["SERVICE_URL"]
POLICY = (
    f"default-src 'none'; script-src 'self' {SERVICE_URL} 'wasm-unsafe-eval'; worker-src blob:; "
    f"connect-src 'self' {SERVICE_URL}; img-src {SERVICE_URL}; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types servicejs"
)

# One client for all threads, which keeps its connections.
client = Client(SERVICE_URL, app_key=APP_KEY, secret=APP_SECRET)

app = Flask(__name__)
app.config.update(
    # Signs the session's cookie. Give it where there are several processes, or sessions should outlive a restart.
    SECRET_KEY=os.environ.get("SESSION_KEY") or secrets.token_hex(),
    SESSION_COOKIE_SAMESITE="Lax",  # with TLS also: SESSION_COOKIE_SECURE=True
    MAX_CONTENT_LENGTH=10_000,
)


@app.before_request
def check_origin() -> None:
    """Refuse changes that another site's page asks for in the user's name."""
    if request.method not in ("GET", "HEAD") and not from_own_page():
        abort(403, "This request comes from another site.")


def from_own_page() -> bool:
    """Whether a page of this backend sent the request, as the browser says."""
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site == "same-origin"
    return urlsplit(request.headers.get("Origin", "")).netloc == request.headers.get("Host")  # an older browser


@app.errorhandler(HTTPException)
def tell(problem: HTTPException) -> tuple[dict[str, Any], int]:
    """Answer with JSON, as the page reads it."""
    return {"detail": problem.description}, problem.code or 500


def signed_in_user() -> str:
    """Return the id of the user who is signed in, from the session that your own login has made."""
    user_id: str | None = session.get("user_id")
    if user_id is None:
        abort(401, "Sign in first.")
    return user_id


@app.get("/")
def index() -> Response:
    """Show the page, which holds nothing of the user and nothing secret."""
    page = make_response(render_template("index.html", service_url=SERVICE_URL))
    page.headers["Content-Security-Policy"] = POLICY
    return page


@app.post("/sign-in")
def sign_in() -> dict[str, str]:
    """Your own login belongs here: this one lets in whoever gives a name."""
    user_name = request.form.get("user_name", "")
    if not (1 <= len(user_name) <= 100 and user_name.isprintable()):
        abort(400, "This is no user name.")
    session.clear()
    session["user_id"] = user_name
    return {"userId": user_name}


@app.post("/sign-out")
def sign_out() -> dict[str, str]:
    """End the session."""
    session.clear()
    return {}


@app.get("/service-credentials")
def service_credentials() -> tuple[dict[str, str], dict[str, str]]:
    """Tell the page of the signed-in user, and nobody else, the hash that ServiceJS proves them by."""
    user_id = signed_in_user()
    credentials = {"appKey": APP_KEY, "userId": user_id, "hash": sign(user_id, APP_SECRET)}
    return credentials, {"Cache-Control": "no-store"}


@app.post("/report")
def report() -> dict[str, Any]:
    """Create a ticket in the account that the user has connected."""
    user = client.for_user(signed_in_user())
    ticket = {"title": "Weekly report", "project_id": "office"}
    try:
        result = user.functions.call("sandbox-create-ticket", ticket)
        return {"ticket": result.raise_for_failure().output}
    except CallRefusedError as refusal:  # nothing was sent to the app, say because no account is connected yet
        abort(409, refusal.envelope.error)
    except ServiceClientError:
        abort(502, "The report could not be sent.")
