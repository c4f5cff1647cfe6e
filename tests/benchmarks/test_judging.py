"""What `./dev bench reliability` counts as lost, done twice, or told to somebody else."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from benchmarks.faults_under_load import verdict
from benchmarks.users_at_work import USERS, Work
from tests.real_apps.running import Running
from tests.service_server.processes import RunningService

ALICE, BOB = USERS[0], USERS[2]
RUNNING = RunningService("http://service.test", Path(), cast(Running, None), "key", "secret")


@pytest.mark.parametrize(
    ("made", "rows", "acknowledged", "found"),
    [
        (1, [("finished", "201")], True, {}),
        (0, [("finished", "201")], True, {"lost": 1}),
        (1, [], True, {"lost": 1}),
        (1, [("unknown", None)], True, {"lost": 1, "unknown": 1}),
        (2, [("finished", "201")], True, {"doubled": 1}),
        (0, [], False, {}),
        (1, [], False, {"lost": 1}),
        (1, [("started", None)], False, {"lost": 1}),
        (1, [("unknown", None)], False, {"unknown": 1}),
        (1, [("finished", "502")], False, {}),
        (2, [("unknown", None), ("finished", "201")], False, {"doubled": 1, "unknown": 1}),
    ],
)
def test_verdicts(made: int, rows: Sequence[tuple[str, str | None]], acknowledged: bool, found: dict[str, int]) -> None:
    """Acknowledged means made and in the log as such; made means in the log, and once."""
    assert found == {name: number for name, number in verdict(made, rows, acknowledged=acknowledged).items() if number}


def answering(answer: Callable[[httpx.Request], httpx.Response]) -> Work:
    """Users at work at a service that answers so."""
    return Work(httpx.AsyncClient(base_url="http://service.test", transport=httpx.MockTransport(answer)), RUNNING)


def result(status: int = 200, **body: Any) -> httpx.Response:
    """An answer of the service."""
    return httpx.Response(status, json=body, headers={"Request-Id": "one"})


@pytest.mark.parametrize(
    ("answer", "counted"),
    [
        (result(network_code="201", output={"title": "another"}), "failed_at_app"),
        (result(network_code="502", output=None), "failed_at_app"),
        (result(503, error_details=[{"code": "unavailable"}]), "refused"),
        (result(500, error="Something broke"), "unclear"),
    ],
)
async def test_only_ones_own_ticket_is_acknowledged(answer: httpx.Response, counted: str) -> None:
    """Whatever else comes is counted as what it is, and the call may be sent again."""
    work = answering(lambda _: answer)

    assert not await work.create(ALICE)
    assert {"sent": 1, counted: 1} == work.counts
    assert {} == work.acknowledged
    assert 1 == len(work.unsure)


@pytest.mark.parametrize(
    "answer",
    [
        result(400, error=f"There is {BOB.ticket()['title']}", error_details=[{"code": "not_connected"}]),
        result(network_code="200", output=[{"name": name} for name in BOB.projects]),
    ],
)
async def test_what_names_another_user_is_seen(answer: httpx.Response) -> None:
    """In any answer, also in one that refuses; a list with somebody else's projects isn't one's own."""
    work = answering(lambda _: answer)
    await work.look(ALICE)

    assert ["one"] == work.wrong_user


async def test_another_ticket_of_ones_own_is_seen() -> None:
    """Who asks for a ticket and gets the next one was told something that another call asked for."""
    asked, other = ALICE.ticket()["title"], ALICE.ticket()["title"]
    work = answering(lambda _: result(network_code="200", output={"title": other}))
    work.acknowledged[asked] = 1001
    await work.read(ALICE, asked)

    assert ["one"] == work.wrong_user


async def test_a_lost_connection_is_no_answer() -> None:
    """Not reaching the service is one thing, and being cut off another."""
    failures = iter([httpx.ConnectError("refused"), httpx.ReadError("reset")])

    def fail(_: httpx.Request) -> httpx.Response:
        raise next(failures)

    work = answering(fail)
    for _ in range(2):
        await work.create(ALICE)

    assert {"sent": 2, "not_reached": 1, "cut_off": 1} == work.counts
