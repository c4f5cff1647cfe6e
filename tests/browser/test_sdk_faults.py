"""Pages that take away what the SDK shows, and texts that try to be HTML, in a real browser."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from playwright.sync_api import Browser, expect

from tests.servicejs.hostile_texts import PAYLOADS, screens

from .conftest import OpenPage, error_of

SURFACES = """
import gc
from servicejs.surface import Surface
gc.collect()
sum(isinstance(each, Surface) for each in gc.get_objects())"""


def test_a_page_may_take_away_what_is_shown(open_page: OpenPage) -> None:
    """A dialog that the page drops ends its call and gives the page back; a container may be rendered again."""
    page = open_page('<div id="outer"><div id="place"></div></div>')
    page.evaluate("async () => { window.sdk = new ServiceJS(options); await sdk.getApps() }")

    dropped = """(async () => {
      const shown = sdk.connectApp("sandbox");
      await new Promise((resolve) => setTimeout(resolve, 200));
      document.querySelector("[data-servicejs=modal]").remove();
      return await shown;
    })()"""
    assert "cancelled" == error_of(page, dropped)["code"]
    assert "hidden" != page.evaluate("getComputedStyle(document.documentElement).overflowY")

    for _ in range(3):
        page.evaluate("""async () => {
          outer.innerHTML = '<div id="place"></div>';
          await sdk.showApps([], "inline", "place");
        }""")
    expect(page.get_by_role("heading", name="Tickets sandbox")).to_have_count(1)
    assert 1 == page.workers[0].evaluate("code => started.python.runPython(code)", SURFACES)
    page.evaluate("sdk.destroy()")


def test_arguments_that_are_no_json_leave_nothing_open(open_page: OpenPage) -> None:
    """Neither a dialog nor a window that a call has opened before its arguments were looked at."""
    page = open_page()
    page.evaluate("""() => {
      window.sdk = new ServiceJS(options);
      const circle = {};
      circle.circle = circle;
      window.calls = {
        form: () => sdk.showFunctionUI("sandbox-create-ticket", circle),
        apps: () => sdk.showApps([], "modal", undefined, { promptBox: circle }),
        connecting: () => sdk.connectApp(circle),
      };
    }""")

    for call in ("form", "apps", "connecting"):
        assert "invalid_argument" == error_of(page, f"calls.{call}()")["code"]
        expect(page.locator("[data-servicejs]")).to_have_count(0)
    page.wait_for_timeout(200)  # until the window has closed
    assert [page] == [each for each in page.context.pages if not each.is_closed()]


def test_containers_that_are_gone_leave_nothing(open_page: OpenPage) -> None:
    """What stood in removed containers is freed; one that was only away for a moment goes on."""
    places = "".join(f'<div id="place-{number}"></div>' for number in range(3))
    page = open_page(f'<div id="moved"></div><div id="places">{places}</div>')
    page.clock.install()
    page.evaluate("""async () => {
      window.sdk = new ServiceJS(options);
      await sdk.getApps();
      await sdk.showApps([], "inline", "moved");
      for (let number = 0; number < 3; number++) await sdk.showApps([], "inline", `place-${number}`);
    }""")
    count = "code => started.python.runPython(code)"
    assert 4 == page.workers[0].evaluate(count, SURFACES)

    page.evaluate("() => { window.away = document.querySelector('#moved'); away.remove(); places.remove() }")
    page.clock.run_for(5_000)
    page.evaluate("() => document.body.append(away)")
    page.clock.run_for(5_000)
    page.evaluate("sdk.getApps()")

    assert 1 == page.workers[0].evaluate(count, SURFACES)
    page.locator("#search").fill("tick")
    expect(page.get_by_role("heading", name="Tickets sandbox")).to_be_visible()
    expect(page.get_by_role("heading", name="Slack")).to_have_count(0)


def test_no_text_runs_or_adds_anything(chromium: Browser) -> None:
    """With hostile texts in every slot Chromium builds the same elements as with harmless ones, and runs nothing."""

    async def build(text: str) -> dict[str, str]:
        return {name: html async for name, html in screens(text)}

    with ThreadPoolExecutor(1) as thread:  # in this one, Playwright keeps an event loop running
        harmless, *hostile = thread.map(lambda text: asyncio.run(build(text)), ("harmless", *PAYLOADS))
    page = chromium.new_page()
    page.evaluate("() => { window.ran = 0; window.hostile = () => ran++ }")
    count = """screens => {
      const frame = document.body.appendChild(document.createElement("div")).attachShadow({ mode: "open" });
      const led = [], addresses = ["href", "action", "formaction"];
      const built = Object.entries(screens).map(([name, html]) => {
        frame.innerHTML = html;
        const elements = [...frame.querySelectorAll("*")];
        for (const name of addresses) led.push(...elements.map((each) => each.getAttribute(name)));
        return [name, elements.map((each) => [each.nodeName, ...each.getAttributeNames()].join()).join(" ")];
      });
      return [built, led.filter((address) => address !== null && !/^https?:/.test(address))];
    }"""
    expected, _ = page.evaluate(count, harmless)

    for payload, shown in zip(PAYLOADS, hostile, strict=True):
        assert [expected, []] == page.evaluate(count, shown), payload
        seen = sum("hostile" in html or "7 * 7" in html for html in shown.values())
        assert seen >= len(harmless) - 3  # the text is shown, and not just left out
    page.wait_for_timeout(100)
    assert 0 == page.evaluate("ran")
    page.close()
