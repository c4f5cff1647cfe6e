"""`demo`: says all that is needed once all of it answers, keeps it over a restart, and leaves nothing running."""

import contextlib
import json
import os
import select
import signal
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from attrs import Factory, define

from tests.examples.processes import SandboxApp
from tests.real_apps.running import Running, running
from tests.service_server.connecting import connect_by_sign_in
from tests.service_server.processes import SERVICE_SERVER, RunningService

pytestmark = pytest.mark.slow

KEYS = {
    "base_url",
    "host_url",
    "sandbox_url",
    "console_url",
    "console_user",
    "console_password",
    "app_key",
    "app_secret",
    "user_id",
}
END_SECONDS = 30


@define
class Run:
    """One run of the demo: what it wrote, what it started, and how it ended."""

    demo: dict[str, str]
    mode: int
    children: dict[int, int]
    statuses: dict[str, int] = Factory(dict)
    output: str = ""
    code: int | None = None
    left: list[int] = Factory(list)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data directory of both runs."""
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def first(folder: Path) -> Run:
    """The first run, in which an account is connected, ended by Ctrl-C in its terminal."""
    with _demo(folder) as (program, run):
        for name in ("base_url", "host_url", "sandbox_url", "console_url"):
            run.statuses[name] = httpx.get(run.demo[name], trust_env=False, follow_redirects=True).status_code
        service = _service(program, run, folder)
        sandbox = SandboxApp(run.demo["sandbox_url"], "", "", {}, program)
        connect_by_sign_in(service, sandbox, run.demo["user_id"], "alice")
        os.killpg(program.process.pid, signal.SIGINT)  # as a terminal does: to everyone in the group
        run.code = program.process.wait(END_SECONDS)
        run.output = program.output()
        run.left = _still_there(run.children)
    return run


@pytest.fixture(scope="module")
def second(folder: Path, first: Run) -> Run:
    """The second run on the same data directory, which is killed outright."""
    with _demo(folder) as (program, run):
        with _service(program, run, folder).api(run.demo["user_id"]) as api:
            answer = api.post("/functions/sandbox-list-projects", json={})
        run.statuses["call"] = int(answer.json().get("network_code", answer.status_code))
        os.kill(program.process.pid, signal.SIGKILL)
        run.code = program.process.wait(END_SECONDS)
        run.left = _still_there(run.children)
    assert first.demo
    return run


@contextlib.contextmanager
def _demo(folder: Path) -> Iterator[tuple[Running, Run]]:
    with running([SERVICE_SERVER, "demo", "--port", "0", "--data-dir", folder]) as program:
        file = folder / "demo.json"
        # An earlier run's file is there until this run takes it away.
        program.wait_until(lambda: "The demo is running" in program.output() or None)
        demo: dict[str, Any] = json.loads(file.read_text())
        yield program, Run(demo, stat.S_IMODE(file.stat().st_mode), _children(program.process.pid))


def _service(program: Running, run: Run, folder: Path) -> RunningService:
    return RunningService(run.demo["base_url"], folder, program, run.demo["app_key"], run.demo["app_secret"])


def _children(pid: int) -> dict[int, int]:
    """The processes that a process has started, each with a descriptor that tells when it has ended."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return {int(child): os.pidfd_open(int(child)) for child in children}


def _still_there(children: dict[int, int]) -> list[int]:
    """Those of the children (by their file descriptors) that do not end in good time after the demo has."""
    left = []
    for child, descriptor in children.items():
        ended, _, _ = select.select([descriptor], [], [], END_SECONDS)
        os.close(descriptor)
        if not ended:
            left.append(child)
    return left


def test_the_file_says_all_that_is_needed(first: Run) -> None:
    """demo.json has the documented keys with texts, and only its owner reads it: it holds the demo's secret."""
    assert KEYS == set(first.demo)
    assert all(isinstance(value, str) and value for value in first.demo.values())
    assert 0o600 == first.mode


def test_everything_answers_once_it_is_said(first: Run) -> None:
    """As soon as the file is there, service, host page, sandbox app and console answer."""
    assert {"base_url": 404, "host_url": 200, "sandbox_url": 200, "console_url": 200} == first.statuses


def test_the_terminal_shows_it_too(first: Run) -> None:
    """Addresses, key, secret and user are printed for people."""
    shown = (
        "host_url",
        "base_url",
        "console_url",
        "console_password",
        "sandbox_url",
        "app_key",
        "app_secret",
        "user_id",
    )

    assert [] == [name for name in shown if first.demo[name] not in first.output]


def test_the_host_page_is_another_site(first: Run) -> None:
    """Service, host page and sandbox app are three origins, as in real life."""
    assert 3 == len({first.demo[name] for name in ("base_url", "host_url", "sandbox_url")})


def test_ctrl_c_ends_all_of_it(first: Run) -> None:
    """Nothing that the demo started is left, and no traceback is shown."""
    assert 2 == len(first.children)
    assert [] == first.left
    assert 0 == first.code
    assert "Traceback" not in first.output


def test_a_second_start_goes_on_where_the_first_ended(first: Run, second: Run) -> None:
    """Key, secret and password stay, and the account that was connected still works."""
    kept = ("app_key", "app_secret", "user_id", "console_user", "console_password")

    assert [first.demo[name] for name in kept] == [second.demo[name] for name in kept]
    assert {"call": 200} == second.statuses


def test_a_killed_demo_takes_its_parts_along(second: Run) -> None:
    """Even when the demo cannot end its parts itself, none of them is left."""
    assert -signal.SIGKILL == second.code
    assert 2 == len(second.children)
    assert [] == second.left
