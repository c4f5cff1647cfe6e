"""A Review Board of its own in a temporary folder, the whole service in front of it, and the ways through both."""

import contextlib
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
from attrs import frozen

from tests.real_apps.processes import executable
from tests.real_apps.review_board_sign_in import signed_in
from tests.real_apps.running import Running, free_port, running
from tests.real_apps.typed_credentials import Front
from tests.service_server.processes import configure_app, create_application, service

FOLDER = Path(__file__).parent / "review_board"
ACCESS_TOKEN_SECONDS = 5
REFUSALS_AN_HOUR = 60
"""It counts from one full hour to the next; a minute might end in the middle of a test."""
ADMINISTRATOR = ("admin", "password-of-admin")
_TOKEN_REQUEST = re.compile(r'"POST /oauth2/token/ HTTP/1.1" (\d+)')


@frozen
class ReviewBoard:
    """A running Review Board, and the OAuth2 client that its administrator has registered for the service."""

    url: str
    folder: Path
    program: Running
    client_id: str
    client_secret: str

    def api(self, login: str) -> httpx.Client:
        """Its own API for a person, by password."""
        return httpx.Client(base_url=f"{self.url}/api", auth=(login, f"password-of-{login}"), trust_env=False)

    def add_person(self, login: str) -> None:
        """Add a person, unless there is one of this name."""
        person = {"username": login, "password": f"password-of-{login}", "email": f"{login}@example.com"}
        with self.api("admin") as api:
            if api.get(f"/users/{login}/").status_code == 404:
                api.post("/users/", data=person).raise_for_status()

    def set_active(self, login: str, active: bool) -> None:
        """Shut a person out, or let them in again."""
        with self.api("admin") as api:
            api.put(f"/users/{login}/", data={"is_active": str(active)}).raise_for_status()

    def create_api_token(self, login: str) -> str:
        """Make a person an API token, as they do on their page."""
        self.add_person(login)
        with self.api(login) as api:
            made = api.post(f"/users/{login}/api-tokens/", data={"note": "functions", "policy": "{}"})
        made.raise_for_status()
        return str(made.json()["api_token"]["token"])

    def end_api_tokens(self, login: str) -> None:
        """Delete all API tokens of a person."""
        with self.api(login) as api:
            for token in api.get(f"/users/{login}/api-tokens/").json()["api_tokens"]:
                api.delete(f"/users/{login}/api-tokens/{token['id']}/").raise_for_status()

    def token_requests(self) -> list[str]:
        """With which statuses its token endpoint has answered so far."""
        return _TOKEN_REQUEST.findall(self.program.output())

    def forgive_refusals(self) -> None:
        """Forget how many tokens were refused lately; Review Board counts them in its cache."""
        shutil.rmtree(self.folder / "cache")


@frozen
class ReviewBoardWorld:
    """Review Board, and the service that users reach it by."""

    review_board: ReviewBoard
    front: Front

    def connect(self, user_id: str, login: str, reconnect: int | None = None) -> int:
        """Connect an account by signing in to Review Board, which must succeed; its id."""
        self.review_board.add_person(login)

        def allowed(url: str) -> str:
            with signed_in(url, login, f"password-of-{login}") as consent:
                return consent.authorize()

        return self.front.connect_by_sign_in(user_id, allowed, reconnect)


@contextlib.contextmanager
def review_board(redirect_uri: str, *, refusals_an_hour: int = REFUSALS_AN_HOUR) -> Iterator[ReviewBoard]:
    """Run Review Board with everything it writes in a temporary folder; its access tokens end soon."""
    with tempfile.TemporaryDirectory(prefix="review-board-") as name:
        folder = Path(name)
        environment = {
            "HOME": name,
            "REVIEWBOARD_SITEDIR": str(folder / "site"),
            # Or else it looks for an environment of virtualenv in its folder, where it has put one of venv.
            "VIRTUAL_ENV": str(executable("python").parents[1]),
            "ACCESS_TOKEN_SECONDS": str(ACCESS_TOKEN_SECONDS),
            "REFUSALS_AN_HOUR": str(refusals_an_hour),
        }
        with running(_installation(folder), env=environment) as installer:
            installer.wait_until(lambda: True if installer.process.poll() == 0 else None)
        port = free_port()
        command: list[str | Path] = [executable("gunicorn"), "--bind", f"127.0.0.1:{port}", "--threads", "4"]
        command += ["--chdir", FOLDER, "--access-logfile", "-", "short_tokens:application"]
        with running(command, env=environment) as program:
            url = f"http://127.0.0.1:{port}"
            program.answers(f"{url}/api/info/")
            client = _register_client(url, redirect_uri)
            yield ReviewBoard(url, folder, program, *client)


@contextlib.contextmanager
def review_board_world(folder: Path) -> Iterator[ReviewBoardWorld]:
    """Start both, the service set up with Review Board as an operator does it."""
    port = free_port()
    application = create_application(folder, "Acme Desk")
    with review_board(f"http://127.0.0.1:{port}/oauth/callback") as app:
        configure_app(
            folder,
            "review_board",
            client_id=app.client_id,
            client_secret=app.client_secret,
            variables={"server_url": app.url},
        )
        with service(folder, "--allow-host", urlsplit(app.url).netloc, port=port, application=application) as started:
            yield ReviewBoardWorld(app, Front(started, "review_board"))


def _installation(folder: Path) -> list[str | Path]:
    """The command that makes a site; without `--sitelist` it would write to /etc."""
    login, password = ADMINISTRATOR
    options = {
        "domain-name": "127.0.0.1",
        "site-root": "/",
        "static-url": "static/",
        "media-url": "media/",
        "db-type": "sqlite3",
        "db-name": folder / "reviewboard.db",
        "cache-type": "file",
        "cache-info": folder / "cache",
        "web-server-type": "apache",
        "admin-user": login,
        "admin-password": password,
        "admin-email": "admin@example.com",
        "company": "Acme",
        "sitelist": folder / "sites",
    }
    given = [f"--{name}={value}" for name, value in options.items()]
    return [executable("rb-site"), "install", "--noinput", "--advanced", *given, folder / "site"]


def _register_client(url: str, redirect_uri: str) -> tuple[str, str]:
    """Add an OAuth2 application as the administrator; its id and secret."""
    form = {
        "name": "Acme Desk",
        "client_type": "confidential",
        "authorization_grant_type": "authorization-code",
        "redirect_uris": redirect_uri,
        "enabled": "1",
    }
    made = httpx.post(f"{url}/api/oauth-apps/", data=form, auth=ADMINISTRATOR, trust_env=False)
    made.raise_for_status()
    application = made.json()["oauth_app"]
    return application["client_id"], application["client_secret"]
