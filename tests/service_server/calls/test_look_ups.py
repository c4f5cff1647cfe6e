"""Queries that look something up before they ask for what they are for: the queue of a ticket before its fields."""

import pytest

from service_server.catalog.prior_requests import LookUp
from service_server.catalog.requests import Request
from service_server.errors import ServiceError
from service_server.invoke.looked_up import KEPT_SECONDS, MOST_KEPT, LookedUp
from service_server.onward.values import OnwardResponse
from service_server.store import Turn
from tests.service_server.calls.scripted_calls import ScriptedCalls, whole

API = "https://api.acme.example"
TICKET = whole(200, b'{"id": "7", "queue": {"id": "general"}}')
ITEMS = b'{"items": [{"id": "f1", "name": "Severity"}, {"id": "f2", "name": "Number", "locked": true}]}'
FIELDS = whole(200, ITEMS)
MORE = OnwardResponse(200, {**FIELDS.headers, "link": '</queues/general/fields?p=2>; rel="next"'}, ITEMS, API)
LOOK, ASK, SEVENTH = "/tickets/7", "/queues/general/fields", {"ticket": "7"}


def paths(calls: ScriptedCalls) -> list[str]:
    """What the app was asked, in its order."""
    return [request.url.removeprefix(API) for request in calls.sender.sent]


async def test_a_look_up_is_kept_for_its_arguments(calls: ScriptedCalls) -> None:
    """It comes first, and once for a ticket; only the list's answer is read, reshaped, and led on by a cursor."""
    await calls.script([TICKET, FIELDS, MORE, FIELDS, TICKET, FIELDS])
    executed, _ = await calls.call("fields", arguments=SEVENTH)
    first, _ = await calls.call("fields", arguments=SEVENTH)
    second, _ = await calls.call("fields", arguments=SEVENTH | {"next_page": first.result.next_page})
    await calls.call("fields", arguments={"ticket": "8"})

    assert "200" == executed.result.network_code
    assert [{"id": "f1", "name": "Severity"}] == executed.result.output.value()
    assert "" == second.result.next_page
    assert [LOOK, ASK, ASK, f"{ASK}?p=2", "/tickets/8", ASK] == paths(calls)


async def test_what_was_looked_up_stays_one_segment(calls: ScriptedCalls) -> None:
    """An answer of the app leads no request to another place."""
    await calls.script([whole(200, b'{"queue": {"id": "../../admin?x=1"}}'), FIELDS])
    await calls.call("fields", arguments=SEVENTH)

    assert "/queues/..%2F..%2Fadmin%3Fx%3D1/fields" == paths(calls)[1]


async def test_a_refused_look_up_is_the_answer(calls: ScriptedCalls) -> None:
    """If there is no such ticket, the caller reads what the app says of that, and nothing else is asked."""
    await calls.script([whole(404, b'{"message": "no ticket 7"}')])
    result = (await calls.call("fields", arguments=SEVENTH))[0].result

    assert ("404", {"message": "no ticket 7"}) == (result.network_code, result.output.value())
    assert "" == result.next_page  # as for every list that ends here
    assert [LOOK] == paths(calls)


@pytest.mark.parametrize("body", [b'{"queue": null}', b'{"queue": {"id": ["a"]}}', b"[]", b"queue: general", b""])
async def test_an_answer_without_it(calls: ScriptedCalls, body: bytes) -> None:
    """An answer that lacks what was looked up is told as such; nothing is asked with a gap in it, and nothing kept."""
    await calls.script([whole(200, body)])
    executed, _ = await calls.call("fields", arguments=SEVENTH)
    await calls.call("fields", arguments=SEVENTH)

    assert "502" == executed.result.network_code
    reason = executed.result.output.value()["reason"]
    assert "the app answered the look-up for Find without what that needs: queue" == reason
    assert [LOOK, LOOK] == paths(calls)


async def test_what_a_look_up_gives_is_no_file(calls: ScriptedCalls) -> None:
    """Where the call gives one, that is the answer to its own request."""
    await calls.script([TICKET, whole(200, b"content")])
    executed, _ = await calls.call("download", arguments=SEVENTH)

    assert ("200", 7) == (executed.result.network_code, executed.result.output.value()["size"])
    assert [LOOK, "/queues/general/export"] == paths(calls)


async def test_both_requests_count_in_the_budget(calls: ScriptedCalls) -> None:
    """Where there is no turn left for the second request, the call is refused with when to come back."""
    await calls.script([TICKET, FIELDS], turns=[Turn(granted=False, wait_seconds=9)])
    with pytest.raises(ServiceError) as refusal:
        await calls.call("fields", arguments=SEVENTH)

    assert 429 == refusal.value.status
    assert [LOOK] == paths(calls)


def _look_up(key: str = "a") -> LookUp:
    return LookUp(request=Request(get="/tickets/${args.ticket.id}"), gives={"queue": f"body.{key}"})


def test_what_is_kept_ends() -> None:
    """For a minute, for one account and the same argument in whatever order its members are; the latest thousand."""
    now = 0.0
    kept, gave = LookedUp(lambda: now), {"queue": "general"}
    ticket = {"ticket": {"id": "7", "of": "a"}}
    kept.keep(1, _look_up(), ticket | {"other": 1}, gave)

    assert gave == kept.find(1, _look_up(), {"ticket": {"of": "a", "id": "7"}})
    assert kept.find(1, _look_up(), {"ticket": {"id": "7", "of": "b"}}) is None
    assert kept.find(2, _look_up(), ticket) is None
    assert kept.find(1, _look_up("b"), ticket) is None
    now = KEPT_SECONDS
    assert kept.find(1, _look_up(), ticket) is None

    numbered = [{"ticket": {"id": number}} for number in range(MOST_KEPT + 1)]
    for each in numbered:
        kept.keep(1, _look_up(), each, gave)
    assert kept.find(1, _look_up(), numbered[0]) is None
    assert gave == kept.find(1, _look_up(), numbered[1])
