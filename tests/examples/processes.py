"""Starts the example programs for tests."""

import contextlib
import ssl
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import httpx
from attrs import frozen

from tests.real_apps.running import Running, free_port, running

CLIENT_ID = "integration-functions"
CLIENT_SECRET = "sandbox-client-secret"
# Loading the certificates of the world for each client would take longer than most requests.
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
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

    def control(self, path: str, body: Any) -> None:
        """Use one of its controls for testers."""
        httpx.post(f"{self.url}{path}", json=body, trust_env=False, verify=NO_TLS).raise_for_status()

    def fault(self, path: str, fault: str, **options: Any) -> None:
        """Have the next request to a path go wrong."""
        self.control("/_faults", {"path": path, "fault": fault, **options})

    def expire_tokens(self, user: str | None = None) -> None:
        """End every access token now, or those of one of its users; refresh tokens live."""
        self.control("/_expire", {} if user is None else {"user": user})

    def received(self, path: str) -> list[dict[str, Any]]:
        """The requests that it got at a path."""
        log = httpx.get(f"{self.url}/_log", params={"path": path}, trust_env=False, verify=NO_TLS)
        requests: list[dict[str, Any]] = log.raise_for_status().json()["requests"]
        return requests


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
