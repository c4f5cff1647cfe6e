"""A WordPress with its database in a temporary folder, and the whole service in front of it."""

import contextlib
import getpass
import os
import secrets
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
from attrs import field, frozen

from tests.real_apps.debian import needs, processes_of
from tests.real_apps.running import Running, free_port, running
from tests.real_apps.typed_credentials import Front
from tests.service_server.processes import service

PACKAGES = "wordpress php-cli php-mysql mariadb-server"
PROGRAM = Path("/usr/share/wordpress")
_PHP, _DATABASE, _INSTALL = Path("/usr/bin/php"), Path("/usr/sbin/mariadbd"), Path("/usr/bin/mariadb-install-db")
_FILES = Path(__file__).parent / "wordpress"


@frozen
class Password:
    """An application password of a person as WordPress shows it, in groups of four, and how WordPress calls it."""

    login: str
    user_id: int
    uuid: str
    text: str = field(repr=False)


@frozen
class WordPress:
    """A running WordPress, its administrator's application password, and the programs that it consists of."""

    url: str
    password: str = field(repr=False)
    program: Running
    database: Running

    def goes_on(self) -> None:
        """Raise `EndedEarly` if one of its programs has ended: WordPress itself would only say that it has no data."""
        self.database.goes_on()
        self.program.goes_on()

    def api(self) -> httpx.Client:
        """WordPress' own API, for the administrator."""
        base_url = f"{self.url}/wp-json/wp/v2"
        return httpx.Client(base_url=base_url, auth=("admin", self.password), trust_env=False, timeout=30)

    def new_password(self, login: str) -> Password:
        """Make an application password for a person."""
        with self.api() as api:
            (user,) = api.get("/users", params={"slug": login, "context": "edit"}).json()
            answer = api.post(f"/users/{user['id']}/application-passwords", json={"name": secrets.token_hex(4)})
        made = answer.raise_for_status().json()
        return Password(login, user["id"], made["uuid"], made["password"])

    def revoke(self, password: Password) -> None:
        """Take an application password back, as a person does on their profile page."""
        with self.api() as api:
            path = f"/users/{password.user_id}/application-passwords/{password.uuid}"
            api.delete(path).raise_for_status()

    def fields(self, password: Password) -> dict[str, str]:
        """What a person types into the service's connect page."""
        return {"variable.server_url": self.url, "field.username": password.login, "field.password": password.text}


@frozen
class WordPressWorld:
    """WordPress, and the service that users reach it by."""

    wordpress: WordPress
    front: Front


def need_wordpress() -> None:
    """Skip where WordPress, PHP with its database driver, or the database is not installed."""
    needs(PACKAGES)


@contextlib.contextmanager
def wordpress() -> Iterator[WordPress]:
    """Run WordPress with everything it writes in a temporary folder."""
    with _temporary_folder() as folder, database(folder) as (socket, mariadb):
        url = f"http://127.0.0.1:{free_port()}"
        environment = {
            "WORDPRESS_SITE": str(_lay_out(folder / "site")),
            "WORDPRESS_DATABASE": str(socket),
            "WORDPRESS_URL": url,
            "WORDPRESS_SECRET": secrets.token_hex(16),
            "PHP_CLI_SERVER_WORKERS": "4",
        }
        with running([_PHP, _FILES / "seed.php"], env=environment) as program:
            seeded: dict[str, Any] = program.first_json_line()
        with running([_PHP, "-S", urlsplit(url).netloc, _FILES / "router.php"], env=environment) as program:
            program.answers(f"{url}/wp-json/")
            yield WordPress(url, seeded["password"], program, mariadb)


@contextlib.contextmanager
def wordpress_world(folder: Path) -> Iterator[WordPressWorld]:
    """Start both; the operator has nothing to set up for WordPress but that the service may reach it."""
    with wordpress() as app, service(folder, "--allow-host", urlsplit(app.url).netloc) as started:
        yield WordPressWorld(app, Front(started, "wordpress"))


@contextlib.contextmanager
def _temporary_folder() -> Iterator[Path]:
    """A folder that nobody uses any more at the end."""
    with tempfile.TemporaryDirectory(prefix="wordpress-") as name:
        yield Path(name)
        assert [] == processes_of(Path(name))


def _lay_out(site: Path) -> Path:
    """Make a site of its own out of Debian's WordPress: its files by links, with our configuration and plugin."""
    (site / "wp-content" / "mu-plugins").mkdir(parents=True)
    for file in PROGRAM.iterdir():
        if file.name not in ("wp-config.php", "wp-content"):
            (site / file.name).symlink_to(file)
    (site / "wp-config.php").symlink_to(_FILES / "wp-config.php")
    (site / "wp-content" / "mu-plugins" / "fields.php").symlink_to(_FILES / "fields.php")
    return site


@contextlib.contextmanager
def database(folder: Path) -> Iterator[tuple[Path, Running]]:
    """Run MariaDB with an empty database, on a socket only; where that is, and the program."""
    data, socket, start, temporary = folder / "data", folder / "socket", folder / "start.sql", folder / "temporary"
    start.write_text("CREATE DATABASE wordpress CHARACTER SET utf8mb4;\n")
    # Where it starts it deletes all temporary tables that it finds, and one that misses its own crashes.
    temporary.mkdir()
    environment = {"TMPDIR": str(temporary)}
    # As root both refuse to run without being told that this is meant.
    user = [f"--user={getpass.getuser()}"] if os.geteuid() == 0 else []
    install: list[str | Path] = [
        _INSTALL,
        "--no-defaults",
        f"--datadir={data}",
        "--auth-root-authentication-method=normal",
    ]
    with running([*install, "--skip-test-db", *user], env=environment) as program:
        program.wait_until(lambda: program.process.poll() == 0 or None)
    command: list[str | Path] = [
        _DATABASE,
        "--no-defaults",
        f"--datadir={data}",
        f"--socket={socket}",
        f"--init-file={start}",
    ]
    settings = ["--skip-networking", "--innodb-flush-log-at-trx-commit=0", "--innodb-buffer-pool-size=32M"]
    with running([*command, *settings, *user], env=environment) as program:
        program.wait_until(lambda: "ready for connections" in program.output() or None)
        yield socket, program
