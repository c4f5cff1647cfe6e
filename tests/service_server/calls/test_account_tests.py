"""When an account whose credentials were refused is tested: not again at once, and no answer waits for it for long."""

import asyncio

import pytest

from service_server.invoke import account_tests as module
from service_server.invoke.account_tests import TEST_AGAIN_SECONDS, AccountTests
from tests.service_server.calls.callers import account_of


def test_an_account_is_due_once_in_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another one, or with other credentials, is due all the same; what was tested longest ago is forgotten first."""
    now, tests = 5.0, AccountTests()
    monkeypatch.setattr(module.time, "monotonic", lambda: now)
    asked = [account_of(3), account_of(3), account_of(4), account_of(3, version=2), account_of(3)]

    assert [True, False, True, True, False] == [tests.is_due(account) for account in asked]
    now += TEST_AGAIN_SECONDS - 1
    assert not tests.is_due(account_of(3))
    now += 1
    assert [True, False] == [tests.is_due(account_of(3)) for _ in range(2)]

    monkeypatch.setattr(module, "_KEPT_ACCOUNTS", 2)
    tests = AccountTests()
    assert [True, True] == [tests.is_due(account_of(number)) for number in (1, 2)]
    now += TEST_AGAIN_SECONDS
    assert [True, True, False, False, True] == [tests.is_due(account_of(number)) for number in (1, 3, 1, 3, 2)]


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
