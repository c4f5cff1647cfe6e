"""Starts the example programs for tests."""

import contextlib
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

from tests.real_apps.running import Running, free_port, running

CLIENT_ID = "integration-functions"
CLIENT_SECRET = "sandbox-client-secret"
BACKENDS = {
    "fastapi": (sys.executable, "-m", "uvicorn", "examples.backends.with_fastapi:app", "--port", "{port}"),
    "flask": (sys.executable, "-m", "flask", "--app", "examples.backends.with_flask", "run", "--port", "{port}"),
    "django": (sys.executable, "-m", "examples.backends.with_django", "runserver", "--noreload", "{port}"),
    "node": ("node", "examples/backends/with_node.mjs"),
}
"""How the reader of an example starts each backend."""


@frozen
class SandboxApp:
    """The running sandbox app: its address, its OAuth2 client, and the demo API key of each user."""

    url: str
    client_id: str
    client_secret: str
    api_keys: Mapping[str, str]
    program: Running


@contextlib.contextmanager
def sandbox_app(redirect_uri: str, *options: str) -> Iterator[SandboxApp]:
    """Run the sandbox app with one registered redirect URI; `options` go to its command line."""
    command = [sys.executable, "-m", "examples.sandbox_app", "--print-keys", "--client-id", CLIENT_ID]
    command += ["--redirect-uri", redirect_uri, *options]
    with running(command, env={"SANDBOX_CLIENT_SECRET": CLIENT_SECRET}) as program:
        ready: dict[str, Any] = program.first_json_line()
        yield SandboxApp(ready["url"], ready["client_id"], ready["client_secret"], ready["api_keys"], program)


@frozen
class HostBackend:
    """A running backend of a host application."""

    url: str
    program: Running


@contextlib.contextmanager
def host_backend(name: str, service_url: str, app_key: str, app_secret: str) -> Iterator[HostBackend]:
    """Run one of the backends for an application of a service."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    env = {"APP_KEY": app_key, "APP_SECRET": app_secret, "SERVICE_URL": service_url, "PORT": str(port)}
    with running([part.format(port=port) for part in BACKENDS[name]], env=env) as program:
        program.answers(f"{url}/")
        yield HostBackend(url, program)
