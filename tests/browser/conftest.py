"""The demo in Debian's Chromium: service, sandbox app and host page run as processes, each test has its own profile."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from attrs import define, field
from playwright.sync_api import Browser, BrowserContext, Page, Route

from servicejs.bundle.build import DIST
from tests.real_apps.running import ROOT, running
from tests.service_server.processes import SERVICE_SERVER

from .product import PATIENCE, Demo, Helpdesk, disconnect_all, start_over


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark everything here as needing Chromium."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def bundle() -> None:
    """The bundle is built as the sources say."""
    subprocess.run([sys.executable, "-m", "servicejs.bundle"], cwd=ROOT, check=True)


@pytest.fixture(scope="session")
def demo(bundle: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """The demo, for the whole run."""
    folder = tmp_path_factory.mktemp("demo")
    command: list[str | Path] = [SERVICE_SERVER, "demo", "--data-dir", folder, "--port", "0"]
    with running(command) as program:
        written = folder / "demo.json"
        values: dict[str, Any] = program.wait_until(
            lambda: json.loads(written.read_text()) if written.exists() else None
        )
        yield Demo(**values, data_directory=folder)


@define
class Troubles:
    """What went wrong in a browser without anyone seeing it: script errors, breaches of policies, failed loads."""

    found: list[str] = field(factory=list)
    expected: tuple[str, ...] = ()

    def expect(self, *parts: str) -> None:
        """Let troubles pass that contain one of these."""
        self.expected += parts

    def unexpected(self) -> list[str]:
        """Return the troubles that nobody expected."""
        return [trouble for trouble in self.found if not any(part in trouble for part in self.expected)]


@pytest.fixture
def troubles() -> Troubles:
    """The troubles of a test; those it does not expect make it fail."""
    return Troubles()


@pytest.fixture
def profile(chromium: Browser, demo: Demo, troubles: Troubles) -> Iterator[BrowserContext]:
    """A browser profile of its own, and a user without accounts."""
    disconnect_all(demo)
    context = chromium.new_context(viewport={"width": 1100, "height": 800})
    context.set_default_timeout(PATIENCE)
    context.on("weberror", lambda error: troubles.found.append(str(error.error)))
    context.on(
        "console", lambda message: troubles.found.append(message.text) if message.type in ("error", "warning") else None
    )
    yield context
    context.close()
    assert [] == troubles.unexpected()


@pytest.fixture
def helpdesk(profile: BrowserContext, demo: Demo) -> Helpdesk:
    """The host page, ready, with no account connected and the sandbox app as it started."""
    start_over(demo)
    return Helpdesk.open(profile, demo)


@pytest.fixture
def host_page(profile: BrowserContext, demo: Demo) -> Page:
    """The demo's host page, which is on another site than the service and has a strict policy."""
    page = profile.new_page()
    page.goto(demo.host_url)
    return page


OpenPage = Callable[..., Page]


@pytest.fixture
def open_page(profile: BrowserContext, demo: Demo) -> OpenPage:
    """Open pages of the host's origin with HTML and policy of the test's, the SDK, and the user in `options`."""

    def open_page(body: str = "", policy: str | None = None, path: str = "/made", **options: Any) -> Page:
        url = demo.host_url + path
        script = f"{demo.base_url}/servicejs/v1/servicejs.js"
        html = f'<!doctype html><html lang="en"><title>Made</title><body><script src="{script}"></script>{body}'
        headers = {"Content-Type": "text/html"} | ({"Content-Security-Policy": policy} if policy else {})

        def fulfil(route: Route) -> None:
            route.fulfill(body=html, headers=headers)

        profile.route(lambda address: urlsplit(address)[:3] == urlsplit(url)[:3], fulfil)
        page = profile.new_page()
        page.goto(url)
        page.evaluate("values => { window.options = values }", demo.credentials() | options)
        return page

    return open_page


class HeldBack:
    """Requests that get no answer, until they are let through."""

    def __init__(self, profile: BrowserContext, pattern: str) -> None:
        self._profile = profile
        self._pattern = pattern
        self.held: list[Route] = []
        profile.route(pattern, lambda route: self.held.append(route))

    def wait(self, page: Page) -> None:
        """Wait until something is held."""
        for _ in range(600):
            if self.held:
                return
            page.wait_for_timeout(50)
        raise AssertionError(f"nothing asked for {self._pattern}")

    def let_through(self) -> None:
        """Answer requests from now on; those that are held stay so."""
        self._profile.unroute(self._pattern)


@pytest.fixture
def python(profile: BrowserContext) -> HeldBack:
    """The largest file of the start, without which Python doesn't come, held back until it is let through."""
    return HeldBack(profile, f"**/servicejs/v1/{built('snapshot.*.bin').name}")


def let_python_come(page: Page, python: HeldBack) -> None:
    """Let Python come, and wait until it runs."""
    python.let_through()
    for route in python.held:
        route.continue_()
    page.evaluate("sdk.getFunction('sandbox-create-ticket')")


def built(pattern: str) -> Path:
    """The only file of the bundle with such a name."""
    (found,) = DIST.glob(pattern)
    return found


def policy_of(demo: Demo, **changes: str | None) -> str:
    """Return the strictest policy the SDK works under; a change of None leaves a directive out."""
    directives: dict[str, str | None] = {
        "default-src": "'none'",
        "script-src": f"{demo.base_url} 'wasm-unsafe-eval'",
        "worker-src": "blob:",
        "connect-src": demo.base_url,
        "img-src": demo.base_url,
        "require-trusted-types-for": "'script'",
        "trusted-types": "servicejs",
    }
    directives |= {name.replace("_", "-"): value for name, value in changes.items()}
    return "; ".join(f"{name} {value}" for name, value in directives.items() if value is not None)


def error_of(page: Page, expression: str) -> dict[str, Any]:
    """Return what a promise in the page is rejected with."""
    script = f"""async () => {{
      try {{ return {{ resolved: await ({expression}) }}; }}
      catch (error) {{
        const {{ name, code, message, status }} = error;
        return {{ name, code, message, status, isServiceError: error instanceof ServiceJS.ServiceError }};
      }}
    }}"""
    answer: dict[str, Any] = page.evaluate(script)
    return answer
