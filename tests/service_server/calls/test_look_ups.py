"""Queries that look something up before they ask for what they are for: the queue of a ticket before its fields."""

import pytest

from service_server.catalog.prior_requests import LookUp
from service_server.catalog.requests import Request
from service_server.errors import ServiceError
from service_server.invoke.looked_up import KEPT_SECONDS, MOST_KEPT, LookedUp
from service_server.onward.values import OnwardResponse
from service_server.store import Turn
from tests.service_server.calls.scripted_calls import ScriptedCalls, whole

pytestmark = pytest.mark.slow

API = "https://api.acme.example"
TICKET = whole(200, b'{"id": "7", "queue": {"id": "general"}}')
FIELDS = whole(200, b'{"items": [{"id": "f1", "name": "Severity"}, {"id": "f2", "name": "Number", "locked": true}]}')


def paths(calls: ScriptedCalls) -> list[str]:
    """What the app was asked, in its order."""
    return [request.url.removeprefix(API) for request in calls.sender.sent]


async def test_the_answer_is_that_of_the_second_request(calls: ScriptedCalls) -> None:
    """The look-up comes first, what it gives stands in the request, and only that one's answer is read and reshaped."""
    await calls.script([TICKET, FIELDS])
    executed, _ = await calls.call("fields", arguments={"ticket": "7"})

    assert ["/tickets/7", "/queues/general/fields"] == paths(calls)
    assert [{"id": "f1", "name": "Severity"}] == executed.result.output.value()
    assert "200" == executed.result.network_code


async def test_a_look_up_is_kept_for_its_arguments(calls: ScriptedCalls) -> None:
    """The next call about the same ticket asks only for the fields; another ticket is looked up."""
    await calls.script([TICKET, FIELDS, FIELDS, TICKET, FIELDS])
    for ticket in ("7", "7", "8"):
        await calls.call("fields", arguments={"ticket": ticket})

    fields = "/queues/general/fields"
    assert ["/tickets/7", fields, fields, "/tickets/8", fields] == paths(calls)


async def test_pages_are_those_of_the_list(calls: ScriptedCalls) -> None:
    """The cursor that a page gives leads on in the same list, without looking up anything again."""
    more = OnwardResponse(200, {**FIELDS.headers, "link": '</queues/general/fields?p=2>; rel="next"'}, FIELDS.body, API)
    await calls.script([TICKET, more, FIELDS])
    first, _ = await calls.call("fields", arguments={"ticket": "7"})
    second, _ = await calls.call("fields", arguments={"ticket": "7", "next_page": first.result.next_page})

    assert "" == second.result.next_page
    assert ["/tickets/7", "/queues/general/fields", "/queues/general/fields?p=2"] == paths(calls)


async def test_what_was_looked_up_stays_one_segment(calls: ScriptedCalls) -> None:
    """An answer of the app leads no request to another place."""
    await calls.script([whole(200, b'{"queue": {"id": "../../admin?x=1"}}'), FIELDS])
    await calls.call("fields", arguments={"ticket": "7"})

    assert "/queues/..%2F..%2Fadmin%3Fx%3D1/fields" == paths(calls)[1]


async def test_a_refused_look_up_is_the_answer(calls: ScriptedCalls) -> None:
    """If there is no such ticket, the caller reads what the app says of that, and nothing else is asked."""
    await calls.script([whole(404, b'{"message": "no ticket 9"}')])
    executed, _ = await calls.call("fields", arguments={"ticket": "9"})

    assert "404" == executed.result.network_code
    assert {"message": "no ticket 9"} == executed.result.output.value()
    assert "" == executed.result.next_page  # as for every list that ends here
    assert ["/tickets/9"] == paths(calls)


@pytest.mark.parametrize("body", [b'{"queue": null}', b'{"queue": {"id": ["a"]}}', b"[]", b"queue: general", b""])
async def test_an_answer_without_it(calls: ScriptedCalls, body: bytes) -> None:
    """An answer that lacks what was looked up is told as such; nothing is asked with a gap in it, and nothing kept."""
    await calls.script([whole(200, body)])
    executed, _ = await calls.call("fields", arguments={"ticket": "7"})
    await calls.call("fields", arguments={"ticket": "7"})

    assert "502" == executed.result.network_code
    assert "without what that needs" in executed.result.output.value()["reason"]
    assert ["/tickets/7", "/tickets/7"] == paths(calls)


async def test_credentials_that_end_in_between(calls: ScriptedCalls) -> None:
    """A look-up that is refused for its credentials is made again with renewed ones, which the call then uses."""
    await calls.script([whole(401), TICKET, FIELDS], ["renewed"])
    executed, _ = await calls.call("fields", arguments={"ticket": "7"})

    assert "200" == executed.result.network_code
    keys = [dict(request.headers)["X-Key"] for request in calls.sender.sent]
    assert ["first", "second", "second"] == keys


async def test_credentials_that_end_after_it(calls: ScriptedCalls) -> None:
    """A request that is made again with renewed credentials knows what was looked up for an earlier call, too."""
    await calls.script([TICKET, FIELDS, whole(401), FIELDS], ["renewed"])
    await calls.call("fields", arguments={"ticket": "7"})
    executed, _ = await calls.call("fields", arguments={"ticket": "7"})

    fields = "/queues/general/fields"
    assert "200" == executed.result.network_code
    assert ["/tickets/7", fields, fields, fields] == paths(calls)


async def test_both_requests_count_in_the_budget(calls: ScriptedCalls) -> None:
    """Where there is no turn left for the second request, the call is refused with when to come back."""
    await calls.script([TICKET, FIELDS], turns=[Turn(granted=False, wait_seconds=9)])
    with pytest.raises(ServiceError) as refusal:
        await calls.call("fields", arguments={"ticket": "7"})

    assert 429 == refusal.value.status
    assert ["/tickets/7"] == paths(calls)


class _Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def _look_up(key: str = "a") -> LookUp:
    return LookUp(request=Request(get="/tickets/${args.ticket}"), gives={"queue": f"body.{key}"})


def test_what_is_kept_ends() -> None:
    """After a minute an account looks up again; no account finds what another one looked up."""
    clock = _Clock()
    kept = LookedUp(clock)
    kept.keep(1, _look_up(), {"ticket": "7", "other": 1}, {"queue": "general"})

    assert {"queue": "general"} == kept.find(1, _look_up(), {"ticket": "7"})
    assert kept.find(2, _look_up(), {"ticket": "7"}) is None
    assert kept.find(1, _look_up("b"), {"ticket": "7"}) is None
    clock.now = KEPT_SECONDS
    assert kept.find(1, _look_up(), {"ticket": "7"}) is None


def test_the_same_object_is_the_same_argument() -> None:
    """In whatever order a caller writes its members."""
    look_up = LookUp(request=Request(get="/tickets/${args.at.id}"), gives={"queue": "body.queue"})
    kept = LookedUp(_Clock())
    kept.keep(1, look_up, {"at": {"id": "7", "of": "a"}}, {"queue": "general"})

    assert {"queue": "general"} == kept.find(1, look_up, {"at": {"of": "a", "id": "7"}})
    assert kept.find(1, look_up, {"at": {"of": "b", "id": "7"}}) is None


def test_only_so_much_is_kept() -> None:
    """However much is looked up, memory holds a thousand of it: the latest."""
    kept = LookedUp(_Clock())
    for number in range(MOST_KEPT + 1):
        kept.keep(1, _look_up(), {"ticket": str(number)}, {"queue": "q"})

    assert kept.find(1, _look_up(), {"ticket": "0"}) is None
    assert {"queue": "q"} == kept.find(1, _look_up(), {"ticket": str(MOST_KEPT)})
