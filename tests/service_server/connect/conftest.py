"""The service, the sandbox app and Chromium for the tests of the connect pages."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext

from tests.service_server.connect.connect_pages import CONNECTORS, ConnectPages, Seen
from tests.service_server.processes import service_beside_sandbox


@pytest.fixture(scope="module")
def opener_policy() -> str:
    """The Cross-Origin-Opener-Policy of the sandbox app's pages; a file may choose others."""
    return "unsafe-none"


@pytest.fixture(scope="module")
def connect_pages(
    tmp_path_factory: pytest.TempPathFactory, opener_policy: str, monkeypatch_module: pytest.MonkeyPatch
) -> Iterator[ConnectPages]:
    """The service beside a sandbox app that it knows under two names."""
    monkeypatch_module.setenv("SERVICE_CONNECTORS", str(CONNECTORS))
    with service_beside_sandbox(
        tmp_path_factory.mktemp("service"),
        name="Acme Helpdesk",
        apps=("sandbox", "desk"),
        origins=["https://host.test"],
        sandbox_options=("--opener-policy", opener_policy),
    ) as (started, sandbox):
        yield ConnectPages(started, sandbox)


@pytest.fixture(scope="module")
def monkeypatch_module() -> Iterator[pytest.MonkeyPatch]:
    """Changes of the environment for the tests of a file."""
    with pytest.MonkeyPatch.context() as patch:
        yield patch


@pytest.fixture
def profile(chromium: Browser, connect_pages: ConnectPages) -> Iterator[BrowserContext]:
    """A browser profile of its own; script errors, breaches of a policy, and pages without guards fail the test."""
    connect_pages.start_over()
    context = chromium.new_context(viewport={"width": 480, "height": 720})
    context.set_default_timeout(30_000)
    seen = Seen(connect_pages.service.url)
    seen.watch(context)
    yield context
    context.close()
    assert [] == seen.troubles
