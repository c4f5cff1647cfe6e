"""A language model chooses among the functions it is offered; whatever goes wrong leaves prediction as it was."""

import asyncio
import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from attrs import evolve
from structlog.testing import capture_logs

from service_client.models import Function, Parameters
from tests.real_apps.running import free_port
from tests.service_server.predict_llm.conftest import KEY, Chooser, RunningModel
from tests.service_server.predict_llm.offered import CREATE_TICKET, LIST_TICKETS, OFFERED

pytestmark = pytest.mark.slow

NOW = datetime(2025, 11, 20, 10, 0, tzinfo=UTC)
PROMPT = 'create a ticket "Broken printer" in project Office with high priority'


async def test_a_function_and_its_arguments(chooser: Chooser) -> None:
    """The chosen function comes with what the prompt says, the words it stands in, and what is missing."""
    async with chooser("good") as asked:
        choice = await asked.choose(PROMPT, OFFERED, now=NOW)

    assert "tracker-create-ticket" == choice.name
    said = {"title": "Broken printer", "priority": "high"}
    assert said.items() <= choice.arguments.arguments.items()
    assert said.items() <= choice.arguments.evidence.items()
    assert ("project_id",) == choice.arguments.missing
    assert {"project_id": "Office"} == choice.arguments.named


async def test_nothing_fits(chooser: Chooser) -> None:
    """A model that calls no tool says that nothing fits, which is an answer and no failure."""
    async with chooser("none") as asked:
        assert (await asked.choose("what is the meaning of life?", OFFERED, now=NOW)).name is None


async def test_choosing_alone(chooser: Chooser, language_model: RunningModel) -> None:
    """Without arguments their schemas are not sent, and none come back."""
    async with chooser("good") as asked:
        choice = await asked.choose(PROMPT, OFFERED, now=NOW, with_arguments=False)

    assert ("tracker-create-ticket", None) == (choice.name, choice.arguments)
    assert [{}, {}] == [tool["parameters"]["properties"] for tool in language_model.tools()]


async def test_what_is_sent(chooser: Chooser, language_model: RunningModel) -> None:
    """One deterministic request: the prompt between markers in the user message, the tools best first, the key."""
    async with chooser("good") as asked:
        await asked.choose(PROMPT, OFFERED, now=NOW)
    sent = language_model.requests()[-1]
    body = sent["body"]

    assert "/v1/chat/completions" == sent["path"]
    assert f"Bearer {KEY}" == {name.lower(): value for name, value in sent["headers"].items()}["authorization"]
    assert ("auto", 0, 0, False) == (body["tool_choice"], body["temperature"], body["seed"], body["stream"])
    assert [each.name for each in OFFERED] == [tool["name"] for tool in language_model.tools()]
    assert ["system", "user"] == [message["role"] for message in body["messages"]]
    assert PROMPT not in body["messages"][0]["content"]
    assert f"\n{PROMPT}\n" in body["messages"][1]["content"]
    assert KEY not in json.dumps(body)


async def test_without_a_key_none_is_sent(chooser: Chooser, language_model: RunningModel) -> None:
    """A model on the operator's own machine needs none."""
    async with chooser("good", key="") as asked:
        assert await asked.choose(PROMPT, OFFERED, now=NOW)

    assert "authorization" not in {name.lower() for name in language_model.requests()[-1]["headers"]}


async def test_names_that_the_protocol_does_not_allow(chooser: Chooser, language_model: RunningModel) -> None:
    """Names are mapped to what the protocol allows, each to its own, and back."""
    names = ["create.ticket", "create_ticket", "x" * 80, "x" * 90, "große/🎫"]
    functions = [Function(name=name, description="", parameters=Parameters()) for name in names]
    async with chooser("obedient") as asked:
        await asked.choose('CALL {"name": "?"}', functions, now=NOW)
        offered = [tool["name"] for tool in language_model.tools()]
        choices = [await asked.choose(f"CALL {json.dumps({'name': name})}", functions, now=NOW) for name in offered]

    assert names == [choice.name for choice in choices]
    assert 5 == len(set(offered))
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) for name in offered)


async def test_only_the_five_best_are_offered(chooser: Chooser, language_model: RunningModel) -> None:
    """Who ranks more functions than a model is to see loses the last ones."""
    many = [evolve(LIST_TICKETS, name=f"tracker-list-tickets-{number}") for number in range(9)]
    async with chooser("none") as asked:
        await asked.choose(PROMPT, many, now=NOW)

    assert [each.name for each in many[:5]] == [tool["name"] for tool in language_model.tools()]


async def test_a_request_has_a_limit(chooser: Chooser, language_model: RunningModel) -> None:
    """What is too long loses its last functions; where even one is too long nothing is sent."""
    large = evolve(LIST_TICKETS, parameters=Parameters(properties={f"p{at}": {"type": "string"} for at in range(200)}))
    async with chooser("none", max_request_bytes=6_000) as asked:
        assert await asked.choose(PROMPT, [CREATE_TICKET, large], now=NOW)
        assert [CREATE_TICKET.name] == [tool["name"] for tool in language_model.tools()]
        before = len(language_model.requests())
        assert await asked.choose(PROMPT, [large], now=NOW) is None
        assert await asked.choose("x" * 7_000, [LIST_TICKETS], now=NOW) is None
        assert await asked.choose(PROMPT, [], now=NOW) is None

    assert before == len(language_model.requests())


@pytest.mark.parametrize(
    "behaviour",
    [
        *("error", "malformed", "huge", "wrong-tool", "bad-arguments", "list-arguments", "long-arguments", "cut-off"),
        *("other-shape", "no-choices", "a-list", "deep"),
    ],
)
async def test_an_answer_that_can_not_be_used(chooser: Chooser, behaviour: str) -> None:
    """Errors, broken, endless and foreign answers count as no answer; the log tells why without prompt or key."""
    with capture_logs() as logged:
        async with chooser(behaviour) as asked:
            assert await asked.choose(PROMPT, OFFERED, now=NOW) is None

    (entry,) = logged
    assert "warning" == entry["log_level"]
    assert KEY not in json.dumps(entry)
    assert "printer" not in json.dumps(entry)


async def test_a_model_that_is_slow(chooser: Chooser) -> None:
    """The time limit spans waiting for a place too; who waited in vain is told as soon as the others."""
    async with chooser("slow", timeout_seconds=0.3, most_at_once=1) as asked:
        choices = await asyncio.gather(*(asked.choose(PROMPT, OFFERED, now=NOW) for _ in range(3)))

    assert [None, None, None] == choices


async def test_no_more_at_once_than_allowed(chooser: Chooser, elsewhere: RunningModel) -> None:
    """Requests beyond the limit wait for a place, and are answered all the same."""
    async with chooser("busy", url=f"{elsewhere.url}/v1", most_at_once=2) as asked:
        choices = await asyncio.gather(*(asked.choose(PROMPT, OFFERED, now=NOW) for _ in range(6)))

    assert None not in choices
    assert {1, 2} == {each["at_once"] for each in elsewhere.requests()}


async def test_nobody_listens(chooser: Chooser) -> None:
    """An endpoint that is down is as good as none."""
    async with chooser("good", url=f"http://127.0.0.1:{free_port()}/v1") as asked:
        assert await asked.choose(PROMPT, OFFERED, now=NOW) is None


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("same_server", [True, False])
async def test_redirects_lead_nowhere(
    chooser: Chooser, language_model: RunningModel, elsewhere: RunningModel, status: int, same_server: bool
) -> None:
    """A redirect is a failure, to the same server too: neither prompt nor key go anywhere but to the endpoint."""
    place = f"{language_model.url if same_server else elsewhere.url}/v1/other"
    before, before_elsewhere = len(language_model.requests()), len(elsewhere.requests())
    async with chooser(f"redirect-{status}-{place}") as asked:
        assert await asked.choose(PROMPT, OFFERED, now=NOW) is None

    assert 1 == len(language_model.requests()) - before
    assert before_elsewhere == len(elsewhere.requests())


async def test_a_failure_is_logged_when_it_begins_and_ends(chooser: Chooser, language_model: RunningModel) -> None:
    """A model that is away for a thousand requests is worth two lines in the log."""
    down: Any = f"http://127.0.0.1:{free_port()}/v1"
    with capture_logs() as logged:
        async with chooser("obedient", url=down) as asked:
            for _ in range(3):
                assert await asked.choose(PROMPT, OFFERED, now=NOW) is None
        async with chooser("obedient") as asked:
            for name in ("nobody", "nobody", LIST_TICKETS.name, LIST_TICKETS.name, "nobody"):
                await asked.choose(f'CALL {{"name": "{name}"}}', OFFERED, now=NOW)

    assert ["warning", "warning", "info", "warning"] == [entry["log_level"] for entry in logged]
