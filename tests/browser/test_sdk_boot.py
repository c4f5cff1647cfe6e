"""How the SDK starts: from a memory snapshot, what it falls back to, and what a start leaves behind."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Request, Route, expect

from .conftest import OpenPage, Troubles, built, error_of
from .product import Demo

SLOWER = "ServiceJS starts more slowly than it could"
REPORTED = ("Failed to load resource", "net::ERR", "Failed to fetch")
MODULES = "started.python.runPython('import sys; \" \".join(sys.modules)')"

ARCHIVE = """async () => {
  while (!started.archive) await new Promise((resolve) => setTimeout(resolve, 20));
  await started.archive;
}"""
"""Waits for what follows a start."""


@pytest.fixture
def files(profile: BrowserContext) -> list[str]:
    """What the test's pages fetch of the SDK's files, by their names without the hashes."""
    names: list[str] = []

    def add(request: Request) -> None:
        if found := re.search(r"/servicejs/v1/(.+?)(\.[0-9a-f]{16})?(\.\w+)$", request.url):
            names.append(found[1] + found[3])

    profile.on("request", add)
    return names


def change(profile: BrowserContext, pattern: str, make: Callable[[bytes], bytes] | None) -> None:
    """Have a file of the bundle arrive changed, or not at all."""

    def answer(route: Route) -> None:
        if make is None:
            route.abort("connectionrefused")
            return
        content = make(built(pattern).read_bytes())
        kind = "application/wasm" if pattern.endswith("wasm") else "text/javascript"
        route.fulfill(body=content, headers={"Content-Type": kind, "Access-Control-Allow-Origin": "*"})

    profile.route(f"**/servicejs/v1/{built(pattern).name}", answer)


def test_a_start_needs_few_files(open_page: OpenPage, files: list[str], troubles: Troubles) -> None:
    """Nothing is loaded twice or imported later; the archive follows, with modules that the snapshot lacks."""
    page = open_page()
    page.evaluate("async () => { window.sdk = new ServiceJS(options); await sdk.isAppConnected('sandbox') }")
    scripts = ["runtime.mjs", "servicejs.js", "surface_content.js", "worker.js"]
    assert sorted(["python.wasm", "snapshot.bin", *scripts]) == sorted(set(files) - {"python.zip"})
    assert len(set(files)) == len(files)
    assert [] == troubles.found
    worker = page.workers[0]
    before = worker.evaluate(MODULES).split()

    page.evaluate("() => sdk.showApps()")
    page.get_by_role("searchbox").fill("tick")
    expect(page.get_by_role("heading", name="Tickets sandbox")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.evaluate("() => { sdk.showFunctionUI('sandbox-create-ticket', {}).catch(() => {}) }")
    expect(page.get_by_role("dialog").get_by_role("button").first).to_be_visible()
    troubles.expect("400", "404")
    page.evaluate("() => sdk.invokeFunction('sandbox-list-tickets', {}).catch(() => {})")
    page.evaluate("() => sdk.getFunction('sandbox-unknown').catch(() => {})")
    assert [] == sorted(set(worker.evaluate(MODULES).split()) - set(before))

    assert "quopri" not in before
    worker.evaluate(ARCHIVE)
    worker.evaluate("started.python.runPython('import quopri')")
    assert 1 == files.count("python.zip")


@pytest.mark.parametrize(
    ("pattern", "make", "instead"),
    [
        ("python.*.wasm", lambda content: content[:100], "pyodide.asm.wasm"),  # a broken module
        ("servicejs.js", lambda text: text.replace(b"compileStreaming", b"unknown"), "pyodide.asm.wasm"),
        ("snapshot.*.bin", None, "plain_boot.js"),
        ("snapshot.*.bin", lambda content: content[: len(content) // 2], "plain_boot.js"),
        ("snapshot.*.bin", lambda content: content.replace(b'{"build":"', b'{"build":"x', 1), "plain_boot.js"),
        ("runtime.*.mjs", None, "plain_boot.js"),
        ("runtime.*.mjs", lambda _: b"export default () => { throw new Error('unsupported') }", "plain_boot.js"),
    ],
)
def test_a_start_that_fails_has_another(
    pattern: str,
    make: Callable[[bytes], bytes] | None,
    instead: str,
    profile: BrowserContext,
    open_page: OpenPage,
    files: list[str],
    troubles: Troubles,
) -> None:
    """Where a file is missing or wrong the SDK starts in the next slower way, and says so once."""
    troubles.expect(*REPORTED, SLOWER)
    change(profile, pattern, make)
    page = open_page()

    assert isinstance(page.evaluate("new ServiceJS(options).getApps()"), list)

    assert instead in files
    assert ("plain_boot.js" == instead) == ("plain_boot.js" in files)
    assert 1 == sum(SLOWER in trouble for trouble in troubles.found)


def test_a_worker_that_dies_is_told_and_replaced(
    profile: BrowserContext, open_page: OpenPage, troubles: Troubles
) -> None:
    """When the worker breaks down during its start, calls reject with one clear error, and the next starts another."""
    change(profile, "worker.*.js", lambda _: b"setTimeout(() => { throw new Error('out of order') })")
    page = open_page()
    page.evaluate("() => { window.sdk = new ServiceJS(options) }")

    error = error_of(page, "sdk.getApps()")

    assert ("internal", True) == (error["code"], "out of order" in error["message"])
    assert [] == troubles.found
    profile.unroute(f"**/servicejs/v1/{built('worker.*.js').name}")
    assert isinstance(page.evaluate("sdk.getApps()"), list)


def test_a_second_visit_fetches_nothing(profile: BrowserContext, demo: Demo) -> None:
    """The SDK's files are in the browser's cache then, and what is drawn at random differs from start to start."""

    def body_size(request: Request) -> int:
        return max(0, int(request.sizes()["responseBodySize"]))

    drawn = set()
    for _ in range(2):
        received: dict[str, int] = {}
        page = profile.new_page()
        page.on("requestfinished", lambda request, into=received: into.update({request.url: body_size(request)}))
        page.goto(demo.host_url)
        expect(page.locator("body[data-sdk=ready]")).to_have_count(1)
        page.workers[0].evaluate(ARCHIVE)
        drawn.add(page.workers[0].evaluate("started.python.runPython('import random; random.getrandbits(64)')"))
        page.close()

    sdk = {url: size for url, size in received.items() if url.startswith(f"{demo.base_url}/servicejs/")}
    assert len(sdk) >= 5
    assert {0} == set(sdk.values())
    assert 2 == len(drawn)


def test_instances_leave_nothing(open_page: OpenPage) -> None:
    """Instances that come and go share one worker and leave no node, no Python object and no reference behind."""
    page = open_page('<div id="place"></div>')
    page.evaluate("async () => { window.keeper = new ServiceJS(options); await keeper.getApps() }")
    count = """
import gc
from servicejs.instance import Instance
gc.collect()
sum(isinstance(each, Instance) for each in gc.get_objects())"""

    def come_and_go() -> tuple[int, int, int]:
        page.evaluate("""async () => {
          for (let made = 0; made < 3; made++) {
            const sdk = new ServiceJS(options);
            await sdk.eventEmitter.on("ready", () => {});
            await sdk.showApps([], "inline", "place");
            await sdk.destroy();
          }
        }""")
        (worker,) = page.workers
        instances = worker.evaluate("code => started.python.runPython(code)", count)
        references = worker.evaluate("started.python._module._hiwire_num_refs()")
        return instances, references, page.evaluate("document.querySelectorAll('*').length")

    left = come_and_go()

    assert 1 == left[0]
    assert left == come_and_go()
