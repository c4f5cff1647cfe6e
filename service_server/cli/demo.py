"""The demo: the service, a sandbox app to connect to, and a host page on another origin, all on this machine."""

import asyncio
import contextlib
import ctypes
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click
import httpx
from attrs import asdict, frozen
from rich.console import Console

import service_server
from service_client.models import sign
from service_server.administration.actors import command_line
from service_server.administration.operators import OperatorAdministration
from service_server.cli.administration import administration, find_connector, make_database, opened_database
from service_server.cli.demo_folder import alone_in, read, write
from service_server.cli.handing_over import Place
from service_server.cli.listening import bound, free_port
from service_server.cli.logs import configure_logging, level_of
from service_server.cli.options import (
    allowed_hosts,
    connector_directories,
    data_directory,
    database_url,
    listening_host,
    listening_port,
    log_level,
    model_directory,
    public_address,
    settings_for,
)
from service_server.cli.serving import run_event_loop, serve
from service_server.settings import Settings
from service_server.store import Operators

USER_ID = "demo-user"
OPERATOR = "operator"
SANDBOX_APP = "sandbox"
SANDBOX_CLIENT = "integration-functions-demo"
PACKAGE = Path(service_server.__file__).parent
_ENDING_SECONDS = 5.0
"""How long a service on which nothing is under way may take to end."""
_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of prctl(2)


@click.command("demo")
@data_directory
@database_url
@listening_host
@listening_port
@public_address
@connector_directories
@allowed_hosts
@model_directory
@log_level("warning")
def demo_cli(
    data_dir: Path,
    database: str | None,
    host: str,
    port: int,
    public_url: str | None,
    connectors: tuple[Path, ...],
    allow_host: tuple[str, ...],
    model_dir: Path,
    log_level: str,
) -> None:
    """Try the service, with a sandbox app and a host page."""
    configure_logging(level_of(log_level))
    ports = demo_ports(host, port)
    settings = settings_for(
        data_dir,
        database,
        public_url or f"http://{host}:{ports.service}",
        connectors,
        [*allow_host, f"{SANDBOX_APP}={host}:{ports.sandbox}"],
        allow_local_origins=True,
        model_dir=model_dir,
    )
    with alone_in(settings.data_directory):
        run_demo(settings, host, ports)


@frozen(kw_only=True)
class Demo:
    """What someone needs to try the demo; kept in `demo.json`."""

    base_url: str
    host_url: str
    sandbox_url: str
    console_url: str
    console_user: str
    console_password: str
    app_key: str
    app_secret: str
    user_id: str


@frozen
class Ports:
    """Where the parts of the demo listen."""

    service: int
    sandbox: int
    page: int


def examples_path() -> Path:
    """
    The folder that holds the package `examples`.

    An installed server carries it inside, since that name is everybody's; in a clone it lies beside the server.
    """
    shipped = PACKAGE / "demonstration"
    return shipped if shipped.exists() else PACKAGE.parent


def demo_ports(host: str, port: int) -> Ports:
    """The wanted port and the two after it where they are free; port 0 takes any."""
    return Ports(*(free_port(port + offset if port else 0, host) for offset in range(3)))


def run_demo(settings: Settings, host: str, ports: Ports) -> None:
    """Set up what is missing, start everything and serve until interrupted."""
    demo_file = settings.data_directory / "demo.json"
    earlier_file = settings.data_directory / "demo.earlier.json"
    if demo_file.exists():  # it is written again once everything answers
        demo_file.replace(earlier_file)
    sandbox_url = f"http://{host}:{ports.sandbox}"
    # A different site from the service's, as in real life.
    host_url = f"http://{host}:{ports.page}".replace("127.0.0.1", "localhost")
    make_database(settings)
    demo = asyncio.run(_set_up(settings, read(earlier_file), sandbox_url, host_url))
    sandbox = ["--host", host, "--port", str(ports.sandbox), "--client-id", SANDBOX_CLIENT]
    sandbox += ["--redirect-uri", settings.callback_url, "--print-keys"]
    sandbox += ["--grants-file", str(settings.data_directory / "sandbox-grants.json")]
    page = ["--host", host, "--port", str(ports.page), "--public-url", host_url]
    page += ["--service-url", settings.public_url, "--app-key", demo.app_key, "--user-id", USER_ID]
    with (
        _child("examples.sandbox_app", sandbox, {"SANDBOX_CLIENT_SECRET": _client_secret(demo.app_secret)}) as ready,
        _child("examples.browser", page, {"DEMO_APP_SECRET": demo.app_secret}),
        bound(host, ports.service) as listener,
    ):
        run_event_loop(_serve(settings, listener, demo, demo_file, ready["api_keys"]))


def _client_secret(app_secret: str) -> str:
    """The secret of the service's registration with the sandbox app: the same in each run of one demo."""
    return sign(SANDBOX_CLIENT, app_secret)


async def _set_up(settings: Settings, earlier: Mapping[str, Any], sandbox_url: str, host_url: str) -> Demo:
    """Make the demo application and operator, or use those of an earlier run in this data directory."""
    password = earlier.get("console_password") or secrets.token_urlsafe(12)
    async with opened_database(settings) as database:
        operators = OperatorAdministration(Operators(database))
        known = await operators.operators.get(OPERATOR) is not None
        await (operators.set_password if known else operators.add)(command_line(), OPERATOR, password)
    async with administration(settings) as admin:
        app_key, app_secret = earlier.get("app_key"), earlier.get("app_secret")
        if not app_secret or await admin.applications.with_key(str(app_key)) is None:
            application, app_secret = await admin.create_application(command_line(), "Demo", [])
            app_key = application.app_key
        await admin.configure_app(
            command_line(),
            find_connector(settings, SANDBOX_APP),
            client_id=SANDBOX_CLIENT,
            client_secret=_client_secret(app_secret),
            variables={"base_url": sandbox_url},
        )
    return Demo(
        base_url=settings.public_url,
        host_url=host_url,
        sandbox_url=sandbox_url,
        console_url=f"{settings.public_url}/console",
        console_user=OPERATOR,
        console_password=password,
        app_key=str(app_key),
        app_secret=app_secret,
        user_id=USER_ID,
    )


async def _serve(
    settings: Settings, listener: socket.socket, demo: Demo, demo_file: Path, api_keys: Mapping[str, str]
) -> None:
    ready = asyncio.Event()

    async def introduce() -> None:
        await ready.wait()
        await _answers(demo)
        write(demo_file, asdict(demo))
        _introduce(demo, demo_file, api_keys)

    serving = asyncio.create_task(serve(settings, Place(listener=listener), ready.set))
    introducing = asyncio.create_task(introduce())
    try:
        await asyncio.wait({serving, introducing}, return_when=asyncio.FIRST_COMPLETED)
        if introducing.done() and introducing.exception() is not None:
            # Nothing answers any more where Ctrl+C came before it was introduced.
            ended, _ = await asyncio.wait({serving}, timeout=_ENDING_SECONDS)
            if not ended:
                introducing.result()
    finally:
        introducing.cancel()
    await serving


async def _answers(demo: Demo) -> None:
    """Ask each part once, so that nothing is announced that does not answer."""
    async with httpx.AsyncClient(trust_env=False, timeout=30) as client:
        for url in (f"{demo.base_url}/health", demo.sandbox_url, demo.host_url):
            try:
                response = await client.get(url, follow_redirects=True)
            except httpx.HTTPError as error:
                raise OSError(f"{url} does not answer: {error}") from None
            if response.status_code >= 500:
                raise OSError(f"{url} answered {response.status_code}")


@contextlib.contextmanager
def _child(module: str, arguments: list[str], secret_environment: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Run a part of the demo as its own process; yields what it says when it listens. Secrets go by environment."""
    path = os.pathsep.join(filter(None, [str(examples_path()), os.environ.get("PYTHONPATH")]))
    process = subprocess.Popen(  # noqa: S603  our own modules
        [sys.executable, "-P", "-m", module, *arguments],  # -P: no `examples` from the folder that this is started in
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": path, **secret_environment},
        preexec_fn=_end_with_parent if sys.platform == "linux" else None,
    )
    try:
        line = process.stdout.readline() if process.stdout else ""
        if not line:
            raise OSError(f"{module} did not start; what it said stands above.")
        yield json.loads(line)
    finally:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=5)
        if process.poll() is None:
            process.kill()


def _end_with_parent() -> None:
    """Have the kernel end the child with the demo, even if the demo is killed."""
    ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGTERM)


def _introduce(demo: Demo, demo_file: Path, api_keys: Mapping[str, str]) -> None:
    signature = sign(demo.user_id, demo.app_secret)
    keys = ", ".join(f"{user} {key}" for user, key in api_keys.items())
    Console(soft_wrap=True, highlight=False).print(
        f"""
[bold green]The demo is running.[/] Ctrl+C ends it.

  Host page   [link]{demo.host_url}[/]
  Gallery     [link]{demo.host_url}/gallery[/]  (every part of the SDK in every state)
  Service     {demo.base_url}  (API description: {demo.base_url}/openapi.json)
  Console     {demo.console_url}  ({demo.console_user} / {demo.console_password})
  Sandbox     {demo.sandbox_url}  (alice / alice-password, bob / bob-password; API keys: {keys})

  App-Key     {demo.app_key}
  App secret  {demo.app_secret}
  User-ID     {demo.user_id}

[bold]Three things to try[/]
1. Open the host page, press “Show apps”, connect Tickets sandbox, then “Create ticket”.
2. curl -H 'App-Key: {demo.app_key}' -H 'User-ID: {demo.user_id}' -H 'Hash: {signature}' {demo.base_url}/apps
3. PYTHONPATH={examples_path()} {sys.executable} -m examples.python.quickstart --demo-file {demo_file}
""",
        markup=True,
    )
