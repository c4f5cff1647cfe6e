"""One function that an app refuses does not lock the account: its test is asked before anybody is told to reconnect."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from service_server.events import listening
from service_server.invoke import account_tests as module
from service_server.invoke.account_tests import TEST_AGAIN_SECONDS, AccountTests
from service_server.oauth.refresh import about_account
from service_server.onward.values import Outcome, Unanswered, Unsent
from service_server.store import DatabaseAway, Turn
from service_server.vault import Vault, keys_from_text
from tests.service_server.calls.callers import account_of
from tests.service_server.calls.scripted_calls import ScriptedCalls, calls_of, in_errors, whole, written
from tests.service_server.connected_world import VAULT_KEY

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("renewal", ["renewed", "none"])
@pytest.mark.parametrize(
    ("tested", "state"),
    [
        (whole(200), "active"),
        (whole(403), "active"),
        (whole(503), "active"),
        (Unanswered("timed_out", "slow"), "active"),
        (Unsent("unreachable", "closed"), "active"),
        (RuntimeError("a defect"), "active"),
        (whole(401), "reconnect_required"),
        (whole(200, in_errors("UNAUTHENTICATED")), "reconnect_required"),
    ],
)
async def test_an_account_is_marked_when_its_test_is_refused_too(
    calls: ScriptedCalls, renewal: str, tested: Outcome | Exception, state: str
) -> None:
    """With the credentials that were refused, the renewed ones where there are such; the answer is the app's own."""
    refusals = [whole(401, b'"forbidden"')] * (2 if renewal == "renewed" else 1)
    await calls.script([*refusals, tested], [renewal])
    executed, _ = await calls.call("add")

    assert ("401", "forbidden") == (executed.result.network_code, executed.result.output.value())
    assert state == (await calls.account()).state
    if not isinstance(tested, Unsent):
        test = calls.sender.sent[-1]
        assert ("GET", "https://api.acme.example/me") == (test.method, test.url)
        assert ("second" if renewal == "renewed" else "first") in dict(test.headers).values()


@pytest.mark.parametrize("failure", [DatabaseAway("away"), RuntimeError("a defect")])
async def test_credentials_that_can_not_be_renewed_now(calls: ScriptedCalls, failure: Exception) -> None:
    """The app's refusal is the answer; whether it always refuses them is not known."""
    await calls.script([whole(401)], [failure])
    executed, _ = await calls.call("add")

    assert ("401", "active") == (executed.result.network_code, (await calls.account()).state)


async def test_what_an_app_refuses_in_a_body(calls: ScriptedCalls) -> None:
    """A rule of its connector that means reconnecting marks the account, though the status is 200."""
    await calls.script([whole(200, in_errors("UNAUTHENTICATED"))])
    executed, _ = await calls.call("find")

    assert ("200", "reconnect_required") == (executed.result.network_code, (await calls.account()).state)


@pytest.mark.parametrize(("renewal", "how"), [("renewed", "even renewed ones"), ("none", "with status 401")])
async def test_a_marked_account_is_told(calls: ScriptedCalls, renewal: str, how: str) -> None:
    """To the operator and on the account alike: which one it is, and how the app refused it."""
    told: list[tuple[str, Mapping[str, Any]]] = []
    await calls.script([whole(401)], [renewal])
    with listening(lambda event, fields: told.append((event, fields))):
        await calls.call("add")
    account = await calls.account()
    vault = Vault(keys_from_text(VAULT_KEY))
    expected = {**about_account(vault, account), "reason": f"The app refused its credentials, {how}."}

    assert expected["reason"] == account.state_reason
    assert [expected] == [fields for event, fields in told if event == "account.reconnect_required"]


async def test_all_is_sent_for_the_user(calls: ScriptedCalls) -> None:
    """The call, its repetition and the test: for whoever called, to the app's hosts alone, and with which secrets."""
    await calls.script([whole(503), whole(401), whole(401), whole()], ["renewed"])
    await calls.call("replace")

    assert 4 == len(calls.sender.errands)
    assert calls.sender.sent[-1].url.endswith("/me")
    for errand in calls.sender.errands:
        assert ("acme", 1, "ann") == errand.on_behalf_of
        assert ("api.acme.example", "files.acme.example") == errand.rules.patterns
        assert "x-key" in errand.secret_headers
    assert [None, None, None, 10] == [errand.timeout_seconds for errand in calls.sender.errands]


@pytest.mark.parametrize("turn", [Turn(granted=False, wait_seconds=9), DatabaseAway("away")])
async def test_a_test_needs_a_turn(calls: ScriptedCalls, turn: Turn | Exception) -> None:
    """Of the account's budget; without one nothing is sent, and nobody is told to reconnect."""
    await calls.script([whole(401)], turns=[turn])
    await calls.call("add")

    assert (1, "active") == (len(calls.sender.sent), (await calls.account()).state)


async def test_an_account_is_not_tested_again_at_once(calls: ScriptedCalls) -> None:
    """However often a forbidden function is called, the app gets one test in a while."""
    await calls.script([whole(401), whole(200), whole(401)])
    for _ in range(5):
        assert "401" == (await calls.call("add"))[0].result.network_code

    assert 1 == len([request for request in calls.sender.sent if request.url.endswith("/me")])
    assert "active" == (await calls.account()).state


@pytest.mark.parametrize(("function", "state"), [("add", "reconnect_required"), ("passthrough-request", "active")])
async def test_an_app_without_a_test(empty_database: Path, tmp_path: Path, function: str, state: str) -> None:
    """The word of a function that its connector describes counts; that of a path which the caller chose doesn't."""
    async with calls_of(written(tmp_path / "untested", tested=False), empty_database, tmp_path) as calls:
        await calls.script([whole(401)])
        arguments = {"method": "GET", "url": "/admin"} if function == "passthrough-request" else {}
        executed, _ = await calls.call(function, arguments=arguments)

        assert ("401", state) == (executed.result.network_code, (await calls.account()).state)


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
