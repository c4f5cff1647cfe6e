"""Debian's Prometheus beside a service, with the alert rules that the project ships."""

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import yaml
from attrs import frozen

from tests.real_apps.running import ROOT, Running, free_port, running

PROMTOOL, PROMETHEUS = shutil.which("promtool"), shutil.which("prometheus")
MISSING = "there is no prometheus; as root: apt-get install --no-install-recommends prometheus"
DEPLOY = ROOT / "deploy"
ALERTS = DEPLOY / "prometheus" / "alerts.yaml"
DASHBOARD = DEPLOY / "grafana" / "dashboard.json"
WINDOW = "4s"
"""In place of the minutes and hours that the rules look back over."""


@frozen
class Prometheus:
    """A running Prometheus, and its answers."""

    url: str
    program: Running

    def query(self, expression: str) -> list[dict[str, Any]]:
        """What an expression gives now."""
        answer = httpx.get(f"{self.url}/api/v1/query", params={"query": expression}, trust_env=False)
        told: dict[str, Any] = answer.json()
        assert told["status"] == "success", f"{expression}: {told}"
        found: list[dict[str, Any]] = told["data"]["result"]
        return found

    def firing(self) -> set[tuple[str, str]]:
        """The alerts that fire, each with its app."""
        alerts = httpx.get(f"{self.url}/api/v1/alerts", trust_env=False).json()["data"]["alerts"]
        return {
            (each["labels"]["alertname"], each["labels"].get("app", "")) for each in alerts if each["state"] == "firing"
        }


@contextlib.contextmanager
def prometheus(folder: Path, target: str) -> Iterator[Prometheus]:
    """
    Run Prometheus on the metrics of a service (`HOST:PORT`).

    It looks five times a second and over four seconds, and alerts wait for nothing: else they would take minutes.
    """
    assert PROMETHEUS is not None, MISSING
    rules = yaml.safe_load(ALERTS.read_text())
    for rule in rules["groups"][0]["rules"]:
        rule.pop("for", None)
        for window in ("[5m]", "[15m]", "[30m]", "[1h]"):
            rule["expr"] = rule["expr"].replace(window, f"[{WINDOW}]")
    (folder / "alerts.yaml").write_text(yaml.safe_dump(rules))
    configuration = yaml.safe_load((DEPLOY / "prometheus" / "prometheus.yaml").read_text())
    configuration["global"] = {"scrape_interval": "200ms", "scrape_timeout": "200ms", "evaluation_interval": "200ms"}
    configuration["scrape_configs"][0]["static_configs"] = [{"targets": [target]}]
    (folder / "prometheus.yaml").write_text(yaml.safe_dump(configuration))
    port = free_port()
    command = [
        *(PROMETHEUS, f"--config.file={folder / 'prometheus.yaml'}", f"--storage.tsdb.path={folder / 'data'}"),
        *(f"--web.listen-address=127.0.0.1:{port}", "--log.level=warn"),
    ]
    with running(command) as program:
        url = f"http://127.0.0.1:{port}"
        program.answers(f"{url}/-/ready")
        program.wait_until(lambda: httpx.get(f"{url}/-/ready", trust_env=False).is_success or None)
        yield Prometheus(url, program)
