"""`demo`: says all that is needed once all of it answers, keeps it over a restart, and leaves nothing running."""

import contextlib
import json
import os
import select
import signal
import stat
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.examples.processes import SandboxApp
from tests.real_apps.running import Running, running
from tests.service_server.connecting import connect_by_sign_in
from tests.service_server.processes import SERVICE_SERVER, RunningService

pytestmark = pytest.mark.slow

KEYS = {
    *("base_url", "host_url", "sandbox_url", "console_url", "console_user", "console_password"),
    *("app_key", "app_secret", "user_id"),
}
END_SECONDS = 30


@contextlib.contextmanager
def running_demo(folder: Path) -> Iterator[tuple[Running, dict[str, str]]]:
    """Run the demo; the program, and what its file says once it is said that it runs."""
    with running([SERVICE_SERVER, "demo", "--port", "0", "--data-dir", folder]) as program:
        # An earlier run's file is there until this run takes it away.
        program.wait_until(lambda: "The demo is running" in program.output() or None)
        yield program, json.loads((folder / "demo.json").read_text())


def _service(program: Running, demo: dict[str, str], folder: Path) -> RunningService:
    return RunningService(demo["base_url"], folder, program, demo["app_key"], demo["app_secret"])


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


def test_the_demo_runs_and_ends_and_goes_on(tmp_path: Path) -> None:
    """
    Everything answers once it is said, in a private file and in the terminal; Ctrl-C leaves nothing running.

    A second start has the same keys and accounts, and even when it is killed outright it takes its parts along.
    """
    with running_demo(tmp_path) as (program, demo):
        children = _children(program.process.pid)
        addresses = ("base_url", "host_url", "sandbox_url", "console_url")
        statuses = [httpx.get(demo[name], trust_env=False, follow_redirects=True).status_code for name in addresses]
        mode = stat.S_IMODE((tmp_path / "demo.json").stat().st_mode)
        sandbox = SandboxApp(demo["sandbox_url"], "", "", {}, program)
        connect_by_sign_in(_service(program, demo, tmp_path), sandbox, demo["user_id"], "alice")
        os.killpg(program.process.pid, signal.SIGINT)  # as a terminal does: to everyone in the group
        code = program.process.wait(END_SECONDS)
        output = program.output()
        left = _still_there(children)

    assert KEYS == set(demo)
    assert all(isinstance(value, str) and value for value in demo.values())
    assert 0o600 == mode
    assert [404, 200, 200, 200] == statuses
    assert [] == [name for name in KEYS - {"console_user"} if demo[name] not in output]
    assert 3 == len({demo[name] for name in addresses[:3]})  # three origins, as in real life
    assert (0, 2, []) == (code, len(children), left)
    assert "Traceback" not in output

    with running_demo(tmp_path) as (program, again):
        children = _children(program.process.pid)
        with _service(program, again, tmp_path).api(again["user_id"]) as api:
            called = api.post("/functions/sandbox-list-projects", json={}).json()
        os.kill(program.process.pid, signal.SIGKILL)
        code = program.process.wait(END_SECONDS)
        left = _still_there(children)

    kept = KEYS - {name for name in KEYS if name.endswith("_url")}
    assert {name: demo[name] for name in kept} == {name: again[name] for name in kept}
    assert "200" == called["network_code"]
    assert (-signal.SIGKILL, 2, []) == (code, len(children), left)
