"""What pages fetch, with the browser's own cache, and the main flow while Python is kept from coming."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.slow_network import SlowNetwork, slow_network

from .product import PATIENCE, Demo, allow_access, disconnect_all
from .test_firefox import FIREFOX, running_firefox

SDK = "/servicejs/v1/"
PYTHON = "/snapshot."
LOAD = """async ([module, options]) => {
  window.ServiceJS = (await import(module)).ServiceJS;
  window.options = options;
}"""
BEGIN = """async ([module, options]) => {
  const { ServiceJS } = await import(module);
  window.sdk = new ServiceJS(options);
  window.connected = new Promise((resolve) => sdk.eventEmitter.on("app-connected", ({ name }) => resolve(name)));
  sdk.isAppConnected("sandbox").then(() => { window.isPythonThere = true });
  sdk.showApps();
}"""
THERE = "Boolean(window.isPythonThere)"


@pytest.fixture
def network(demo: Demo) -> Iterator[SlowNetwork]:
    """What the test's browser fetches goes through it; the demo's user has no account yet."""
    disconnect_all(demo)
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


def given(demo: Demo, **options: str) -> tuple[str, dict[str, str]]:
    """What `LOAD` and `BEGIN` take."""
    return f"{demo.base_url}{SDK}servicejs.mjs", demo.credentials() | options


def fetched(network: SlowNetwork) -> list[str]:
    """The files of the SDK that left the service, by their names without hashes."""
    paths = [path.removeprefix(SDK) for path in network.requested if path.startswith(SDK)]
    return sorted(re.sub(r"\.[0-9a-f]{16}", "", path) for path in paths)


def check(network: SlowNetwork) -> None:
    """Nothing of the SDK was fetched twice, and one connect session was begun: by the press."""
    assert {1} == set(Counter(fetched(network)).values())
    assert 2 == network.requested.count("/first_screens")


def test_what_is_fetched_early_is_not_fetched_again(page: Page, network: SlowNetwork, demo: Demo) -> None:
    """All that a start needs comes with `preload()`, once; an instance takes it from there."""
    page.evaluate(LOAD, given(demo))
    page.evaluate("Promise.all([ServiceJS.preload(), ServiceJS.preload()])")
    early = fetched(network)
    assert ["python.wasm", "runtime.mjs", "servicejs.mjs", "snapshot.bin", "surface_content.js", "worker.js"] == early

    page.evaluate("new ServiceJS(options).getFunction('sandbox-create-ticket')")

    assert early == [each for each in fetched(network) if each in early]


def test_where_data_is_saved_nothing_comes_before_it_is_needed(page: Page, network: SlowNetwork, demo: Demo) -> None:
    """Neither `preload()` nor an instance with a handler fetches anything; the first call does."""
    browser = page.context.new_cdp_session(page)
    browser.send("Emulation.setDataSaverOverride", {"dataSaverEnabled": True})
    page.evaluate(LOAD, given(demo))
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


def test_the_main_flow_before_python(page: Page, network: SlowNetwork, demo: Demo) -> None:
    """A search, Connect and the whole sign-in before Python is there; then the account is connected and told."""
    network.withheld = PYTHON
    page.evaluate(BEGIN, given(demo))
    page.get_by_role("searchbox").press_sequentially("tickets")
    expect(page.get_by_role("heading", name="Airtable")).to_be_hidden()
    with page.expect_popup() as opened:
        page.get_by_role("button", name="Connect Tickets sandbox").click()
    with opened.value.expect_event("close"):
        allow_access(opened.value)
    assert not page.evaluate(THERE)
    network.withheld = ""

    assert "sandbox" == page.evaluate("connected")
    expect(page.get_by_text("Tickets sandbox is connected.")).to_be_visible()
    check(network)


@pytest.mark.parametrize("how", ["marketplace", "method"])
def test_redirect_mode_before_python(how: str, page: Page, demo: Demo, network: SlowNetwork) -> None:
    """The page is left to connect, and the account is there when it is back: before Python, and asked for once."""
    network.withheld = PYTHON
    home = page.url
    begin = given(demo, redirectUrl=home)
    page.evaluate(BEGIN, begin)
    button = page.get_by_role("button", name="Connect Tickets sandbox")
    if how == "marketplace":
        button.click()
    else:
        expect(button).to_be_visible()
        page.evaluate("() => { sdk.connectApp('sandbox') }")
    page.wait_for_url("**/connect/*")
    allow_access(page)
    page.wait_for_url("**/nothing?*")
    assert 1 == len(page.context.pages)
    assert [] == [path for path in network.requested if path.startswith("/apps")]  # Python was not there
    network.requested.clear()

    page.evaluate(BEGIN, begin)
    expect(page.get_by_role("button", name="Connected Tickets sandbox")).to_be_visible()
    assert not page.evaluate(THERE)
    network.withheld = ""
    assert "sandbox" == page.evaluate("connected")
    page.wait_for_url(home)
    assert [] == [path for path in network.requested if "connect_sessions" in path]
    assert 1 == network.requested.count("/first_screens")


@pytest.mark.skipif(FIREFOX is None, reason="Needs Debian's Firefox")
def test_the_main_flow_before_python_in_firefox(demo: Demo, network: SlowNetwork, tmp_path: Path) -> None:
    """As in Chromium."""
    network.withheld = PYTHON
    proxy = {
        "network.proxy.type": 1,
        "network.proxy.http": "127.0.0.1",
        "network.proxy.http_port": network.port,
        "network.proxy.allow_hijacking_localhost": True,
    }
    preferences = "".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in proxy.items())
    with running_firefox(tmp_path / "profile", preferences) as firefox:
        firefox.open(f"{demo.host_url}/nothing")
        firefox.evaluate(f"({BEGIN})({json.dumps(given(demo))})")
        firefox.until("root?.querySelector('[data-action=connect][data-argument=sandbox]')")
        firefox.evaluate("""(() => {
          const root = document.querySelector("[data-servicejs]").shadowRoot;
          const search = root.querySelector("input[type=search]");
          search.value = "tickets";
          search.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
          root.querySelector("[data-action=connect][data-argument=sandbox]").click();
        })()""")
        button = "[...document.querySelectorAll('button')].find(({ textContent }) => /WORDS/.test(textContent))"
        press = f"(() => {{ const found = {button}; found?.click(); return Boolean(found) }})()"
        firefox.in_window(press.replace("WORDS", "Sign in to Tickets"))
        firefox.in_window("""(() => {
          const [user, password] = document.querySelectorAll("input:not([type=hidden])");
          if (password?.type !== "password") return false;
          [user.value, password.value] = ["alice", "alice-password"];
          password.form.requestSubmit();
          return true;
        })()""")
        firefox.in_window(press.replace("WORDS", "Allow"))
        firefox.until("root.textContent.includes('Waiting for you to finish')")
        assert not firefox.evaluate(THERE)
        network.withheld = ""

        assert "sandbox" == firefox.evaluate("connected")
        firefox.until("root.textContent.includes('Tickets sandbox is connected.')")
        check(network)
