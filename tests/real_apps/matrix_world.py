"""A Synapse of its own in a temporary folder, the whole service in front of it, and its users' ways through both."""

import contextlib
import re
import secrets
import tempfile
from collections.abc import Iterator
from pathlib import Path
from string import Template
from urllib.parse import urlsplit

import httpx
from attrs import field, frozen

from tests.real_apps.processes import executable
from tests.real_apps.running import Running, free_port, running
from tests.real_apps.typed_credentials import Attempt, Front
from tests.service_server.processes import UNLIMITED, service

FOLDER = Path(__file__).parent / "synapse"
ACCESS_TOKEN_SECONDS = 5
_ANSWERED = re.compile(r'Processed request: .* (\d+) "([^"]+) HTTP/')


@frozen
class Synapse:
    """A running homeserver of the name `localhost`; `administrator` is its administrator's token."""

    url: str
    program: Running
    administrator: str = field(repr=False)

    def api(self, token: str) -> httpx.Client:
        """Its own API, with an access token."""
        headers = {"authorization": f"Bearer {token}"}
        return httpx.Client(base_url=self.url, headers=headers, trust_env=False, timeout=60)

    def add_person(self, login: str) -> str:
        """Add a person, unless there is one of this name; the id."""
        person = f"@{login}:localhost"
        url = f"/_synapse/admin/v2/users/{person}"
        with self.api(self.administrator) as api:
            if api.get(url).status_code == 404:
                body = {"password": f"password-of-{login}", "displayname": login.title()}
                api.put(url, json=body).raise_for_status()
        return person

    def sign_in(self, login: str) -> str:
        """Sign in as a person who is there, on a client that can't renew; an access token that does not end."""
        return log_in(self.url, login)

    def change_password(self, login: str, password: str) -> None:
        """Give a person another password, which ends all their sessions."""
        with self.api(self.administrator) as api:
            body = {"password": password, "logout_devices": True}
            api.put(f"/_synapse/admin/v2/users/@{login}:localhost", json=body).raise_for_status()

    def allow_a_message_a_second(self, login: str) -> None:
        """Refuse a person's second message within a second, however fast this machine is."""
        with self.api(self.administrator) as api:
            url = f"/_synapse/admin/v1/users/@{login}:localhost/override_ratelimit"
            api.post(url, json={"messages_per_second": 1, "burst_count": 1}).raise_for_status()

    def sessions(self, login: str) -> int:
        """How many sessions a person has, in whatever client."""
        with self.api(self.administrator) as api:
            return int(api.get(f"/_synapse/admin/v2/users/@{login}:localhost/devices").json()["total"])

    def takes(self, token: str) -> bool:
        """Whether an access token works."""
        with self.api(token) as api:
            return api.get("/_matrix/client/v3/account/whoami").status_code == 200

    def renew(self, refresh_token: str) -> httpx.Response:
        """Use a refresh token without the service."""
        url = f"{self.url}/_matrix/client/v3/refresh"
        return httpx.post(url, json={"refresh_token": refresh_token}, trust_env=False)

    def answers(self, request: str) -> list[str]:
        """With which statuses it has answered so far to requests that begin like this, such as `PUT /_matrix/`."""
        answered = _ANSWERED.findall(self.program.output())
        return [status for status, line in answered if line.startswith(request)]

    def renewals(self) -> list[str]:
        """With which statuses it has answered to refresh tokens so far."""
        return self.answers("POST /_matrix/client/v3/refresh")


@frozen
class MatrixWorld:
    """Synapse, and the service that users reach it by."""

    synapse: Synapse
    front: Front

    def connect(self, user_id: str, login: str, reconnect: int | None = None) -> int:
        """Connect an account by user name and password, which must succeed; its id."""
        self.synapse.add_person(login)
        return self.front.connect(user_id, "password", self.password_fields(login), reconnect)

    def try_to_connect(self, user_id: str, login: str, password: str | None = None, **options: int) -> Attempt:
        """Fill in the service's page with a user name and a password once."""
        return self.front.try_to_connect(user_id, "password", self.password_fields(login, password), **options)

    def password_fields(self, login: str, password: str | None = None) -> dict[str, str]:
        """What a person types into the service's page; their own password unless another one is given."""
        return {
            "variable.homeserver": self.synapse.url,
            "field.username": login,
            "field.password": f"password-of-{login}" if password is None else password,
        }

    def token_fields(self, token: str) -> dict[str, str]:
        """What a person types in who has an access token."""
        return {"variable.homeserver": self.synapse.url, "field.access_token": token}


def log_in(url: str, login: str) -> str:
    """Log in at a homeserver with a person's password; the access token."""
    identifier = {"type": "m.id.user", "user": login}
    body = {"type": "m.login.password", "identifier": identifier, "password": f"password-of-{login}"}
    answer = httpx.post(f"{url}/_matrix/client/v3/login", json=body, trust_env=False)
    answer.raise_for_status()
    return str(answer.json()["access_token"])


@contextlib.contextmanager
def synapse() -> Iterator[Synapse]:
    """Run Synapse with everything it writes in a temporary folder; access tokens that can be renewed end soon."""
    with tempfile.TemporaryDirectory(prefix="synapse-") as name:
        folder = Path(name)
        port = free_port()
        configuration = _configure(folder, port)
        homeserver: list[str | Path] = [executable("python"), "-m", "synapse.app.homeserver"]
        with running([*homeserver, *configuration], cwd=folder) as program:
            url = f"http://127.0.0.1:{port}"
            program.answers(f"{url}/_matrix/client/versions")
            register: list[str | Path] = [executable("register_new_matrix_user"), *configuration, "--admin"]
            register += ["--user", "admin", "--password", "password-of-admin", url]
            _run(register, folder)
            yield Synapse(url, program, log_in(url, "admin"))


@contextlib.contextmanager
def matrix_world(folder: Path) -> Iterator[MatrixWorld]:
    """Start both; the operator has nothing to set up but that the service may reach this address."""
    with synapse() as app, service(folder, "--allow-host", urlsplit(app.url).netloc, env=UNLIMITED) as started:
        yield MatrixWorld(app, Front(started, "matrix"))


def _configure(folder: Path, port: int) -> list[str | Path]:
    """Have Synapse make its configuration and keys, and lay ours over it; the options that name both."""
    generated, ours = folder / "homeserver.yaml", folder / "tests.yaml"
    command: list[str | Path] = [executable("python"), "-m", "synapse.app.homeserver", "--generate-config"]
    command += ["--report-stats", "no", "--server-name", "localhost", "--config-path", generated]
    _run(command, folder)
    (folder / "logging.yaml").write_text((FOLDER / "logging.yaml").read_text())
    values = {
        "port": port,
        "folder": folder,
        "registration_secret": secrets.token_hex(16),
        "access_token_seconds": ACCESS_TOKEN_SECONDS,
    }
    ours.write_text(Template((FOLDER / "homeserver.yaml").read_text()).substitute(values))
    return ["-c", generated, "-c", ours]


def _run(command: list[str | Path], folder: Path) -> None:
    """Run a program to its end."""
    with running(command, cwd=folder) as program:
        program.wait_until(lambda: True if program.process.poll() == 0 else None)
