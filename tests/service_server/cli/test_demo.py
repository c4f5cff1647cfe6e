"""`demo`: says all that is needed once all of it answers, keeps it over a restart, and leaves nothing running."""

import asyncio
import contextlib
import json
import os
import select
import signal
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from service_server.cli import demo as demonstrating
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
def running_demo(folder: Path) -> Iterator[tuple[RunningService, dict[str, str], dict[int, int]]]:
    """The service, what its file says once it runs, and descriptors that tell when what it has started ends."""
    with running([SERVICE_SERVER, "demo", "--port", "0", "--data-dir", folder]) as program:
        # An earlier run's file is there until this run takes it away.
        program.wait_until(lambda: "The demo is running" in program.output() or None)
        told = json.loads((folder / "demo.json").read_text())
        pid = program.process.pid
        children = map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
        service = RunningService(told["base_url"], folder, program, told["app_key"], told["app_secret"])
        yield service, told, {child: os.pidfd_open(child) for child in children}


def ended(program: Running, children: dict[int, int]) -> tuple[int, int, list[int]]:
    """How the demo ends, how many processes it had started, and those that do not end in good time after it has."""
    code = program.process.wait(END_SECONDS)
    left = [child for child, descriptor in children.items() if not select.select([descriptor], [], [], END_SECONDS)[0]]
    for descriptor in children.values():
        os.close(descriptor)
    return code, len(children), left


def test_the_demo_runs_and_ends_and_goes_on(tmp_path: Path) -> None:
    """
    All answers once it is said; Ctrl-C leaves nothing, nor does a kill; keys and accounts outlast a restart.

    A second one in the same folder is refused, and changes nothing of the first.
    """
    with running_demo(tmp_path) as (service, demo, children):
        program = service.program
        addresses = ("base_url", "host_url", "sandbox_url", "console_url")
        statuses = [httpx.get(demo[name], trust_env=False, follow_redirects=True).status_code for name in addresses]
        mode = stat.S_IMODE((tmp_path / "demo.json").stat().st_mode)
        sandbox = SandboxApp(demo["sandbox_url"], "", "", {}, program)
        connect_by_sign_in(service, sandbox, demo["user_id"], "alice")
        second = [SERVICE_SERVER, "demo", "--port", "0", "--data-dir", tmp_path]
        refused = subprocess.run(second, capture_output=True, text=True, timeout=END_SECONDS)
        unchanged = json.loads((tmp_path / "demo.json").read_text())
        os.killpg(program.process.pid, signal.SIGINT)  # as a terminal does: to everyone in the group
        assert (0, 2, []) == ended(program, children)
        output = program.output()

    assert (1, f"A demo is running in {tmp_path} already") == (refused.returncode, refused.stderr.split(";")[0])
    assert demo == unchanged
    assert KEYS == set(demo)
    assert all(isinstance(value, str) and value for value in demo.values())
    assert 0o600 == mode
    assert [404, 200, 200, 200] == statuses
    assert [] == [name for name in KEYS - {"console_user"} if demo[name] not in output]
    assert 3 == len({demo[name] for name in addresses[:3]})  # three origins, as in real life
    assert "Traceback" not in output

    with running_demo(tmp_path) as (service, again, children):
        with service.api(again["user_id"]) as api:
            called = api.post("/functions/sandbox-list-projects", json={}).json()
        service.program.process.kill()
        assert (-signal.SIGKILL, 2, []) == ended(service.program, children)

    kept = {name for name in KEYS if not name.endswith("_url")}
    assert {name: demo[name] for name in kept} == {name: again[name] for name in kept}
    assert "200" == called["network_code"]


@pytest.mark.parametrize("interrupted", [True, False])
def test_what_does_not_answer_is_told_unless_the_demo_is_ending(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, interrupted: bool
) -> None:
    """Ctrl-C before all is introduced is no failure; a part that can't be reached is, with its address."""
    monkeypatch.setattr(demonstrating, "_ENDING_SECONDS", 0.5)
    ended = asyncio.Event()

    async def serve(_settings: Any, _place: Any, ready: Any) -> None:
        ready()
        if interrupted:
            await asyncio.sleep(0.1)
        else:
            await ended.wait()

    monkeypatch.setattr(demonstrating, "serve", serve)
    absent = "http://127.0.0.1:1"
    demo = demonstrating.Demo(**dict.fromkeys(KEYS, absent))
    place: Any = None
    serving = demonstrating._serve(place, place, demo, tmp_path / "demo.json", {})
    with contextlib.nullcontext() if interrupted else pytest.raises(OSError, match=f"{absent}/health does not answer"):
        asyncio.run(serving)

    assert not (tmp_path / "demo.json").exists()
