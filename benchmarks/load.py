"""Puts load on an address with wrk and reads what came of it."""

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

from benchmarks.processes import MissingTool, find_tool

_REPORT = """
done = function(summary, latency, requests)
  local e = summary.errors
  io.write(string.format("RESULT %d %d %.1f %.1f %d\\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), e.connect + e.read + e.write + e.timeout + e.status))
end
"""


@frozen
class Measurement:
    """What one round of load gave: requests a second, latencies in milliseconds, failed requests."""

    requests_per_second: float
    median_ms: float
    percentile_99_ms: float
    errors: int


@frozen
class Repeated:
    """The request that a load repeats: a POST, or without a body a GET."""

    url: str
    body: str | None = None
    headers: Mapping[str, str] = {}

    def measure(self, connections: int, seconds: float, folder: Path) -> Measurement:
        """Repeat the request over some connections for a time, from one thread."""
        script = folder / "request.lua"
        lines = [f"wrk.headers[{json.dumps(name)}] = {json.dumps(value)}" for name, value in self.headers.items()]
        if self.body is not None:
            lines += ['wrk.method = "POST"', f"wrk.body = {json.dumps(self.body)}"]
        script.write_text("\n".join([*lines, _REPORT]), encoding="utf-8")
        command = [
            find_tool("wrk", "wrk"),
            "-t1",
            f"-c{connections}",
            f"-d{max(1, round(seconds))}s",
            "--timeout",
            "10s",
        ]
        done = subprocess.run([*command, "-s", str(script), self.url], capture_output=True, text=True, check=True)
        line = next(line for line in done.stdout.splitlines() if line.startswith("RESULT "))
        requests, microseconds, median, percentile_99, errors = map(float, line.split()[1:])
        return Measurement(requests / microseconds * 1e6, median / 1000, percentile_99 / 1000, int(errors))


def missing_tools() -> str:
    """What is to be installed before a load can be measured; empty when all is there."""
    try:
        for tool, package in (("nginx", "nginx-light"), ("wrk", "wrk")):
            find_tool(tool, package)
    except MissingTool as missing:
        return str(missing)
    return ""
