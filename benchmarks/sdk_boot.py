"""
How long the SDK takes until it is ready, beside a bare `loadPyodide()` and a peer's script, from the same service.

Each run starts a Chromium with an empty profile for each subject, opens its page (cold), closes it, and opens it once
more (warm). Pages tell their own times; nothing looks on meanwhile, since a debugger slows workers down. A last pass
with a debugger counts bytes and looks at the host page's thread. Compare the ratios: each is to the bare one of the
same run and the same phase. `./dev bench sdk_boot [--runs 10] [--settle 4]`.
"""

import argparse
import contextlib
import gzip
import json
import statistics
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import frozen
from playwright.sync_api import BrowserContext, Request, sync_playwright

from benchmarks.boot_subjects import ROOT, SDK, SUBJECTS, Subjects, build_bundle, serve_subjects
from benchmarks.processes import MissingTool, find_tool, running
from tests.chromium import AS_USERS_RUN_IT
from tests.real_apps.running import free_port

OPTIONS = [
    "--headless=new",
    *AS_USERS_RUN_IT,
]
# After `ready`: the archive that follows it, and what the browser writes to its caches. With less, a second visit may
# not be a warm one.
SETTLE_SECONDS = 4.0
LONG_TASK_MILLISECONDS = 50
MEGABYTE = 1e6
GOALS = {
    "ready_ratio_cold": 0.16,
    "ready_ratio_warm": 0.22,
    "longest_task_ms": 50,
    "bytes_cold": 5.0 * MEGABYTE,
    "bytes_warm": 0,
    "shell_gzip_bytes": 9.8 * 1024,
}


@frozen
class Looked:
    """What a debugger saw: bytes that came from the service's files, and tasks of the host page's thread."""

    cold_bytes: int
    warm_bytes: int
    longest_task: float
    blocking_time: float


@contextlib.contextmanager
def chromium(program: str, profile: Path, more: Sequence[str] = ()) -> Iterator[str]:
    """A Chromium with a profile of its own; gives the address it takes commands at, without a debugger attached."""
    port = free_port()
    command = [program, *OPTIONS, *more, f"--user-data-dir={profile}", f"--remote-debugging-port={port}", "about:blank"]
    with running(command, port, log=profile.with_suffix(".log")):
        time.sleep(1)  # its own start
        yield f"http://127.0.0.1:{port}/json"


def ask(address: str, method: str = "GET") -> bytes:
    """Ask a Chromium for something."""
    request = urllib.request.Request(address, method=method)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return bytes(answer.read())


def visit(commands: str, subjects: Subjects, subject: str, settle: float) -> float:
    """Open a subject's page, wait until it is ready and the browser is quiet again, close it; its milliseconds."""
    opened = json.loads(ask(f"{commands}/new?{subjects.page(subject)}", "PUT"))
    milliseconds = subjects.milliseconds()
    time.sleep(settle)
    ask(f"{commands}/close/{opened['id']}")
    return milliseconds


def measure(
    program: str, subjects: Subjects, folder: Path, runs: int, settle: float
) -> dict[str, dict[str, list[float]]]:
    """Return the milliseconds of each subject and phase, run by run."""
    times: dict[str, dict[str, list[float]]] = {subject: {"cold": [], "warm": []} for subject in SUBJECTS}
    for number in range(runs):
        for subject in SUBJECTS if number % 2 else reversed(SUBJECTS):
            with chromium(program, folder / f"profile-{number}-{subject}") as commands:
                for phase in ("cold", "warm"):
                    times[subject][phase].append(visit(commands, subjects, subject, settle))
        said = ", ".join(
            f"{subject} {times[subject]['cold'][-1]:.0f}/{times[subject]['warm'][-1]:.0f} ms" for subject in SUBJECTS
        )
        print(f"run {number + 1} of {runs}, cold/warm: {said}", file=sys.stderr)
    return times


def look(program: str, subjects: Subjects, folder: Path, settle: float) -> Looked:
    """Visit our page twice with a debugger attached."""
    with sync_playwright() as playwright:
        options = [option for option in OPTIONS if option != "--headless=new"]
        context = playwright.chromium.launch_persistent_context(
            folder / "looked-at", executable_path=program, args=options
        )
        cold, tasks = look_once(context, subjects, folder / "cold.trace", settle)
        warm, warm_tasks = look_once(context, subjects, folder / "warm.trace", settle)
        context.close()
    durations = tasks + warm_tasks
    blocking = sum(max(0.0, duration - LONG_TASK_MILLISECONDS) for duration in durations)
    return Looked(cold, warm, max(durations), blocking)


def look_once(context: BrowserContext, subjects: Subjects, trace: Path, settle: float) -> tuple[int, list[float]]:
    """Return the bytes of files that came until ready, and the tasks of the page's thread in milliseconds."""
    page = context.new_page()
    finished: list[Request] = []
    page.on("requestfinished", lambda request: finished.append(request))
    browser = context.browser
    assert browser is not None
    browser.start_tracing(page=page, path=trace, categories=["devtools.timeline", "toplevel"])
    page.goto(subjects.page("sdk"))
    while subjects.reports.empty():
        page.wait_for_timeout(20)
    subjects.milliseconds()
    files = [request for request in finished if request.url.startswith(f"{subjects.service.url}/servicejs/")]
    received = sum(max(0, request.sizes()["responseBodySize"]) for request in files)
    page.wait_for_timeout(settle * 1000)
    browser.stop_tracing()
    page.close()
    return received, host_tasks(json.loads(trace.read_text())["traceEvents"], subjects.host_url)


def host_tasks(events: list[dict], host_url: str) -> list[float]:  # type: ignore[type-arg]
    """Return how long each task of the host page's main thread took once our script was there, in milliseconds."""
    processes = {
        event["pid"]
        for event in events
        if event["name"] == "CommitLoad" and event["args"]["data"]["url"].startswith(host_url)
    }
    threads = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain" and event["pid"] in processes
    }
    # Before that, the browser is busy with the page itself.
    loaded = min(
        event["ts"]
        for event in events
        if event["name"] == "ResourceReceiveResponse"
        and event["pid"] in processes
        and event["args"]["data"].get("mimeType") == "text/javascript"
    )
    return [
        event["dur"] / 1000
        for event in events
        if event["name"].endswith("RunTask") and (event["pid"], event["tid"]) in threads and event["ts"] >= loaded
        if "dur" in event
    ]


def report(times: dict[str, dict[str, list[float]]], looked: Looked) -> int:
    """Print the table and the figures; 0 if every goal was met."""
    ratios = {}
    for phase in ("cold", "warm"):
        bare = times["bare"][phase]
        for subject in SUBJECTS:
            own = times[subject][phase]
            ratio = statistics.median(mine / theirs for mine, theirs in zip(own, bare, strict=True))
            ratios[subject, phase] = ratio
            spread = f"{min(own):.0f} to {max(own):.0f}"
            print(f"{subject:5} {phase}: {statistics.median(own):5.0f} ms ({spread}), {ratio:.3f} of bare")
    shell = (ROOT / SDK / "servicejs.js").read_bytes()
    figures = {
        "ready_ratio_cold": round(ratios["sdk", "cold"], 3),
        "ready_ratio_warm": round(ratios["sdk", "warm"], 3),
        "longest_task_ms": round(looked.longest_task, 1),
        "total_blocking_ms": round(looked.blocking_time, 1),
        "bytes_cold": looked.cold_bytes,
        "bytes_warm": looked.warm_bytes,
        "shell_gzip_bytes": len(gzip.compress(shell, 9)),
        "integry_eval_ms": round(statistics.median(times["peer"]["warm"]), 1),
        "integry_cold_ms": round(statistics.median(times["peer"]["cold"]), 1),
        "ready_ms_cold": round(statistics.median(times["sdk"]["cold"])),
        "ready_ms_warm": round(statistics.median(times["sdk"]["warm"])),
    }
    met = all(figures[name] <= goal for name, goal in GOALS.items())
    print(json.dumps({"name": "sdk_boot", "figures": figures, "goals": GOALS, "met": met}))
    return 0 if met else 1


def main() -> int:
    """Measure and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--settle", type=float, default=SETTLE_SECONDS, help="seconds that a ready page is left alone")
    parser.add_argument("--quick", action="store_true", help="compress the files of the bare one less")
    options = parser.parse_args()
    try:
        program = find_tool("chromium", "chromium")
    except MissingTool as missing:
        print(missing, file=sys.stderr)
        return 1
    build_bundle()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        folder = Path(scratch)
        with serve_subjects(folder, *(["1"] if options.quick else [])) as subjects:
            times = measure(program, subjects, folder, options.runs, options.settle)
            return report(times, look(program, subjects, folder, options.settle))


if __name__ == "__main__":
    sys.exit(main())
