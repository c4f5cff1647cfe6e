"""When an account whose credentials were refused is tested: not again at once, and no answer waits for it for long."""

import asyncio

import pytest

from service_server.invoke import account_tests as module
from service_server.invoke.account_tests import TEST_AGAIN_SECONDS, AccountTests
from tests.service_server.calls.callers import account_of


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, for a test to set."""
    now = [5.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    return now


def test_an_account_is_due_once_in_a_while(clock: list[float]) -> None:
    """Other accounts, and this one with other credentials, are due all the same."""
    tests = AccountTests()
    asked = [account_of(3), account_of(3), account_of(4), account_of(3, version=2), account_of(3)]

    assert [True, False, True, True, False] == [tests.is_due(account) for account in asked]
    clock[0] += TEST_AGAIN_SECONDS - 1
    assert not tests.is_due(account_of(3))
    clock[0] += 1
    assert tests.is_due(account_of(3))
    assert not tests.is_due(account_of(3))


def test_only_so_many_are_remembered(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    """Of more the ones that were tested longest ago are forgotten."""
    monkeypatch.setattr(module, "_KEPT_ACCOUNTS", 2)
    tests = AccountTests()
    for number in (1, 2):
        assert tests.is_due(account_of(number))
    clock[0] += TEST_AGAIN_SECONDS
    assert tests.is_due(account_of(1))
    assert tests.is_due(account_of(3))

    assert not tests.is_due(account_of(1))
    assert not tests.is_due(account_of(3))
    assert tests.is_due(account_of(2))


async def test_an_answer_waits_for_its_test_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A quick one is done by then; a slow one goes on by itself."""
    monkeypatch.setattr(module, "PATIENCE_SECONDS", 0.01)
    tests, may_end, ended = AccountTests(), asyncio.Event(), list[str]()

    async def quick() -> None:
        ended.append("quick")

    async def slow() -> None:
        await may_end.wait()
        ended.append("slow")

    await tests.run(quick())
    await tests.run(slow())

    assert ["quick"] == ended
    (running,) = tests._running
    may_end.set()
    await running
    await asyncio.sleep(0)
    assert ["quick", "slow"] == ended
    assert not tests._running
