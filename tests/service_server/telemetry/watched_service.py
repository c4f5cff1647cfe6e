"""A service whose metrics are fetched, beside the sandbox app, and its figures as numbers."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import httpx
from attrs import frozen
from prometheus_client.parser import text_string_to_metric_families

from tests.examples.processes import SandboxApp
from tests.real_apps.running import free_port
from tests.service_server.processes import UNLIMITED, RunningService, service_beside_sandbox


@frozen
class Watched:
    """The service, the app that it calls, and where its metrics are."""

    service: RunningService
    sandbox: SandboxApp
    metrics_url: str

    def figures(self) -> dict[str, float]:
        """Every figure by its name with its labels in order, those of all processes added up."""
        found: dict[str, float] = {}
        for family in text_string_to_metric_families(self.text()):
            for sample in family.samples:
                labels = ",".join(f"{name}={text}" for name, text in sorted(sample.labels.items()) if name != "process")
                key = f"{sample.name}{{{labels}}}"
                found[key] = found.get(key, 0.0) + sample.value
        return found

    def processes(self) -> set[str]:
        """The processes whose figures there are."""
        families = text_string_to_metric_families(self.text())
        return {sample.labels["process"] for family in families for sample in family.samples}

    def text(self) -> str:
        """What Prometheus fetches."""
        transport = httpx.HTTPTransport(trust_env=False)
        with httpx.Client(transport=transport, timeout=30) as client:
            try:
                answer = client.get(self.metrics_url)
            except httpx.TransportError:  # a worker that is relieved ends with what its port has just been asked
                answer = client.get(self.metrics_url)
        answer.raise_for_status()
        return answer.text


@contextlib.contextmanager
def watched_service(folder: Path, *options: str, env: dict[str, str] | None = None) -> Iterator[Watched]:
    """Run the service with a port for its metrics, and an app that it may call with an API key."""
    metrics, environment = free_port(), {**UNLIMITED, **(env or {})}
    wanted = ("--metrics-port", str(metrics), *options)
    with service_beside_sandbox(folder, *wanted, env=environment) as (running, sandbox):
        yield Watched(running, sandbox, f"http://127.0.0.1:{metrics}/metrics")
