"""The app's own pages: home, login, API keys; and what every page needs: session, CSRF check, headers."""

import secrets
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from examples.sandbox_app.messages import Refusal, Request, Response, see_other
from examples.sandbox_app.routes import Route
from examples.sandbox_app.settings import Settings
from examples.sandbox_app.users import USERS, ApiKeys, Session, Sessions, User, check_password

FOLDER = Path(__file__).parent
COOKIE = "tickets_session"
HOME = "/"
STATIC = {"tickets.css": "text/css; charset=utf-8", "tickets.svg": "image/svg+xml"}


class Pages:
    """Renders pages and answers those that are about the user's own account."""

    def __init__(self, settings: Settings, sessions: Sessions, keys: ApiKeys) -> None:
        self.sessions = sessions
        self._settings = settings
        self._keys = keys
        self._templates = Environment(
            loader=FileSystemLoader(FOLDER / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )

    def routes(self) -> tuple[Route, ...]:
        """Every page that is not part of OAuth."""
        return (
            Route("GET", HOME, self.home),
            Route("GET", "/static/{name}", self.static),
            Route("GET", "/login", self.login_page),
            Route("POST", "/login", self.login),
            Route("POST", "/logout", self.logout),
            Route("GET", "/account/api-keys", self.api_keys_page),
            Route("POST", "/account/api-keys", self.create_api_key),
            Route("POST", "/account/api-keys/{key_id}/revoke", self.revoke_api_key),
        )

    def render(
        self, template: str, context: dict[str, Any], *, status: int = 200, form_leaves: bool = False
    ) -> Response:
        """
        A page; with `form_leaves` the redirects after its form may lead to other sites.

        Browsers hold `form-action` against every redirect that follows, and where a client sends its user on is not
        ours to know.
        """
        body = self._templates.get_template(template).render(**context).encode()
        policy = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'"
        if not form_leaves:
            policy += "; form-action 'self'"
        headers = (
            ("content-type", "text/html; charset=utf-8"),
            ("cache-control", "no-store"),
            ("content-security-policy", policy),
            ("cross-origin-opener-policy", self._settings.opener_policy),
            ("referrer-policy", "no-referrer"),
            ("x-content-type-options", "nosniff"),
        )
        return Response(status, headers, body)

    def error_page(self, refusal: Refusal) -> Response:
        """What a person sees of a refusal."""
        context = {"title": _TITLES.get(refusal.status, "That did not work"), "message": refusal.message}
        return self.render("error.html", context, status=refusal.status).with_headers(*refusal.headers)

    def session(self, request: Request) -> Session | None:
        """The visitor's session, if there is one."""
        return self.sessions.find(request.cookie(COOKIE))

    def checked_form(self, request: Request, session: Session) -> dict[str, str]:
        """The fields of a form that this session was shown; raises `Refusal` 403 for any other."""
        form = request.form()
        if not secrets.compare_digest(form.get("csrf_token", "").encode(), session.csrf_token.encode()):
            raise Refusal(403, "forbidden", "This form is out of date. Go back, load the page again, and retry.")
        return form

    def home(self, request: Request) -> Response:
        """Say what this is."""
        session = self.session(request)
        user = session.user if session else None
        return self.render("home.html", {"user": user, "csrf_token": session.csrf_token if session else ""})

    def static(self, request: Request, name: str) -> Response:
        """A style sheet or an image."""
        if name not in STATIC:
            raise Refusal(404, "not_found", "There is nothing here.")
        headers = (("content-type", STATIC[name]), ("cache-control", "max-age=300"))
        return Response(200, headers, (FOLDER / "static" / name).read_bytes())

    def login_page(self, request: Request) -> Response:
        """Ask for name and password."""
        return self._login_form(self.session(request), _next_path(request.query.get("next", [HOME])[0]))

    def login(self, request: Request) -> Response:
        """Sign in and go on to `next`."""
        session = self.session(request)
        if session is None:
            raise Refusal(403, "forbidden", "This form is out of date. Go back, load the page again, and retry.")
        form = self.checked_form(request, session)
        following = _next_path(form.get("next", HOME))
        username = form.get("username", "")
        user = check_password(username, form.get("password", ""))
        if user is None:
            return self._login_form(session, following, username=username, failed=True)
        self.sessions.close(session)
        return self._with_cookie(see_other(following), self.sessions.open(user))

    def logout(self, request: Request) -> Response:
        """Sign out."""
        session = self.session(request)
        if session is not None:
            self.checked_form(request, session)
            self.sessions.close(session)
        return see_other(HOME)

    def api_keys_page(self, request: Request) -> Response:
        """Show the user's keys."""
        session, user = self._signed_in(request)
        context = {"user": user, "keys": self._keys.of(user), "csrf_token": session.csrf_token}
        return self.render("api_keys.html", context)

    def create_api_key(self, request: Request) -> Response:
        """Make another key."""
        session, user = self._signed_in(request)
        self.checked_form(request, session)
        if len(self._keys.of(user)) >= 20:
            raise Refusal(400, "bad_request", "You have 20 keys. Revoke one first.")
        self._keys.create(user)
        return see_other("/account/api-keys")

    def revoke_api_key(self, request: Request, key_id: str) -> Response:
        """Delete a key."""
        session, user = self._signed_in(request)
        self.checked_form(request, session)
        known = key_id.isascii() and key_id.isdigit() and len(key_id) < 10 and self._keys.revoke(user, int(key_id))
        if not known:
            raise Refusal(404, "not_found", "You have no such key.")
        return see_other("/account/api-keys")

    def _signed_in(self, request: Request) -> tuple[Session, User]:
        session = self.session(request)
        if session is None or session.user is None:
            path = request.path if request.method == "GET" else "/account/api-keys"
            raise SignInFirst("/login?next=" + quote(path, safe=""))
        return session, session.user

    def _login_form(
        self, session: Session | None, following: str, *, username: str = "", failed: bool = False
    ) -> Response:
        session = session or self.sessions.open()
        context = {
            "users": USERS,
            "next": following,
            "username": username,
            "failed": failed,
            "csrf_token": session.csrf_token,
            "connecting": following.startswith("/oauth/"),
        }
        return self._with_cookie(self.render("login.html", context, status=401 if failed else 200), session)

    def _with_cookie(self, response: Response, session: Session) -> Response:
        # Lax: the cookie must come along when an app sends its user here.
        attributes = "Path=/; HttpOnly; SameSite=Lax"
        if self._settings.url.startswith("https:"):
            attributes += "; Secure"
        return response.with_headers(("set-cookie", f"{COOKIE}={session.id}; {attributes}"))


class SignInFirst(Exception):
    """A page that needs a signed-in user was asked for by somebody else."""

    def __init__(self, location: str) -> None:
        super().__init__(location)
        self.location = location


_TITLES = {403: "That form is out of date", 404: "Page not found", 405: "That does not work here"}


def _next_path(value: str) -> str:
    """`value` if it is a path of this app, else the home page: nobody is sent elsewhere."""
    local = value.startswith("/") and not value.startswith("//")
    plain = value.isascii() and value.isprintable() and "\\" not in value
    return value if local and plain and len(value) < 8000 else HOME
