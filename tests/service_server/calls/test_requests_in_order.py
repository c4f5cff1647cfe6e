"""Mutations that take several requests: an address to upload to, the upload, and word that it is there."""

import itertools
from functools import partial
from types import SimpleNamespace

import pytest

from service_server.errors import ServiceError
from service_server.invoke import send as send_module
from service_server.onward.values import Outcome, Unanswered, Unsent
from service_server.store import DatabaseAway, Turn
from tests.service_server.calls.scripted_calls import ScriptedCalls, whole

ADDRESS = "https://files.acme.example/here?signature=a%2Fb"
PLACE = whole(200, b'{"id": "7", "address": "https://files.acme.example/here?signature=a%2Fb"}')
TAKEN = whole(200, b"OK - 7")
DONE = whole(200, b'{"id": "7"}')
UNSENT = Unsent("unreachable", "closed")


async def test_each_request_knows_what_came_before(calls: ScriptedCalls) -> None:
    """They are sent in their order with the same credentials; the answer to the last one is that of the call."""
    await calls.script([PLACE, TAKEN, DONE])
    executed, _ = await calls.call("put", arguments={"name": "a"})
    sent = [(each.method, each.url, each.body) for each in calls.sender.sent]

    assert [
        ("POST", "https://api.acme.example/places", b'{"name":"a"}'),
        ("PUT", ADDRESS, b"content"),
        ("POST", "https://api.acme.example/places/7/done", b""),
    ] == sent
    assert {"first"} == {dict(each.headers)["X-Key"] for each in calls.sender.sent}
    assert ("200", {"id": "7"}) == (executed.result.network_code, executed.result.output.value())


@pytest.mark.parametrize(
    ("arguments", "sent"),
    [
        ({"name": "a"}, [("POST", b'{"name":"a"}')]),
        ({"tags": "new"}, [("GET", b""), ("POST", b'{"tags":"old new"}')]),
    ],
)
async def test_what_is_not_needed_is_not_sent(
    calls: ScriptedCalls, arguments: dict[str, str], sent: list[tuple[str, bytes]]
) -> None:
    """The tags there are read only where tags are given."""
    await calls.script([whole(200, b'{"tags": "old"}'), DONE][2 - len(sent) :])
    executed, _ = await calls.call("tag", arguments=arguments)

    assert sent == [(each.method, each.body or b"") for each in calls.sender.sent]
    assert "200" == executed.result.network_code


@pytest.mark.parametrize(
    ("outcomes", "code"),
    [
        ([whole(403, b'{"error": "no"}')], "403"),
        ([whole(300, b'{"error": "which?", "id": "7", "address": "x"}')], "300"),
        ([whole(200, b'{"ok": false, "error": "no"}')], "200"),
        ([PLACE, whole(507, b'{"error": "full"}')], "507"),
        ([PLACE, Unanswered("timed_out", "slow")], "504"),
        ([PLACE, TAKEN, whole(409, b'{"error": "no"}')], "409"),
    ],
)
async def test_what_the_app_refuses_is_the_answer(calls: ScriptedCalls, outcomes: list[Outcome], code: str) -> None:
    """The caller reads what the app said, or that it said nothing; no request follows, and nothing is shown as done."""
    await calls.script(outcomes)
    executed, _ = await calls.call("put")

    assert (code, len(outcomes)) == (executed.result.network_code, len(calls.sender.sent))
    assert "error" in executed.result.output.value()
    assert executed.result.outcome is None


@pytest.mark.parametrize(
    ("outcomes", "turns", "said"),
    [
        ([whole(200, b'{"id": "7"}')], [], "request 1 of 3 for Put a thing without what that needs: address"),
        ([whole(200, b"no JSON")], [], "without what that needs: address"),
        ([whole(200, b'{"id": "7", "address": "https://evil.example/x"}')], [], "does not lead to a host of Acme"),
        ([whole(200, b'{"id": "7", "address": "http://files.acme.example/x"}')], [], "does not lead to a host of Acme"),
        ([whole(200, b'{"id": "7", "address": "not an address"}')], [], "no address where one was expected"),
        ([PLACE, UNSENT], [], "3 requests, and only 1 of them were sent: Acme cannot be reached"),
        ([PLACE, TAKEN, UNSENT], [], "3 requests, and only 2 of them were sent"),
        ([PLACE, TAKEN], [Turn(granted=False, wait_seconds=9)], "3 requests, and only 1 of them were sent"),
        ([PLACE, TAKEN], [DatabaseAway("away")], "3 requests, and only 1 of them were sent: the service failed"),
    ],
)
async def test_a_call_that_stops_half_way(
    calls: ScriptedCalls, outcomes: list[Outcome], turns: list[Turn | Exception], said: str
) -> None:
    """It is executed, as its log and a repeat with its key say: the caller is told how far it came, and why."""
    await calls.script(outcomes, turns=turns)
    executed, _ = await calls.call("put", key="once")
    again, repeated = await calls.call("put", key="once")
    (row,) = await calls.rows()

    assert ("502", "broken_off") == (executed.result.network_code, executed.result.output.value()["error"])
    assert said in executed.result.output.value()["reason"]
    assert 0 < executed.upstream_ms
    assert (True, executed.result.network_code) == (repeated, again.result.network_code)
    assert ("acme-put", "finished", "502") == (row.function_name, row.outcome, row.network_code)


@pytest.mark.parametrize(("function", "arguments"), [("put", {}), ("fields", {"ticket": "7"})])
async def test_nothing_was_sent(calls: ScriptedCalls, function: str, arguments: dict[str, str]) -> None:
    """A call whose first request can't be sent, a look-up too, is refused, and no row says that it began."""
    await calls.script([UNSENT])
    with pytest.raises(ServiceError, match="nothing was sent"):
        await calls.call(function, arguments=arguments)

    assert [] == await calls.rows()


async def test_credentials_that_end_in_between(calls: ScriptedCalls) -> None:
    """An upload that is refused for its credentials is made again with renewed ones, which the rest uses."""
    await calls.script([PLACE, whole(401), TAKEN, DONE], ["renewed"])
    executed, _ = await calls.call("put")

    assert "200" == executed.result.network_code
    assert [
        ("first", "https://api.acme.example/places"),
        ("first", ADDRESS),
        ("second", ADDRESS),
        ("second", "https://api.acme.example/places/7/done"),
    ] == [(dict(each.headers)["X-Key"], each.url) for each in calls.sender.sent]


@pytest.mark.parametrize(
    ("function", "outcomes", "seconds"),
    [
        ("put", [PLACE, TAKEN, DONE], 3),
        ("put", [PLACE, TAKEN, UNSENT], 2),
        ("put", [PLACE, UNSENT], 1),
        ("put", [PLACE, whole(507)], 2),
        ("put", [PLACE, whole(200, b"no JSON"), DONE], 3),
        ("put", [whole(200, b"no JSON")], 1),
        ("fields", [whole(200, b'{"queue": {"id": "q"}}'), whole()], 2),
    ],
)
async def test_the_app_took_the_time_of_all_requests(
    calls: ScriptedCalls, monkeypatch: pytest.MonkeyPatch, function: str, outcomes: list[Outcome], seconds: int
) -> None:
    """Of those that were sent, however the call ended."""
    clock = SimpleNamespace(perf_counter=partial(next, itertools.count()))
    monkeypatch.setattr(send_module, "time", clock)
    await calls.script(outcomes)
    executed, _ = await calls.call(function, arguments={"ticket": "7"} if function == "fields" else {})

    assert [seconds * 1000] * 2 == [executed.upstream_ms, *(row.app_ms for row in await calls.rows())]
