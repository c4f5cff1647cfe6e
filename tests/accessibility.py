"""What axe finds wrong in pages that tests show in Chromium."""

from typing import Any, Literal

from playwright.sync_api import Page

from tests.real_apps.running import ROOT

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
SETTLED = """() => {
  const shadows = [...document.querySelectorAll("[data-servicejs]")].map(({ shadowRoot }) => shadowRoot);
  const running = [document, ...shadows].flatMap((root) => root.getAnimations());
  const ending = running.filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity);
  return Promise.all(ending.map(({ finished }) => finished.catch(() => {}))).then(() => {});
}"""
"""Waits until fades are over, which axe would take for the colours that are meant."""
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def violations(
    page: Page, within: str = "[data-servicejs]", rules: tuple[str, ...] = (), off: tuple[str, ...] = ()
) -> list[Any]:
    """Return what axe finds wrong in the SDK's parts of a page, or in others, by some rules or all but some."""
    if not page.evaluate("typeof axe !== 'undefined'"):
        page.evaluate(AXE.read_text())
    script = """async ([within, runOnly, off]) => {
      const rules = Object.fromEntries(off.map((id) => [id, { enabled: false }]));
      const { violations } = await axe.run(within, { runOnly, rules });
      return violations.map(({ id, nodes }) => [id, nodes.map(({ target, failureSummary: why }) => [target, why])]);
    }"""
    chosen = {"type": "rule", "values": rules} if rules else {"type": "tag", "values": RULES}
    found: list[Any] = page.evaluate(script, [within, chosen, off])
    return found


def assert_accessible(page: Page, within: str = "[data-servicejs]", schemes: tuple[Scheme, ...] = ("light",)) -> None:
    """Let axe look at the SDK's parts of the page, or other ones, once their fades are over."""
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        page.evaluate(SETTLED)
        assert [] == violations(page, within), scheme


def assert_page_accessible(page: Page) -> None:
    """Let axe look at the whole page as it is; scripts that a debugger evaluates aren't under the page's own policy."""
    page.evaluate(SETTLED)
    assert [] == violations(page, "html")
