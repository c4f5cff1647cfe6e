"""Rate budgets: never more requests in a window of time than an app takes, whoever asks, in their order."""

import asyncio
import random
from itertools import pairwise

import pytest

from service_server.store import Budgets, Database, Turn, budgets
from tests.service_server.databases import rows

pytestmark = pytest.mark.slow


class Clock:
    """Time that stands until it is moved."""

    moment = 1_800_000_000.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock that budgets look at."""
    clock = Clock()
    monkeypatch.setattr(budgets, "now", lambda: clock.moment)
    return clock


def fits(moments: list[float], requests: int, window: float) -> bool:
    """Whether no window holds more than so many of the moments."""
    moments = sorted(moments)
    return all(later - earlier >= window - 1e-6 for earlier, later in zip(moments, moments[requests:], strict=False))


async def test_turns_come_one_window_after_the_other(database: Database, clock: Clock) -> None:
    """What fits goes at once, what doesn't waits, too long a wait is refused; each account has its own budget."""
    turns = [await Budgets(database).take_turn(7, 2, 10.0, 15.0) for _ in range(5)]

    assert [0.0, 0.0, 10.0, 10.0, 20.0] == [turn.wait_seconds for turn in turns]
    assert [True, True, True, True, False] == [turn.granted for turn in turns]
    for other in (6, 8):
        assert Turn(granted=True, wait_seconds=0.0) == await Budgets(database).take_turn(other, 2, 10.0, 15.0)
    clock.moment += 10.0
    assert Turn(granted=True, wait_seconds=10.0) == await Budgets(database).take_turn(7, 2, 10.0, 15.0)


async def test_no_window_ever_holds_more(database: Database, clock: Clock) -> None:
    """However calls come, any span of the window's length has at most the budget in it, and turns keep their order."""
    chance, granted = random.Random(7), []
    for _ in range(150):
        clock.moment += chance.choice([0.0, 0.0, 0.1, 0.7, 3.0])
        turn = await Budgets(database).take_turn(1, 3, 2.0, 4.0)
        if turn.granted:
            granted.append(clock.moment + turn.wait_seconds)

    assert fits(granted, 3, 2.0)
    assert all(earlier <= later for earlier, later in pairwise(granted))
    assert len(granted) > 50


async def test_processes_share_a_budget(several: list[Database], database_url: str) -> None:
    """Four processes asking at the same moment get as many turns as one alone would."""
    turns = await asyncio.gather(*(Budgets(each).take_turn(1, 5, 1000.0, 3500.0) for each in several for _ in range(6)))
    moments = [float(at) for (at,) in rows(database_url, "SELECT at FROM budget_uses")]

    assert 20 == sum(turn.granted for turn in turns) == len(moments)
    assert fits(moments, 5, 1000.0)


async def test_a_clock_that_is_put_back_blocks_nobody(database: Database, clock: Clock) -> None:
    """Moments that lie further ahead than anybody waits are no longer counted."""
    clock.moment += 3600
    await Budgets(database).take_turn(1, 1, 2.0, 5.0)
    clock.moment -= 3600

    assert Turn(granted=True, wait_seconds=0.0) == await Budgets(database).take_turn(1, 1, 2.0, 5.0)
