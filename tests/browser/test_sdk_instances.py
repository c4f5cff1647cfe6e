"""Instances on a page: constructors, events, isolation, the end."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from .conftest import OpenPage, Troubles, error_of
from .product import PATIENCE, Demo, allow_access


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """A page with the SDK and nothing else."""
    return open_page('<div id="place"></div>')


WRONG_CALLS = (
    ("showApps([], 'inline')", "container_not_found", "containerId is required"),
    ("showApps([], 'inline', 'nowhere')", "container_not_found", '"nowhere"'),
    ("showApps([], 'inline', { id: 'place' })", "container_not_found", "an element of this page"),
    ("showApps([], 'sideways')", "invalid_argument", "MarketplaceRenderModes"),
    ("showApps({ apps: ['sandbox'] })", "invalid_argument", "apps must be a list"),
    ("showApps([], 'modal', undefined, { promptbox: false })", "invalid_argument", "'promptbox'; there is promptBox."),
    ("connectApp()", "invalid_argument", "appName is missing"),
    ("connectApp('nothing', null)", "unknown_app", "nothing"),
    ("connectApp('sandbox', { account: 1 })", "invalid_argument", "connectApp has no option 'account'"),
    ("getFunctions('sandbox')", "invalid_argument", 'with apps, type and connectedOnly, not "sandbox"'),
    ("getFunctions(['sandbox'])", "invalid_argument", "not in a list"),
    ("getFunctions({ app: ['sandbox'] })", "invalid_argument", "there are apps, type and connectedOnly"),
    ("getChoices('sandbox-create-ticket', 'project_id', { query: 'x' })", "invalid_argument", "'query'"),
    ("predict('create a ticket', { app: 'sandbox' })", "invalid_argument", "'app'"),
    ("invokeFunction('sandbox-list-tickets', {}, null, 'outcome')", "invalid_argument", 'include, not "outcome"'),
    ("eventEmitter.on('app-conected', () => {})", "unknown_event", "ready, error, marketplace-opened"),
    ("connectApp('sandbocks')", "unknown_app", "sandbocks"),
    ("showFunctionUI('sandbox-create-tickets', {})", "unknown_function", "sandbox-create-tickets"),
    ("showFunctionUI('sandbox-create-ticket', 'title')", "invalid_argument", "params"),
    ("showFunctionUI('sandbox-create-ticket', {}, null, { render: 'inline' })", "invalid_argument", "'render'"),
)
CONSTRUCTORS = (
    "new ServiceJS(options)",
    "ServiceJS(options)",
    "new ServiceJS(options.appKey, options.hash, options.userId)",
    "ServiceJS(options.appKey, options.hash, options.userId, { theme: 'dark' })",
    "new ServiceJS({ ...options, hash: undefined, token: async () => (await fetch('/token')).text() })",
)


def test_every_form_of_the_constructor_gets_ready(page: Page, profile: BrowserContext, demo: Demo) -> None:
    """Object or positions, with or without `new`, with a hash or a token: valid credentials make `ready`."""
    with demo.client() as client:
        token = client.session_tokens.create().token
    profile.route("**/token", lambda route: route.fulfill(body=token))

    for constructor in CONSTRUCTORS:
        ready = page.evaluate(f"""() => new Promise((resolve, reject) => {{
          const {{ eventEmitter }} = {constructor};
          eventEmitter.on("ready", resolve);
          eventEmitter.on("error", reject);
        }})""")
        assert (True, demo.user_id) == (ready["isReady"], ready["user_id"]), constructor


def test_wrong_calls_are_explained(page: Page, troubles: Troubles) -> None:
    """By a code and words that name it, leaving nothing on the page; so does what JSON can't carry."""
    troubles.expect("404")
    page.evaluate("() => { window.sdk = new ServiceJS(options) }")
    for call, code, words in WRONG_CALLS:
        error = error_of(page, f"sdk.{call}")
        assert (call, code, True) == (call, error.get("code"), error.get("isServiceError")), error
        assert words in error["message"]
        expect(page.locator("[data-servicejs]")).to_have_count(0)
    page.evaluate("() => { window.cycle = {}; cycle.self = cycle }")
    assert "invalid_argument" == error_of(page, "sdk.invokeFunction('sandbox-list-tickets', cycle)")["code"]
    assert isinstance(page.evaluate("sdk.getApps()"), list)


def test_options_that_are_not_known_are_told_in_the_console(page: Page, troubles: Troubles) -> None:
    """An instance does without them, and without a theme that there isn't; options may be null."""
    troubles.expect("'themes'", "'drak'")
    page.evaluate("() => { window.sdk = new ServiceJS({ ...options, themes: 'x', theme: 'drak' }) }")
    page.evaluate("sdk.showApps([], 'modal', undefined, null)")

    expect(page.get_by_role("heading", name="Tickets sandbox")).to_be_visible()
    assert page.locator("[data-servicejs]").get_attribute("data-theme") is None
    assert 2 == page.evaluate("sdk.getFunctions(null).then((all) => Math.min(2, all.length))")
    assert [
        "ServiceJS: There is no option 'themes'; there are "
        "appKey, userId, hash, token, baseUrl, theme, locale, redirectUrl.",
        "ServiceJS: There is no theme 'drak'; it is light or dark, or left out for the user's setting.",
    ] == [each for each in troubles.found if each.startswith("ServiceJS")]


IN_SHADOW = """() => {
  const root = document.body.appendChild(document.createElement("section")).attachShadow({ mode: "open" });
  const inner = root.appendChild(document.createElement("section")).attachShadow({ mode: "open" });
  inner.innerHTML = '<button>Own</button><div id="deep"></div>';
  const closed = document.body.appendChild(document.createElement("section")).attachShadow({ mode: "closed" });
  window.own = inner.querySelector("button");
  window.hidden = closed.appendChild(document.createElement("div"));
  window.sdk = new ServiceJS(options);
}"""


def test_containers_of_web_components(page: Page) -> None:
    """An id is looked for in the page's shadow roots too, an element may be given itself; the focus goes back there."""
    page.evaluate(IN_SHADOW)
    page.evaluate("Promise.all(['deep', hidden].map((place) => sdk.showApps([], 'inline', place)))")

    assert [["deep", 1], ["", 1]] == page.evaluate("""() => {
      const places = [own.getRootNode().getElementById("deep"), hidden];
      return places.map((place) => [place.id, place.querySelectorAll("[data-servicejs]").length]);
    }""")
    expect(page.get_by_role("heading", name="Tickets sandbox").first).to_be_visible()
    page.evaluate("sdk.closeApps(hidden)")
    assert 0 == page.evaluate("hidden.childNodes.length")
    code = "container_not_found"
    assert code == error_of(page, "sdk.showApps([], 'inline', 'search')")["code"]  # the SDK's own don't count

    page.evaluate("() => { own.focus(); sdk.showApps().catch(() => {}) }")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.evaluate("own.matches(':focus')")


def test_two_users_are_strangers(open_page: OpenPage, demo: Demo) -> None:
    """On one page each instance knows its own user, accounts and events only."""
    other = demo.credentials("second-user")
    page = open_page("""<div id="apps-first"></div><div id="apps-second"></div>
      <button id="connect" onclick="first.connectApp('sandbox')">Connect</button>""")
    page.evaluate(
        """async (other) => {
          window.heard = [];
          for (const [name, given] of [["first", options], ["second", { ...options, ...other }]]) {
            const sdk = (window[name] = new ServiceJS(given));
            for (const event of ["app-connected", "app-disconnected"])
              sdk.eventEmitter.on(event, () => heard.push([name, event]));
            await sdk.showApps([], "inline", `apps-${name}`);
          }
        }""",
        other,
    )
    with page.expect_popup() as opened:
        page.locator("#connect").click()
    with opened.value.expect_event("close", timeout=PATIENCE):
        allow_access(opened.value)
    expect(page.locator("#apps-first .account-label")).to_have_text(["Alice Andersson (Acme)"])
    assert [True, False] == page.evaluate("Promise.all([first, second].map((sdk) => sdk.isAppConnected('sandbox')))")
    expect(page.locator("#apps-second .account-label")).to_have_count(0)

    page.evaluate("second.eventEmitter.unsub('app-disconnected')")
    page.evaluate("first.disconnectApp('sandbox')")
    expect(page.locator("#apps-first .account-label")).to_have_count(0)
    assert [["first", "app-connected"], ["first", "app-disconnected"]] == page.evaluate("heard")


def test_instances_destroyed_at_once_all_end(page: Page) -> None:
    """The worker ends with the last of them, and none waits for its answer."""
    page.evaluate("""async () => {
      window.made = [1, 2, 3].map(() => new ServiceJS(options));
      await Promise.all(made.map((sdk) => sdk.getApps()));
    }""")
    ended = page.evaluate("""async () => {
      const ending = Promise.all(made.map((sdk) => sdk.destroy())).then(() => true);
      return Promise.race([ending, new Promise((go) => setTimeout(go, 5000))]);
    }""")
    assert ended


def test_destroying_leaves_nothing(page: Page, profile: BrowserContext) -> None:
    """All nodes, styles and the worker go; what was under way and what comes later rejects with `destroyed`."""
    before = page.evaluate("document.documentElement.outerHTML")
    page.evaluate("""async () => {
      window.one = new ServiceJS(options);
      window.two = new ServiceJS(options);
      await Promise.all([one.showApps(), two.showApps([], "inline", "place"), one.getApps()]);
    }""")
    assert (1, 2) == (len(page.workers), page.locator("[data-servicejs]").count())

    codes = page.evaluate("""async () => {
      const running = one.getApps().catch((error) => error.code);
      await one.destroy();
      return [await running, await one.getApps().catch((error) => error.code)];
    }""")
    assert ["destroyed", "destroyed"] == codes
    assert (1, 1) == (len(page.workers), page.locator("[data-servicejs]").count())
    assert isinstance(page.evaluate("two.getApps()"), list)

    with page.workers[0].expect_event("close"):
        page.evaluate("two.destroy()")
    assert before == page.evaluate("document.documentElement.outerHTML")
    assert page.evaluate("new ServiceJS(options).isAppConnected('sandbox')") is False  # it starts again
