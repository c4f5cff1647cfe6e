"""What holds for every test."""

import contextlib
import os
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.chromium import ARGUMENTS, CHROMIUM
from tests.service_server import postgresql

if TYPE_CHECKING:  # the client's own tests on every CPython go without Playwright
    from playwright.sync_api import Browser
    from xdist.scheduler import LoadScopeScheduling


def pytest_configure(config: pytest.Config) -> None:
    """Let the services that tests start share what restarts of one service do: the catalogue's cache, kept builds."""
    if hasattr(config, "cache"):  # not where its plugin is left out
        os.environ.setdefault("SERVICE_CACHE_DIR", str(config.cache.mkdir("connectors")))
        os.environ.setdefault("SERVICE_BUILDS_DIR", str(config.cache.mkdir("builds")))
    with contextlib.suppress(ImportError):  # some of the client's own tests go without it
        from hypothesis import settings

        settings.register_profile("untimed", settings(), deadline=None)  # a busy machine is no failure
        settings.load_profile("untimed")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what needs Chromium or PostgreSQL where there is none, before anything is started for it."""
    if item.get_closest_marker("browser") and not CHROMIUM.exists():
        pytest.skip(f"there is no {CHROMIUM}; as root: apt-get install --no-install-recommends chromium")
    if item.get_closest_marker("postgresql") and postgresql.programs() is None:
        pytest.skip(postgresql.MISSING)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport() -> Generator[None, Any, None]:
    """Have a skipped test fail under `CI=true`: what a machine of its own lacks must not look as if it worked."""
    outcome = yield
    report = outcome.get_result()
    if os.environ.get("CI") == "true" and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"Under CI=true nothing may be left out. {reason}"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> "LoadScopeScheduling | None":
    """With `--dist loadgroup`, keep the tests of one third-party software on one worker, where it runs once."""
    if config.getvalue("dist") != "loadgroup":
        return None
    from xdist.scheduler import LoadScopeScheduling

    class BySoftware(LoadScopeScheduling):  # type: ignore[misc]
        """Groups as files are named; xdist's own way, by a mark, does nothing under pytest 9.2."""

        def _split_scope(self, nodeid: str) -> str:
            return Path(nodeid.partition("::")[0]).stem.split("_")[1]

    return BySoftware(config, log)


_chromium = contextlib.ExitStack()
_launched: list["Browser"] = []


@pytest.fixture(scope="module")
def chromium() -> "Browser":
    """One browser for the files that follow one another."""
    from playwright.sync_api import sync_playwright

    if not _launched:
        playwright = _chromium.enter_context(sync_playwright())
        _launched.append(playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS))
        _chromium.callback(lambda: _launched.pop().close())
    return _launched[0]


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """End the browser before a file that begins without it, since Playwright keeps an event loop running."""
    if nextitem is None or (nextitem.path != item.path and "chromium" not in getattr(nextitem, "fixturenames", ())):
        _chromium.close()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """End it also where tests were broken off."""
    _chromium.close()
