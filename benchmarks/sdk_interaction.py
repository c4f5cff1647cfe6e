"""
Whether a long marketplace and a long form stay at 60 frames a second while somebody types, scrolls and opens things.

A script does the same in three pages: a marketplace of 1,000 apps, a form of 200 fields, and a bare page of plain
elements without any script, which tells what the machine and the browser cost by themselves. A performance trace
gives the tasks of the host page's thread, the page itself its frames and how late it heard of keys. Compare with the
bare page of the same run: no figure of another run. `./dev bench sdk_interaction [--rounds 3] [--speed 1]`.
"""

import argparse
import json
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from attrs import define, field, frozen
from playwright.sync_api import BrowserContext, Locator, Page, Route, sync_playwright

from benchmarks.boot_subjects import build_bundle, serve_pages
from benchmarks.processes import MissingTool, find_tool
from service_client.plans.values import Method
from service_client.testing import FakeService, HttpRequest
from tests.chromium import AS_USERS_RUN_IT
from tests.service_server.processes import RunningService, service

APPS, FIELDS = 1_000, 200
FRAME_MILLISECONDS = 1000 / 60
LATE_MILLISECONDS = 1.5 * FRAME_MILLISECONDS  # an interval between two frames in which another one was due
KEY_PAUSE_MILLISECONDS = 60  # some 200 words a minute: faster than people type
KEYS = ("late_frames", "frames_lost_by_us", "longest_task_ms", "key_delay_p95_ms")
GOALS = {
    "marketplace_frames_lost_by_us": 0.01,
    "form_frames_lost_by_us": 0.01,
    "marketplace_longest_task_ms": 50,
    "form_longest_task_ms": 50,
    "marketplace_key_delay_p95_ms": round(FRAME_MILLISECONDS, 1),
    "form_key_delay_p95_ms": round(FRAME_MILLISECONDS, 1),
}

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title><link rel="icon" href="data:,">
<body><script>
window.seen = { frames: [], delays: [] };
let last = 0;
const frame = (now) => { if (last) seen.frames.push(now - last); last = now; requestAnimationFrame(frame) };
addEventListener("keydown", (event) => seen.delays.push(performance.now() - event.timeStamp), true);
const begin = () => { performance.mark("interaction"); requestAnimationFrame(frame) };
</script>%s</body></html>"""
BARE = (
    "<style>body{font:15px sans-serif} dialog{height:90vh;width:560px;overflow:auto} label,input,li{display:block}"
    "</style><dialog aria-label=Bare><label>Search <input type=search id=search></label>"
    + "".join(f"<label>Field {number} <input id=field-{number}></label>" for number in range(FIELDS))
    + "</dialog><script>document.querySelector('dialog').showModal()</script>"
)


@define
class Seen:
    """What runs of the script in one page gave, in milliseconds: of tasks the processor time, else what went by."""

    tasks: list[float] = field(factory=list)
    frames: list[float] = field(factory=list)
    delays: list[float] = field(factory=list)

    def add(self, other: "Seen") -> None:
        """Take what another run gave, too."""
        self.tasks += other.tasks
        self.frames += other.frames
        self.delays += other.delays

    @property
    def late_frames(self) -> float:
        """The share of frames that came after another one was due."""
        return sum(each > LATE_MILLISECONDS for each in self.frames) / max(1, len(self.frames))

    @property
    def lost_by_us(self) -> float:
        """The share of frames that a single task of the page's thread made late."""
        return sum(int(each // FRAME_MILLISECONDS) for each in self.tasks) / max(1, len(self.frames))

    def figures(self, name: str) -> dict[str, float]:
        """Return the figures under names that begin with `name`."""
        return {
            f"{name}_late_frames": round(self.late_frames, 4),
            f"{name}_frames_lost_by_us": round(self.lost_by_us, 4),
            f"{name}_longest_task_ms": round(max(self.tasks, default=0.0), 1),
            f"{name}_key_delay_p95_ms": round(statistics.quantiles(self.delays, n=20)[-1], 1),
        }


def long_service() -> FakeService:
    """Make a service with many apps, and a function with many fields of all common kinds."""
    fake = FakeService()
    for number in range(APPS):
        accounts = ["ann@example.com"] if number % 100 == 0 else []
        fake.add_app(f"app{number:04}", title=f"App number {number}", accounts=accounts, categories=["sales"])
    kinds: tuple[dict[str, Any], ...] = (
        {"type": "string"},
        {"type": "number"},
        {"type": "boolean"},
        {"type": "string", "enum": [f"choice {number}" for number in range(10)]},
        {"type": "string", "format": "date"},
    )
    properties = {
        f"field_{number}": kinds[number % len(kinds)] | {"description": f"What field {number} is for."}
        for number in range(FIELDS)
    }
    fake.function("app0000-fill-in", properties=properties, required=list(properties))(lambda arguments: arguments)
    return fake


def answer_with(fake: FakeService, context: BrowserContext, base_url: str) -> None:
    """Let the service in memory answer the calls of the API; the SDK's files come from the real one."""

    def answer(route: Route) -> None:
        request = route.request
        headers = {name: value for name, value in request.headers.items() if not name.startswith(":")}
        response = fake.handle(
            HttpRequest(cast(Method, request.method), request.url, headers, request.post_data_buffer, 30)
        )
        allowed = {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "Request-Id, Retry-After"}
        route.fulfill(status=response.status, body=response.content, headers={**response.headers, **allowed})

    context.route(lambda url: url.startswith((f"{base_url}/apps", f"{base_url}/functions")), answer)
    # The service itself knows nothing of the long lists, so it has nothing to draw before the SDK does.
    nothing = {"status": 204, "headers": {"Access-Control-Allow-Origin": "*"}}
    context.route(f"{base_url}/first_screens", lambda route: route.fulfill(**nothing))


@frozen
class Pace:
    """How many times as fast as usual everything is done; figures are those of a person only at the usual pace."""

    speed: float

    def milliseconds(self, usual: float) -> float:
        """How long something takes that usually takes so long."""
        return usual / self.speed

    def type(self, place: Locator, text: str) -> None:
        """Type as a person does, only faster."""
        place.press_sequentially(text, delay=self.milliseconds(KEY_PAUSE_MILLISECONDS))

    def pause(self, page: Page, usual: float) -> None:
        """Do nothing for a while."""
        page.wait_for_timeout(self.milliseconds(usual))


def scroll(page: Page, pace: Pace) -> None:
    """Scroll down a long way and up again, with the pointer over what is in the middle of the page."""
    size = page.viewport_size or {"width": 0, "height": 0}
    page.mouse.move(size["width"] / 2, size["height"] / 2)
    for distance in [120] * 25 + [-240] * 12:
        page.mouse.wheel(0, distance)
        pace.pause(page, 30)


def use_marketplace(page: Page, pace: Pace) -> None:
    """Search, clear, show more, scroll, ask and keep; by ids, since looking for roles costs the page's thread much."""
    search = page.locator("#search")
    pace.type(search, "number 12")
    page.locator("#app-app0129").wait_for()
    for _ in range(9):
        search.press("Backspace", delay=pace.milliseconds(KEY_PAUSE_MILLISECONDS))
    page.locator("#app-app0001").wait_for()
    for _ in range(5):
        page.locator("#show-more").click()
        pace.pause(page, 300)
    scroll(page, pace)
    page.locator("[aria-haspopup=menu]").first.click()
    page.locator("[data-action=ask-disconnect]:visible").first.click()
    page.locator("[data-action=keep]").click()
    pace.type(search, "9")


def use_form(page: Page, pace: Pace) -> None:
    """Type at the top, in the middle and at the end, choose, scroll, and submit what is not complete."""
    for number in (0, 100, 195):
        pace.type(page.locator(f"[id=field-field_{number}]"), "some twenty characters")
    page.locator("[id=field-field_3]").select_option("choice 4")
    scroll(page, pace)
    pace.type(page.locator("[id=field-field_1]"), "not a number")
    page.locator("[id=form-submit]").click()
    page.locator("#form-problems").wait_for()
    pace.type(page.locator("[id=field-field_5]"), "while there are problems")


def use_bare(page: Page, pace: Pace) -> None:
    """Do in plain inputs what is done in the others."""
    for place in ("search", "field-0", "field-100", "field-195"):
        pace.type(page.locator(f"[id={place}]"), "some twenty characters")
    scroll(page, pace)
    pace.type(page.locator("[id=field-5]"), "while there are problems")


def measure(context: BrowserContext, page: Page, use: Callable[[Page, Pace], None], pace: Pace, trace: Path) -> Seen:
    """Run a script in a page that is ready, and return what there was to see."""
    browser = context.browser
    assert browser is not None
    browser.start_tracing(page=page, path=trace, categories=["toplevel", "blink.user_timing"])
    page.evaluate("begin()")
    use(page, pace)
    page.wait_for_timeout(500)
    seen = page.evaluate("seen")
    browser.stop_tracing()
    return Seen(page_tasks(json.loads(trace.read_text())["traceEvents"]), seen["frames"], seen["delays"])


def page_tasks(events: list[dict[str, Any]]) -> list[float]:
    """
    Return the processor time of each task of the thread that our mark stands in, from there on.

    On a machine that others use too, the time that went by would be theirs as well.
    """
    mark = next(event for event in events if event["name"] == "interaction")
    return [
        event.get("tdur", event["dur"]) / 1000
        for event in events
        if event["name"].endswith("RunTask") and "dur" in event
        if (event["pid"], event["tid"]) == (mark["pid"], mark["tid"]) and event["ts"] > mark["ts"]
    ]


def run(context: BrowserContext, host_url: str, running: RunningService, pace: Pace, trace: Path) -> dict[str, Seen]:
    """Measure the three pages once, one after the other."""
    headers = running.headers("benchmark-user")
    options = {"appKey": headers["App-Key"], "userId": headers["User-ID"], "hash": headers["Hash"]}
    opened: dict[str, tuple[str, Callable[[Page, Pace], None]]] = {
        "bare": ("", use_bare),
        "marketplace": ("sdk.showApps()", use_marketplace),
        "form": ("sdk.showFunctionUI('app0000-fill-in', {})", use_form),
    }
    found = {}
    for name, (expression, use) in opened.items():
        page = context.new_page()
        page.goto(f"{host_url}/{'bare' if name == 'bare' else 'sdk'}")
        if expression:
            show = f"values => {{ window.sdk = new ServiceJS(values); {expression}.catch(() => {{}}) }}"
            page.evaluate(show, options)
            page.locator("[id=app-app0000], [id=field-field_0]").wait_for(timeout=60_000)
            pace.pause(page, 3_000)  # all pages of apps, and the archive that follows the start
        found[name] = measure(context, page, use, pace, trace)
        page.close()
    return found


def report(found: dict[str, Seen]) -> int:
    """Print the table and the figures; 0 if every goal was met."""
    figures: dict[str, float] = {}
    for name, seen in found.items():
        own = seen.figures(name)
        figures |= own
        print(f"{name:11} {len(seen.frames):5} frames: " + ", ".join(f"{key}: {own[f'{name}_{key}']}" for key in KEYS))
    met = all(figures[name] <= goal for name, goal in GOALS.items())
    print(json.dumps({"name": "sdk_interaction", "figures": figures, "goals": GOALS, "met": met}))
    return 0 if met else 1


def main() -> int:
    """Measure and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--speed", type=float, default=1.0, help="times the usual pace of keys, wheel and pauses")
    options = parser.parse_args()
    pace = Pace(options.speed)
    try:
        program = find_tool("chromium", "chromium")
    except MissingTool as missing:
        print(missing, file=sys.stderr)
        return 1
    build_bundle()
    found = {name: Seen() for name in ("bare", "marketplace", "form")}
    pages: dict[str, str] = {"/bare": PAGE % BARE}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        folder = Path(scratch)
        with (
            serve_pages(pages, lambda _: None) as host_url,
            service(folder / "data", origins=[host_url]) as running,
            sync_playwright() as playwright,
        ):
            pages["/sdk"] = PAGE % f'<script src="{running.url}/servicejs/v1/servicejs.js"></script>'
            browser = playwright.chromium.launch(executable_path=program, args=AS_USERS_RUN_IT)
            context = browser.new_context(viewport={"width": 1100, "height": 800})
            answer_with(long_service(), context, running.url)
            for number in range(options.rounds):
                for name, seen in run(context, host_url, running, pace, folder / f"{number}.trace").items():
                    found[name].add(seen)
            browser.close()
    return report(found)


if __name__ == "__main__":
    sys.exit(main())
