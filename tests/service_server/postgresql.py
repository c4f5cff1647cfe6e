"""
A throw-away PostgreSQL server on loopback, and databases on it.

    with postgresql_server() as server:
        with server.database() as url: ...
"""

import contextlib
import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import field, frozen

from tests.real_apps.running import free_port

MISSING = "there is no PostgreSQL server; as root: apt-get install --no-install-recommends postgresql"
USER = "service"
PASSWORD = "made-up-password"
# Nothing of it has to outlive the tests.
_SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "max_connections": "100",
    "shared_buffers": "32MB",
    "listen_addresses": "127.0.0.1",
    "autovacuum": "off",
    "log_min_messages": "warning",
}


def programs() -> Path | None:
    """The folder of the newest installed server's programs."""
    on_path = shutil.which("pg_ctl")
    folders = [Path(on_path).resolve().parent] if on_path else []
    versions = Path("/usr/lib/postgresql").glob("[0-9]*/bin")
    folders += sorted(versions, key=lambda path: int(path.parent.name), reverse=True)
    return next((folder for folder in folders if (folder / "initdb").exists() and (folder / "pg_ctl").exists()), None)


@frozen
class PostgreSQLServer:
    """A running server; `port` is one of loopback, where passwords are asked for."""

    folder: Path
    port: int
    _programs: Path
    _numbers: Iterator[int] = field(factory=itertools.count)

    def url(self, name: str, *, user: str = USER, password: str = PASSWORD) -> str:
        """The URL of a database, as `--database` takes it."""
        return f"postgresql://{user}:{password}@127.0.0.1:{self.port}/{name}"

    def create(self, template: str = "template0") -> str:
        """Make a database, a copy of `template` (which nobody may use at that moment); its name."""
        name = f"test_{next(self._numbers)}"
        self.run("postgres", f'CREATE DATABASE "{name}" TEMPLATE "{template}" OWNER {USER}')
        return name

    def drop(self, name: str) -> None:
        """Remove a database, whoever still uses it."""
        self.run("postgres", f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')

    @contextlib.contextmanager
    def database(self, template: str = "template0") -> Iterator[str]:
        """The URL of a new database, which is removed at the end."""
        name = self.create(template)
        try:
            yield self.url(name)
        finally:
            self.drop(name)

    def run(self, name: str, *statements: str) -> str:
        """Run statements as the server's administrator, each by itself; what they answer as unaligned text."""
        return query(f"postgresql://postgres@/{name}?host={self.folder}&port={self.port}", *statements)

    def start(self) -> None:
        """Start the server and wait until it answers."""
        self._control("start", "--log", str(self.folder / "log"), "--options", f"-p {self.port} -k {self.folder}")

    def stop(self, mode: str = "fast") -> None:
        """End the server (fast: sessions are cut off; immediate: as by a crash)."""
        self._control("stop", "--mode", mode)

    def restart(self, mode: str = "fast") -> None:
        """End the server and start it again."""
        self.stop(mode)
        self.start()

    def _control(self, command: str, *options: str) -> None:
        _as_nobody(
            [self._programs / "pg_ctl", command, "--wait", "--silent", "--pgdata", self.folder / "data", *options]
        )


def query(url: str, *statements: str) -> str:
    """Run statements on the database of a URL, each by itself; what they answer as unaligned text."""
    options = [option for statement in statements for option in ("--command", statement)]
    quiet = ("--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set", "ON_ERROR_STOP=1")
    return _as_nobody([(programs() or Path()) / "psql", *quiet, "--dbname", url, *options])


@contextlib.contextmanager
def holding(url: str, *statements: str, setup: str = "") -> Iterator[None]:
    """
    Keep a transaction open that has run statements, in a session of its own; it is rolled back at the end.

    `setup` is run in the session before its transaction begins.
    """
    options = ("--no-psqlrc", "--quiet", "--tuples-only", "--dbname", url)
    command: list[str | Path] = [(programs() or Path()) / "psql", *options]
    lines = [*([f"{setup};"] if setup else []), "BEGIN;", *(f"{statement};" for statement in statements), r"\echo held"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as session:
        assert session.stdin is not None
        assert session.stdout is not None
        session.stdin.write("\n".join(lines) + "\n")
        session.stdin.flush()
        try:
            while (line := session.stdout.readline().strip()) != "held":
                assert session.poll() is None, line
            yield
        finally:
            session.kill()


@contextlib.contextmanager
def postgresql_server() -> Iterator[PostgreSQLServer]:
    """
    Run a server of its own in a temporary folder, which is gone at the end.

    LookupError where PostgreSQL is not installed. The server refuses to run as root, so that root runs it as nobody.
    """
    folder_of_programs = programs()
    if folder_of_programs is None:
        raise LookupError(MISSING)
    with tempfile.TemporaryDirectory(prefix="postgresql-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        if (user := _user()) is not None:
            shutil.chown(folder, user)
        server = PostgreSQLServer(folder, free_port(), folder_of_programs)
        _as_nobody(
            [
                folder_of_programs / "initdb",
                *("--pgdata", folder / "data", "--username", "postgres", "--no-sync", "--no-instructions"),
                *("--encoding", "UTF8", "--locale", "C", "--auth-local", "trust", "--auth-host", "scram-sha-256"),
            ]
        )
        with (folder / "data/postgresql.conf").open("a") as configuration:
            configuration.writelines(f"{name} = '{value}'\n" for name, value in _SETTINGS.items())
        server.start()
        try:
            server.run("postgres", f"CREATE ROLE {USER} LOGIN PASSWORD '{PASSWORD}'")
            yield server
        finally:
            with contextlib.suppress(subprocess.CalledProcessError):  # a test may have stopped it
                server.stop("immediate")


def _user() -> str | None:
    """Whom to run the server as: nobody in root's place, else ourselves."""
    return pwd.getpwnam("nobody").pw_name if os.geteuid() == 0 else None


def _as_nobody(command: Sequence[str | Path]) -> str:
    done = subprocess.run(
        [str(part) for part in command],
        user=_user(),
        cwd="/",
        env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout
