"""The bundle asked for early, or where data is to be saved not before it is needed; with the browser's own cache."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.slow_network import SlowNetwork, slow_network

from .product import PATIENCE, Demo

SDK = "/servicejs/v1/"


@pytest.fixture
def network() -> Iterator[SlowNetwork]:
    """What the test's pages fetch goes through it, none of it slowly."""
    with slow_network() as network:
        yield network


@pytest.fixture
def page(chromium: Browser, network: SlowNetwork, demo: Demo) -> Iterator[Page]:
    """A page of the host's; routes, which switch the cache off, are nowhere."""
    context = chromium.new_context(proxy={"server": f"http://127.0.0.1:{network.port}"})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(f"{demo.host_url}/nothing")
    yield page
    context.close()


def load(page: Page, demo: Demo) -> None:
    """Load the SDK's module into a page, beside the user's options."""
    module = f"{demo.base_url}{SDK}servicejs.mjs"
    page.evaluate("async (module) => { window.ServiceJS = (await import(module)).ServiceJS }", module)
    page.evaluate("values => { window.options = values }", demo.credentials())


def fetched(network: SlowNetwork) -> list[str]:
    """The files of the SDK that left the service, by their names without hashes."""
    paths = [path.removeprefix(SDK) for path in network.requested if path.startswith(SDK)]
    return sorted(re.sub(r"\.[0-9a-f]{16}", "", path) for path in paths)


def test_what_is_fetched_early_is_not_fetched_again(page: Page, network: SlowNetwork, demo: Demo) -> None:
    """All that a start needs comes with `preload()`, once; an instance takes it from there."""
    load(page, demo)
    page.evaluate("Promise.all([ServiceJS.preload(), ServiceJS.preload()])")
    early = fetched(network)
    assert ["python.wasm", "runtime.mjs", "servicejs.mjs", "snapshot.bin", "surface_content.js", "worker.js"] == early

    page.evaluate("new ServiceJS(options).getFunction('sandbox-create-ticket')")

    assert early == [each for each in fetched(network) if each in early]


def test_where_data_is_saved_nothing_comes_before_it_is_needed(page: Page, network: SlowNetwork, demo: Demo) -> None:
    """Neither `preload()` nor an instance with a handler fetches anything; the first call does."""
    browser = page.context.new_cdp_session(page)
    browser.send("Emulation.setDataSaverOverride", {"dataSaverEnabled": True})
    load(page, demo)
    assert page.evaluate("navigator.connection.saveData")
    page.evaluate("""async () => {
      await ServiceJS.preload();
      window.sdk = new ServiceJS(options);
      await sdk.eventEmitter.on("error", () => {});
    }""")
    page.wait_for_timeout(1000)  # by then a start would have asked for its files
    assert ["servicejs.mjs"] == fetched(network)

    page.evaluate("sdk.getFunction('sandbox-create-ticket')")

    assert "snapshot.bin" in fetched(network)
