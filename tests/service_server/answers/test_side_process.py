"""The side process does one task after another, and outlives none that goes wrong."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
import structlog

from service_client.models import Source
from service_server.answers import side_process
from service_server.answers.reading import Reading, read_answer
from service_server.answers.side_process import SideProcess, TooMuchWork
from service_server.catalog.hooks import SourcedHook
from service_server.json_texts.json_text import JsonText
from service_server.onward.values import OnwardRequest, OnwardResponse
from service_server.predict.source_values import matches_in
from tests.service_server.shipped import shipped_catalog
from tests.service_server.waiting import until

pytestmark = pytest.mark.slow


@pytest_asyncio.fixture
async def side() -> AsyncIterator[SideProcess]:
    """A process of the test's own."""
    async with SideProcess() as running:
        yield running


async def test_it_is_another_process_and_the_same_for_all_tasks(
    side: SideProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Megabytes go there and back; a task that fails, or needs too much memory, tells its kind and no data."""
    monkeypatch.setenv("SERVICE_VAULT_KEY", "secret")
    process, data = await side.run(os.getpid), bytes(10_000_000)
    assert os.getpid() != process
    assert data == await side.run(bytes, data)
    with pytest.raises(TooMuchWork, match=r"^ValueError\Z"):
        await side.run(int, "a secret")
    with pytest.raises(TooMuchWork, match="MemoryError"):
        await side.run(bytes, 2 * side_process.MEMORY_BYTES)
    assert await side.run(os.getenv, "SERVICE_VAULT_KEY") is None  # what an operator sets may be a secret
    assert process == await side.run(os.getpid)

    pages = [JsonText.of([{"id": number, "name": f"Item {number}"} for number in range(20_000)])]
    source = Source(function="acme-list", arguments={}, value="id", label="name", depends_on=())
    (found,) = await side.run(matches_in, source, ["item 19999"], pages, complete=True)
    assert found.entry is not None
    assert 19_999 == found.entry.value


async def test_a_process_that_dies_or_hangs_is_replaced(
    side: SideProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has a task in it is told; who goes away leaves no answer to the next."""
    with pytest.raises(TooMuchWork):
        await side.run(os._exit, 1)
    assert 1 == await side.run(int, "1")
    with monkeypatch.context() as patched:
        patched.setattr(side_process, "TASK_SECONDS", 0.2)
        with pytest.raises(TooMuchWork, match="TimeoutError"):
            await side.run(time.sleep, 3600)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    leaving = asyncio.create_task(side.run(Path.read_bytes, pipe))
    writer = await asyncio.to_thread(pipe.open, "wb")  # opens once the task reads, which then has no end
    leaving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await leaving
    writer.close()

    assert 7 == await side.run(int, "7")


async def test_of_those_that_wait_the_smallest_is_next(side: SideProcess) -> None:
    """A page of some kilobytes does not wait for many of megabytes."""
    done: list[int] = []

    async def measure(size: int) -> None:
        await side.run(len, bytes(size))
        done.append(size)

    busy = asyncio.create_task(side.run(time.sleep, 0.2))
    await asyncio.sleep(0)
    await asyncio.gather(*(measure(size) for size in (3_000_000, 2_000_000, 1000)))
    await busy

    assert [1000, 2_000_000, 3_000_000] == done


async def test_an_idle_process_ends(side: SideProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """And with it the memory that it had."""
    monkeypatch.setattr(side_process, "IDLE_SECONDS", 0.0)
    process = await side.run(os.getpid)
    await until(lambda: not Path(f"/proc/{process}").exists())

    assert process != await side.run(os.getpid)


async def test_whatever_a_shipped_function_reads_can_be_read_there(side: SideProcess) -> None:
    """Its expression, its hook, its rules and its paging; those of one app at once, since each task costs some ms."""
    catalog = shipped_catalog()
    readings: dict[str, list[Reading]] = {}
    answer = OnwardResponse(200, {"content-type": "application/json"}, b'{"data": [{"id": 1}]}', "https://app.example/")
    for name in catalog.names():
        function = catalog.function(name)
        connector = catalog.connectors[function.app_name]
        reading = Reading(
            picks=True,
            picker=function.picker,
            reshape=None if function.reshape is None else SourcedHook.of(function.reshape),
            error_rules=connector.error_rules,
            pagination=function.pagination,
            position=None,
            request=OnwardRequest("GET", "https://app.example/"),
            room=1000,
            longest_secret=0,
        )
        readings.setdefault(function.app_name, []).append(reading)
    assert catalog.connectors.keys() == readings.keys()
    for app, of_app in readings.items():
        answers = [answer] * len(of_app)
        assert [*map(read_answer, of_app, answers)] == await side.run(list, map(read_answer, of_app, answers)), app


@pytest.mark.skipif(sys.platform != "linux", reason="only there a process can be kept from using more memory")
def test_a_machine_that_allows_less_memory() -> None:
    """A limit below ours stays, and large answers are read all the same, with nothing to complain of."""
    allowed = side_process.MEMORY_BYTES * 3 // 4
    script = f"""
import asyncio, resource
resource.setrlimit(resource.RLIMIT_AS, ({allowed}, {allowed}))
from service_server.answers.side_process import SideProcess

async def main():
    async with SideProcess() as side:
        print(await side.run(resource.getrlimit, resource.RLIMIT_AS))

asyncio.run(main())
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)

    assert (0, f"({allowed}, {allowed})\n") == (done.returncode, done.stdout), done.stderr


async def test_memory_that_can_not_be_limited_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers are read even so, and the operator reads in the log that nothing bounds that."""
    (tmp_path / "unlimited_side.py").write_text(
        "import resource\n"
        "def refuse(*_):\n    raise ValueError('not allowed')\n"
        "resource.setrlimit = refuse\n"
        "from service_server.answers.side_process import main\n"
        "main()\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(side_process, "_MODULE", "unlimited_side")
    with structlog.testing.capture_logs() as lines:
        async with SideProcess() as side:
            assert 1 == await side.run(int, "1")

    assert ["side_process.unlimited"] == [line["event"] for line in lines]


async def test_a_process_that_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """The task fails, and the next one finds a process that works."""
    with monkeypatch.context() as patch:
        patch.setattr(side_process, "_MODULE", "no_such_module")
        async with SideProcess() as side:
            with pytest.raises(TooMuchWork, match="IncompleteReadError"):
                await side.run(int, "1")
            patch.undo()

            assert 1 == await side.run(int, "1")
