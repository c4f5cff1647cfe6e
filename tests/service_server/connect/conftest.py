"""A user's browser at the parts of a service, and Chromium at a service beside the sandbox app."""

from collections.abc import AsyncIterator, Iterator

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import BrowserContext, Page

from tests.service_server.connect.connect_pages import ConnectPages, watched, write_desk
from tests.service_server.connected_world import Browser, World
from tests.service_server.processes import service_beside_sandbox


@pytest.fixture
async def visitor(world: World) -> AsyncIterator[Browser]:
    """The browser of a user of the world."""
    async with world.browser() as visitor:
        yield visitor


@pytest.fixture(scope="module")
def connect_pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ConnectPages]:
    """The service beside a sandbox app that it knows under two names, and whose pages sever windows from openers."""
    connectors = tmp_path_factory.mktemp("connectors")
    write_desk(connectors)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SERVICE_CONNECTORS", str(connectors))  # for the commands that set the service up, too
        with service_beside_sandbox(
            tmp_path_factory.mktemp("service"),
            name="Acme Helpdesk",
            apps=("sandbox", "desk"),
            origins=["https://host.test"],
            sandbox_options=("--opener-policy", "same-origin"),
        ) as (started, sandbox):
            yield ConnectPages(started, sandbox)


@pytest.fixture
def profile(chromium: Chromium, connect_pages: ConnectPages) -> Iterator[BrowserContext]:
    """A browser profile of its own; script errors and breaches of a policy fail the test."""
    connect_pages.start_over()
    context = chromium.new_context(viewport={"width": 480, "height": 720})
    context.set_default_timeout(30_000)
    troubles = watched(context)
    yield context
    context.close()
    assert [] == troubles


@pytest.fixture
def page(profile: BrowserContext) -> Page:
    """A page in it."""
    return profile.new_page()
