"""The ends of calls are written at once, or tried again until the database is back, and never forgotten silently."""

import asyncio
from typing import Any

import pytest

from service_client.models import CallResult
from service_server.invoke import endings as module
from service_server.invoke.endings import Ending, Endings
from service_server.store import DatabaseAway

RESULT = CallResult(network_code="200", output="done")
AWAY = DatabaseAway("away")


class Writes:
    """A write that fails as the test says, and then works."""

    def __init__(self, *failures: Exception) -> None:
        self.failures, self.done, self.tried = [*failures], 0, 0

    async def __call__(self) -> None:
        """Fail, or do it."""
        self.tried += 1
        if self.failures:
            raise self.failures.pop(0)
        self.done += 1


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long is waited between tries; nothing waits for it here."""
    taken: list[float] = []
    sleep = asyncio.sleep

    async def noted(seconds: float) -> None:
        taken.append(seconds)
        await sleep(0)

    monkeypatch.setattr(module.asyncio, "sleep", noted)
    return taken


def ending(writes: Writes, *again: Writes, call_id: str = "c") -> Ending:
    """An end with one write, and what is written instead if that fails."""
    return Ending(call_id=call_id, writes=[writes], again=again, result=RESULT)


async def test_an_end_is_written_at_once(pauses: list[float]) -> None:
    """All of it, where it is several writes; what would be written after a failure is not."""
    endings, writes, again = Endings(), [Writes() for _ in range(3)], Writes()
    await endings.write(Ending(call_id="c", writes=writes, again=[again], result=RESULT))

    assert ([1, 1, 1], 0, 0) == ([each.done for each in writes], again.done, endings.waiting)
    assert None is endings.result_of("c")
    assert [] == pauses


async def test_what_failed_is_tried_again(pauses: list[float]) -> None:
    """As often as the database is away, with longer and longer pauses; meanwhile the result is known."""
    endings, writes, again = Endings(), Writes(AWAY), Writes(*[AWAY] * 20)
    await endings.write(ending(writes, again))
    waiting = endings.waiting, endings.result_of("c"), endings.result_of("other")
    await endings.drain()

    assert (1, RESULT, None) == waiting
    assert (0, 1, 21) == (writes.done, again.done, again.tried)
    assert (0, None) == (endings.waiting, endings.result_of("c"))
    assert [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0] == [pytest.approx(each) for each in pauses[:8]]


@pytest.mark.parametrize(
    ("failures", "done", "tried"),
    [([AWAY, AWAY], 1, 3), ([RuntimeError("a defect")] * 9, 1, 10), ([RuntimeError("a defect")] * 50, 0, 10)],
)
async def test_without_other_writes_the_same_are_tried_again(
    pauses: list[float], failures: list[Exception], done: int, tried: int
) -> None:
    """For what can't have been written in part; up to ten times if the database is there and will not take it."""
    endings, writes = Endings(), Writes(*failures)
    endings.write_later(ending(writes))
    await endings.drain()

    assert (done, tried, 0) == (writes.done, writes.tried, endings.waiting)


async def test_only_so_many_wait(pauses: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    """More would fill the memory; theirs are told to be lost."""
    monkeypatch.setattr(module, "MOST_WAITING", 2)
    endings, all_writes = Endings(), [Writes(AWAY) for _ in range(3)]
    for number, writes in enumerate(all_writes):
        endings.write_later(ending(writes, call_id=str(number)))
    await asyncio.wait({asyncio.ensure_future(_turns(5))})
    await endings.drain()

    assert [1, 1, 0] == [each.done for each in all_writes]


async def test_a_caller_who_leaves_ends_no_write() -> None:
    """The end of its call is written all the same."""
    endings, may_go_on = Endings(), asyncio.Event()
    done: list[str] = []

    async def slow() -> None:
        await may_go_on.wait()
        done.append("written")

    caller = asyncio.create_task(endings.write(Ending(call_id="c", writes=[slow])))
    await _turns(5)
    caller.cancel()
    await _turns(5)
    may_go_on.set()
    await endings.drain()

    assert caller.cancelled()
    assert ["written"] == done


async def test_an_answer_waits_for_its_end_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """And no longer: what the database is slow to take is written after it."""
    monkeypatch.setattr(module, "PATIENCE_SECONDS", 0.01)
    endings, may_go_on, done = Endings(), asyncio.Event(), list[str]()

    async def slow() -> None:
        await may_go_on.wait()
        done.append("written")

    await endings.write(Ending(call_id="c", writes=[slow]))
    before = [*done]
    may_go_on.set()
    await endings.drain()

    assert ([], ["written"]) == (before, done)


async def _turns(number: int) -> Any:
    for _ in range(number):
        await asyncio.sleep(0)
