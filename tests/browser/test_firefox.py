"""The main flow in Debian's Firefox, which Playwright cannot drive: ready, marketplace, calls, a choice from a list."""

import contextlib
import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from tests.browser.product import Demo, connect

FIREFOX = shutil.which("firefox-esr")

pytestmark = pytest.mark.skipif(
    FIREFOX is None, reason="Needs Debian's Firefox: apt-get install --no-install-recommends firefox-esr"
)

ARROW_DOWN, ENTER, ESCAPE = "\ue015", "\ue007", "\ue00c"  # WebDriver's names of these keys

# Waits in the page until an expression is true of `root`, the shadow root of what the SDK shows.
UNTIL = """(async () => {
  for (;;) {
    const root = document.querySelector("[data-servicejs]")?.shadowRoot ?? null;
    const found = EXPRESSION;
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
})()"""


@frozen
class Firefox:
    """A Firefox with one page."""

    program: "subprocess.Popen[str]"

    def open(self, url: str) -> None:
        """Go to a page and wait until it has loaded."""
        self._do({"open": url})

    def evaluate(self, expression: str) -> Any:
        """Return what an expression gives in the page."""
        return self._do({"evaluate": expression})

    def until(self, expression: str) -> Any:
        """Wait until an expression is true in the page."""
        return self.evaluate(UNTIL.replace("EXPRESSION", expression))

    def in_window(self, expression: str) -> Any:
        """Wait until an expression is true in the window that was opened last, however often that goes elsewhere."""
        for _ in range(600):
            try:
                if found := self._do({"evaluateInWindow": expression}):
                    return found
            except AssertionError:
                pass  # the page was just left
            time.sleep(0.1)
        raise AssertionError(f"This was never true: {expression}")

    def type(self, text: str) -> None:
        """Press keys, one after the other."""
        self._do({"type": text})

    def requests(self) -> list[str]:
        """The addresses of all requests so far, those of workers too."""
        found: list[str] = self._do({"requests": None})
        return found

    def _do(self, command: dict[str, str | None]) -> Any:
        assert self.program.stdin is not None
        assert self.program.stdout is not None
        print(json.dumps(command), file=self.program.stdin, flush=True)
        answer = json.loads(self.program.stdout.readline() or '{"error": "Firefox has ended."}')
        assert "error" not in answer, answer["error"]
        return answer["value"]


@contextlib.contextmanager
def running_firefox(profile: Path, preferences: str = "") -> Iterator[Firefox]:
    """A Firefox with an empty profile but for its preferences, the lines of a `user.js`."""
    profile.mkdir()
    (profile / "user.js").write_text(preferences)
    command = ["node", Path(__file__).with_name("drive_firefox.mjs"), str(FIREFOX), profile]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        try:
            yield Firefox(program)
        finally:
            program.terminate()


@pytest.fixture(scope="module")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    """A Firefox with an empty profile."""
    with running_firefox(tmp_path_factory.mktemp("firefox") / "profile") as firefox:
        yield firefox


def test_the_main_flow(firefox: Firefox, demo: Demo) -> None:
    """On the demo's page, with its strict policy: ready from the snapshot, the apps, a search; calls are answered."""
    firefox.open(demo.host_url)
    firefox.until("document.body.dataset.sdk === 'ready'")
    loaded = [url for url in firefox.requests() if url.startswith(f"{demo.base_url}/servicejs/")]
    assert any("/snapshot." in url for url in loaded)
    assert not any("/plain_boot." in url or "/pyodide." in url for url in loaded)

    firefox.evaluate("document.getElementById('show-apps').click()")
    firefox.until("root?.querySelector('input[type=search]')")
    firefox.until("root.textContent.includes('Tickets sandbox')")
    firefox.evaluate("""(() => {
      const search = document.querySelector("[data-servicejs]").shadowRoot.querySelector("input[type=search]");
      search.value = "no such app";
      search.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    })()""")
    firefox.until("!root.textContent.includes('Tickets sandbox')")

    options = json.dumps(demo.credentials())
    apps = firefox.evaluate(f"new ServiceJS({options}).getApps()")
    assert "sandbox" in [app["name"] for app in apps]
    unknown = f"new ServiceJS({options}).getFunction('sandbox-unknown').catch(({{ code }}) => code)"
    assert "unknown_function" == firefox.evaluate(unknown)


def test_a_choice_is_made_by_keys(firefox: Firefox, demo: Demo) -> None:
    """Typing narrows the list, Enter takes what is meant, and Escape closes the list before the dialog."""
    connect(demo)
    firefox.open(demo.host_url)
    firefox.until("document.body.dataset.sdk === 'ready'")
    show = "showFunctionUI('sandbox-create-ticket', { title: 'By keys' }).catch(({ code }) => code)"
    firefox.evaluate(f"void (window.outcome = new ServiceJS({json.dumps(demo.credentials())}).{show})")
    firefox.until("root?.querySelector('#field-project_id:not([disabled])')")
    firefox.evaluate("document.querySelector('[data-servicejs]').shadowRoot.querySelector('#field-project_id').focus()")

    firefox.type("off")
    options = (
        "[...root.querySelectorAll('#field-project_id-list [role=option]')].map((each) => each.textContent).join()"
    )
    firefox.until(f"{options}.startsWith('Office')")
    firefox.type(ENTER)
    box = "root.querySelector('#field-project_id')"
    firefox.until(f"{box}.value === 'Office' && {box}.getAttribute('aria-expanded') === 'false'")
    firefox.type(ARROW_DOWN)
    firefox.until(f"{box}.getAttribute('aria-expanded') === 'true' && {box}.getAttribute('aria-activedescendant')")
    firefox.type(ESCAPE)
    firefox.until(f"{box}.getAttribute('aria-expanded') === 'false' && root.querySelector('dialog').open")
    firefox.until("root.textContent.includes('There are no fields to fill in.')")
    firefox.evaluate("document.querySelector('[data-servicejs]').shadowRoot.querySelector('#form-submit').click()")

    assert {"title": "By keys", "project_id": "office"} == firefox.evaluate("outcome")
