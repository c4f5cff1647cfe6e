"""The main flow at 1.6 Mbit/s: all that is pressed is pressed before Python is there, and nothing of it is lost."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.slow_network import LOOPBACK, Line, SlowNetwork, slow_network

from .product import PATIENCE, Demo, allow_access
from .test_firefox import FIREFOX, running_firefox

SLOW = Line("1.6 Mbit/s, 300 ms", 1.6e6, 0.300)

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
    with demo.client() as client:
        for account in client.connected_accounts.list("sandbox"):
            client.connected_accounts.disconnect("sandbox", account.id)
    with slow_network() as network:
        network.line = SLOW
        yield network


def given(demo: Demo) -> tuple[str, dict[str, str]]:
    """What `BEGIN` takes."""
    return f"{demo.base_url}/servicejs/v1/servicejs.mjs", demo.credentials()


def check(network: SlowNetwork) -> None:
    """Nothing of the SDK was fetched twice, and one connect session was begun: by the press."""
    times = Counter(path for path in network.requested if path.startswith("/servicejs/"))
    assert {1} == set(times.values()), times
    assert 2 == network.requested.count("/first_screens")


def test_in_chromium(chromium: Browser, demo: Demo, network: SlowNetwork) -> None:
    """A search, Connect and the whole sign-in before Python is there; then the account is connected and told."""
    context = chromium.new_context(proxy={"server": f"http://127.0.0.1:{network.port}"})
    context.set_default_timeout(PATIENCE)
    try:
        page = context.new_page()
        page.goto(f"{demo.host_url}/nothing")
        page.evaluate(BEGIN, given(demo))
        page.get_by_role("searchbox").press_sequentially("tickets")
        expect(page.get_by_role("heading", name="Airtable")).to_be_hidden()
        with page.expect_popup() as opened:
            page.get_by_role("button", name="Connect Tickets sandbox").click()
        with opened.value.expect_event("close"):
            allow_access(opened.value)
        assert not page.evaluate(THERE)
        network.line = LOOPBACK

        assert "sandbox" == page.evaluate("connected")
        expect(page.get_by_text("Tickets sandbox is connected.")).to_be_visible()
        check(network)
    finally:
        context.close()


@pytest.mark.parametrize("how", ["marketplace", "method"])
def test_in_redirect_mode(how: str, chromium: Browser, demo: Demo, network: SlowNetwork) -> None:
    """The page is left to connect, and the account is there when it is back: before Python, and asked for once."""
    context = chromium.new_context(proxy={"server": f"http://127.0.0.1:{network.port}"})
    context.set_default_timeout(PATIENCE)
    home = f"{demo.host_url}/nothing"
    module, options = given(demo)
    given_back = [module, {**options, "redirectUrl": home}]
    try:
        page = context.new_page()
        page.goto(home)
        page.evaluate(BEGIN, given_back)
        button = page.get_by_role("button", name="Connect Tickets sandbox")
        if how == "marketplace":
            button.click()
        else:
            expect(button).to_be_visible()
            page.evaluate("() => { sdk.connectApp('sandbox') }")
        page.wait_for_url("**/connect/*")
        allow_access(page)
        page.wait_for_url("**/nothing?*")
        assert 1 == len(context.pages)
        assert [] == [path for path in network.requested if path.startswith("/apps")]  # Python was not there
        network.requested.clear()

        page.evaluate(BEGIN, given_back)
        expect(page.get_by_role("button", name="Connected Tickets sandbox")).to_be_visible()
        assert not page.evaluate(THERE)
        network.line = LOOPBACK
        assert "sandbox" == page.evaluate("connected")
        page.wait_for_url(home)
        assert [] == [path for path in network.requested if "connect_sessions" in path]
        assert 1 == network.requested.count("/first_screens")
    finally:
        context.close()


@pytest.mark.skipif(FIREFOX is None, reason="Needs Debian's Firefox")
def test_in_firefox(demo: Demo, network: SlowNetwork, tmp_path: Path) -> None:
    """The same in Firefox."""
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
        network.line = LOOPBACK

        assert "sandbox" == firefox.evaluate("connected")
        firefox.until("root.textContent.includes('Tickets sandbox is connected.')")
        check(network)
