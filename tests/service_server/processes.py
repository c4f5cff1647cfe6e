"""Runs the real service as a process, and sets it up the way an operator would."""

import contextlib
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
from attrs import frozen

from service_client.models import sign
from tests.examples.processes import NO_TLS, SandboxApp, sandbox_app
from tests.real_apps.running import Running, free_port, running
from tests.service_server.commands import forked, run_command
from tests.service_server.databases import database_of, put_empty_database

SERVICE_SERVER = Path(sys.executable).with_name("service-server")


@frozen
class RunningService:
    """A running service and one host application of it."""

    url: str
    data_directory: Path
    program: Running
    app_key: str
    app_secret: str

    def headers(self, user_id: str) -> dict[str, str]:
        """The three headers for a user."""
        return {"App-Key": self.app_key, "User-ID": quote(user_id), "Hash": sign(user_id, self.app_secret)}

    def api(self, user_id: str, **headers: str) -> httpx.Client:
        """A plain HTTP client that signs for a user."""
        return http(self.url, {**self.headers(user_id), **headers})

    def where_found(self, *texts: str) -> list[str]:
        """Name the files of the service, its log among them, that hold one of these texts as it stands."""
        kept = {path.name: path.read_bytes() for path in self.data_directory.rglob("*") if path.is_file()}
        kept["output"] = self.program.output().encode()
        assert {"service.db", "vault.key"} <= kept.keys()
        return sorted(name for name, content in kept.items() if any(text.encode() in content for text in texts))


def http(base_url: str, headers: dict[str, str] | None = None) -> httpx.Client:
    """A client that follows nothing by itself and asks no proxy."""
    return httpx.Client(base_url=base_url, headers=headers, trust_env=False, timeout=60, verify=NO_TLS)


def command(data_directory: Path, *arguments: str, stdin: str = "") -> str:
    """Run a command of `service-server` to its end and return what it prints."""
    env = {"SERVICE_DATABASE": database_of(data_directory)}
    ended = run_command([*arguments, "--data-dir", str(data_directory)], stdin=stdin, env=env)
    assert ended.status == 0, ended.errors
    return ended.output


def create_application(data_directory: Path, name: str, *origins: str) -> dict[str, str]:
    """Add a host application; its `app_key` and `app_secret`. Where there is no database yet, an empty one is put."""
    put_empty_database(data_directory)
    options = [option for origin in origins for option in ("--origin", origin)]
    made: dict[str, str] = json.loads(command(data_directory, "application", "create", name, "--json", *options))
    return made


def configure_app(
    data_directory: Path, name: str, *, client_id: str, client_secret: str, variables: dict[str, str]
) -> None:
    """Set an app's OAuth2 client and variables."""
    options = [option for pair in variables.items() for option in ("--var", "=".join(pair))]
    options += ["--client-id", client_id, "--client-secret-file", "-"]
    command(data_directory, "app", "configure", name, *options, stdin=client_secret)


def configure_sandbox(data_directory: Path, sandbox: SandboxApp) -> None:
    """Set the sandbox app up as it runs."""
    configure_app(
        data_directory,
        "sandbox",
        client_id=sandbox.client_id,
        client_secret=sandbox.client_secret,
        variables={"base_url": sandbox.url},
    )


@contextlib.contextmanager
def service_beside_sandbox(
    data_directory: Path,
    *options: str,
    name: str = "Test host",
    apps: Sequence[str] = ("sandbox",),
    origins: Sequence[str] = (),
    sandbox_options: Sequence[str] = (),
    env: dict[str, str] | None = None,
    program: Sequence[str | Path] = (),
) -> Iterator[tuple[RunningService, SandboxApp]]:
    """Run the service for an application of a name, and the sandbox app, which it may call and knows as these apps."""
    port = free_port()
    application = create_application(data_directory, name, *origins)
    with sandbox_app(f"http://127.0.0.1:{port}/oauth/callback", *sandbox_options) as sandbox:
        client = {"client_id": sandbox.client_id, "client_secret": sandbox.client_secret}
        for app in apps:
            configure_app(data_directory, app, **client, variables={"base_url": sandbox.url})
        wanted = ("--allow-host", sandbox.url.removeprefix("http://"), *options)
        with service(
            data_directory, *wanted, port=port, application=application, env=env, program=program
        ) as running_service:
            yield running_service, sandbox


# For tests in which one user makes many calls at the same moment.
UNLIMITED = {"SERVICE_CALLS_AT_ONCE": "0", "SERVICE_RATE_LIMIT_PER_MINUTE": "0"}


@contextlib.contextmanager
def service(
    data_directory: Path,
    *options: str,
    port: int = 0,
    application: dict[str, str] | None = None,
    origins: Sequence[str] = (),
    env: dict[str, str] | None = None,
    program: Sequence[str | Path] = (),
) -> Iterator[RunningService]:
    """
    Run the service on a data directory and its database; makes an application unless one is given.

    `program` is what runs it: a script of the tests, or `SERVICE_SERVER` where the program itself matters. By default
    it is forked from a process that has imported it.
    """
    application = application or create_application(data_directory, "Test host", *origins)
    env = {"SERVICE_DATABASE": database_of(data_directory), **(env or {})}
    arguments: list[Any] = ["serve", "--port", str(port or free_port()), "--data-dir", data_directory, *options]
    with running([*program, *arguments], env=env) if program else forked(arguments, env=env) as process:
        url = process.first_json_line("url")["url"]
        process.answers(f"{url}/health")
        yield RunningService(url, data_directory, process, application["app_key"], application["app_secret"])
