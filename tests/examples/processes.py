"""Starts the example programs for tests."""

import contextlib
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

from tests.real_apps.running import Running, running

CLIENT_ID = "integration-functions"
CLIENT_SECRET = "sandbox-client-secret"


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
