"""One sandbox app for all tests of the examples; each test finds it as it is at the start."""

from collections.abc import Iterator

import httpx
import pytest

from tests.examples.processes import NO_TLS, SandboxApp, sandbox_app

REDIRECT_URI = "http://127.0.0.1:9/oauth/callback"


@pytest.fixture(scope="session")
def running_sandbox() -> Iterator[SandboxApp]:
    """The process, for the whole run."""
    with sandbox_app(REDIRECT_URI) as app:
        yield app


@pytest.fixture
def sandbox(running_sandbox: SandboxApp) -> SandboxApp:
    """The app in the state of its start."""
    running_sandbox.control("/_reset", {})
    return running_sandbox


@pytest.fixture
def redirect_uri() -> str:
    """The registered redirect URI; nobody listens there."""
    return REDIRECT_URI


def at(sandbox: SandboxApp, headers: dict[str, str] | None = None) -> httpx.Client:
    """A client of the app that keeps its cookies."""
    return httpx.Client(base_url=sandbox.url, headers=headers, trust_env=False, verify=NO_TLS)


@pytest.fixture
def visitor(sandbox: SandboxApp) -> Iterator[httpx.Client]:
    """Somebody without credentials."""
    with at(sandbox) as client:
        yield client


@pytest.fixture
def alice(sandbox: SandboxApp) -> Iterator[httpx.Client]:
    """Alice's API key, sent as X-Api-Key."""
    with at(sandbox, {"x-api-key": sandbox.api_keys["alice"]}) as client:
        yield client


@pytest.fixture
def bob(sandbox: SandboxApp) -> Iterator[httpx.Client]:
    """Bob's API key, sent as a bearer token."""
    with at(sandbox, {"authorization": f"Bearer {sandbox.api_keys['bob']}"}) as client:
        yield client
