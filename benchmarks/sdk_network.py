"""
How long users wait for the SDK on networks that aren't loopback, and for how many bytes.

A browser with an empty profile opens a page that calls `showApps()` as soon as the SDK's script has run (cold), and
then once more (warm): from navigation until the first app can be connected. Another page asks for `isAppConnected()`,
which Python answers. All that comes from the service goes through a proxy of its own (`slow_network.py`); the host's
own page, which is none of ours, comes from loopback. Beside us, in the same run, a peer's script until it has run.
`./dev bench sdk_network [--runs 3] [--quick]`.
"""

import argparse
import json
import queue
import shutil
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from benchmarks.boot_subjects import (
    ANSWER_SECONDS,
    ROOT,
    SDK,
    USER_ID,
    add_peer_script,
    build_bundle,
    compress,
    serve_pages,
    start_service,
)
from benchmarks.processes import MissingTool, find_tool
from benchmarks.sdk_boot import ask, chromium
from tests.slow_network import LOOPBACK, Line, SlowNetwork, slow_network

FAST, FOURTH_GENERATION, SLOW = LINES = (
    Line("50 Mbit/s, 40 ms", 50e6, 0.040),
    Line("9 Mbit/s, 170 ms", 9e6, 0.170),
    Line("1.6 Mbit/s, 300 ms", 1.6e6, 0.300),
)
SETTLE_SECONDS = 3.0  # after all has come, for what the browser writes to its caches
GOALS = {
    "first_app_cold_ms_50": 400,
    "first_app_cold_ms_9": 1000,
    "first_app_cold_ms_1_6": 2500,
    "first_app_warm_ms_50": 350,
    "first_app_warm_ms_9": 900,
    "first_app_warm_ms_1_6": 1500,
    "first_answer_cold_ms_9": 5500,
    "bytes_first_app": 70_000,
    "bytes_first_answer": 4_800_000,
}

_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title><link rel="icon" href="data:,">
<body><h1>Host</h1><script>
const report = (what, error) => fetch("/report", {{ method: "POST", keepalive: true,
  body: JSON.stringify({{ what, milliseconds: performance.now(), error: error && String(error.message ?? error) }}) }});
addEventListener("error", (event) => report("error", event.message));
</script>
{script}
</body></html>"""

_SCRIPTS = {
    # A dialog whose first row has a button that says Connect and can be pressed.
    "first_app": """<script src="{files}/servicejs.js"></script><script>
        const sdk = new ServiceJS({credentials});
        sdk.eventEmitter.on("ready", () => report("ready"));
        sdk.eventEmitter.on("error", (error) => report("error", error));
        sdk.showApps().catch((error) => report("error", error));
        const look = () => {{
          const root = document.querySelector("[data-servicejs]")?.shadowRoot;
          const button = root?.querySelector("[data-action=connect]:not(:disabled)");
          if (button?.checkVisibility()) report("first_app");
          else requestAnimationFrame(look);
        }};
        look();
        </script>""",
    "first_answer": """<script src="{files}/servicejs.js"></script><script>
        const sdk = new ServiceJS({credentials});
        sdk.eventEmitter.on("error", (error) => report("error", error));
        sdk.isAppConnected("airtable").then(() => report("first_answer"), (error) => report("error", error));
        </script>""",
    "peer": """<script src="{files}/bare/{peer}"></script><script>report("peer")</script>""",
}


@frozen
class Host:
    """The host's pages behind a slow network; `program` is the browser that opens them."""

    program: str
    url: str
    reports: "queue.Queue[dict[str, Any]]"
    network: SlowNetwork

    def wait_for(self, what: str, reported: "dict[str, Visit]") -> "Visit":
        """Wait for a report of the page and return it; all that come are added to `reported`."""
        while what not in reported:
            told = self.reports.get(timeout=ANSWER_SECONDS)
            if told.get("error"):
                raise RuntimeError(f"A page failed: {told['error']}")
            reported[told["what"]] = Visit(told["milliseconds"], told["received"])
        return reported[what]


@frozen
class Visit:
    """What a visit came to: milliseconds from navigation, and the bytes that had come by then."""

    milliseconds: float
    received: int


def visit(host: Host, commands: str, subject: str, line: Line, *, stay: bool) -> Visit:
    """Open a subject's page over a line; with `stay` all else it loads comes afterwards, and fast."""
    while not host.reports.empty():
        host.reports.get()
    host.network.line, before = line, host.network.received
    opened = json.loads(ask(f"{commands}/new?{host.url}/{subject}", "PUT"))
    reported: dict[str, Visit] = {}
    found = host.wait_for(subject, reported)
    host.network.line = LOOPBACK
    if stay:
        host.wait_for("ready", reported)
        time.sleep(SETTLE_SECONDS)
    ask(f"{commands}/close/{opened['id']}")
    return evolve(found, received=found.received - before)


def measure(host: Host, folder: Path, runs: int, lines: Iterable[Line]) -> dict[tuple[str, str, str], list[Visit]]:
    """Return the visits by subject, line and phase."""
    visits: dict[tuple[str, str, str], list[Visit]] = defaultdict(list)
    through = [f"--proxy-server=127.0.0.1:{host.network.port}", "--proxy-bypass-list=<-loopback>;localhost"]
    for run in range(runs):
        for line in lines:
            for subject in _SCRIPTS:
                if subject == "first_answer" and line is not FOURTH_GENERATION:
                    continue  # seconds of bytes and nothing else
                profile = folder / f"profile-{run}-{subject}-{line.round_trip}"
                with chromium(host.program, profile, through) as commands:
                    shows = subject == "first_app"
                    for phase in ("cold", "warm") if shows else ("cold",):
                        made = visit(host, commands, subject, line, stay=shows and phase == "cold")
                        visits[subject, line.name, phase].append(made)
                        print(
                            f"run {run + 1}: {subject} {phase} at {line.name}: {made.milliseconds:.0f} ms, "
                            f"{made.received:,} bytes",
                            file=sys.stderr,
                        )
                shutil.rmtree(profile, ignore_errors=True)
    return visits


def report(visits: dict[tuple[str, str, str], list[Visit]]) -> int:
    """Print the table and the figures; 0 if every goal was met."""
    medians = {
        key: Visit(
            statistics.median(each.milliseconds for each in made), statistics.median_low(each.received for each in made)
        )
        for key, made in visits.items()
    }
    for (subject, line, phase), middle in medians.items():
        print(f"{subject:12} {phase:4} {line:19} {middle.milliseconds:7.0f} ms {middle.received:>11,} bytes")
    figures: dict[str, float] = {}
    for each, short in zip(LINES, ("50", "9", "1_6"), strict=True):
        for subject, phase in (
            ("first_app", "cold"),
            ("first_app", "warm"),
            ("first_answer", "cold"),
            ("peer", "cold"),
        ):
            if (subject, each.name, phase) in medians:
                figures[f"{subject}_{phase}_ms_{short}"] = round(medians[subject, each.name, phase].milliseconds)
    for subject in ("first_app", "first_answer"):
        seen = [middle.received for (shown, _, phase), middle in medians.items() if (shown, phase) == (subject, "cold")]
        figures[f"bytes_{subject}"] = max(seen)
    goals = {name: goal for name, goal in GOALS.items() if name in figures}
    met = all(figures[name] <= goal for name, goal in goals.items())
    print(json.dumps({"name": "sdk_network", "figures": figures, "goals": goals, "met": met}))
    return 0 if met else 1


def main() -> int:
    """Measure and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="one run over the middle line alone")
    options = parser.parse_args()
    try:
        program = find_tool("chromium", "chromium")
    except MissingTool as missing:
        print(missing, file=sys.stderr)
        return 2
    build_bundle(*([] if options.quick else ["--release"]))
    reports: queue.Queue[dict[str, Any]] = queue.Queue()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch, slow_network() as network:
        folder = Path(scratch)
        shutil.copytree(ROOT / "web_assets", folder / "web_assets")
        names = {"peer": add_peer_script(folder / SDK / "bare")}
        compress(folder / SDK / "bare")
        pages: dict[str, str] = {}

        def take(values: dict[str, Any]) -> None:
            reports.put({**values, "received": network.received})

        with serve_pages(pages, take) as url, start_service(folder, url) as running:
            headers = running.headers(USER_ID)
            names["files"] = f"{running.url}/servicejs/v1"
            names["credentials"] = json.dumps(
                {"appKey": headers["App-Key"], "userId": headers["User-ID"], "hash": headers["Hash"]}
            )
            pages |= {f"/{each}": _PAGE.format(script=script.format(**names)) for each, script in _SCRIPTS.items()}
            host = Host(program, url, reports, network)
            if options.quick:
                return report(measure(host, folder, 1, [FOURTH_GENERATION]))
            return report(measure(host, folder, options.runs, LINES))


if __name__ == "__main__":
    sys.exit(main())
