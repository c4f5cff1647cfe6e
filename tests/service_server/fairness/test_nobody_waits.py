"""
No request holds the event loop, on which everybody waits, for more than 50 ms of processor time.

A case gets three tries: a busy machine can only make what a request does look longer, never shorter.
"""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from attrs import define

from tests.service_server.fairness.worst_answers import JSON_ANSWERS, OTHER_ANSWERS
from tests.service_server.fairness.worst_requests import BODIES, FORMS, TARGETS
from tests.service_server.hostile_app import HostileApp, connect, hostile_app, service_with
from tests.service_server.processes import RunningService

pytestmark = pytest.mark.slow

LONGEST_MILLISECONDS = 50.0
TRIES = 3
QUERIES = ["read", "read-picked", "read-transformed", "read-reshaped", "read-totals", "read-cursors", "read-links"]


@define
class Watched:
    """The app, the service beside it, and the file in which its watchdog notes who waited."""

    app: HostileApp
    service: RunningService
    notes: Path

    def longest(self) -> dict[str, Any]:
        """The longest of what was noted since this was last asked."""
        noted = [json.loads(line) for line in self.notes.read_text().splitlines()] if self.notes.exists() else []
        self.notes.write_text("")
        return max(noted, key=lambda each: float(each["milliseconds"]), default={"milliseconds": 0})


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """The service with a watchdog, in which everything has been used once."""
    folder = tmp_path_factory.mktemp("watched")
    notes = folder / "notes.jsonl"
    program = (sys.executable, "-m", "tests.service_server.fairness.watched_server", notes)
    with hostile_app() as app, service_with(app, folder, program) as service, service.api("victim") as api:
        app.answers(b'{"items": [{"id": 1}], "total": 1}')
        for name in [*QUERIES, "change", "passthrough-request"]:
            api.post(f"/functions/hostile-{name}", json=_arguments(name))
        yield Watched(app, service, notes)


def _arguments(name: str) -> dict[str, str]:
    return {"url": "/read", "method": "GET"} if name == "passthrough-request" else {}


def _assert_nobody_waits(watched: Watched, ask: Callable[[httpx.Client, str], None]) -> None:
    """`ask` is given the victim's connection and a word that is new in each try."""
    longest: dict[str, Any] = {}
    for number in range(TRIES):
        watched.longest()
        with watched.service.api("victim") as api:
            ask(api, f"try {number}")
            # What follows an answer, such as a log's row that is still to be written, is part of the request.
            api.get("/functions/hostile-read")
        longest = watched.longest()
        if longest["milliseconds"] <= LONGEST_MILLISECONDS:
            return

    pytest.fail(f"the loop was held in every try; in the last one: {longest}")


JSON_CASES = [
    *((answer, "read-transformed") for answer in JSON_ANSWERS),
    *(("ordinary objects", function) for function in QUERIES),
    *(("empty lists", function) for function in ("read", "read-offsets", "change", "passthrough-request")),
]


@pytest.mark.parametrize(("answer", "function"), JSON_CASES)
def test_an_answer_of_megabytes_of_json(watched: Watched, answer: str, function: str) -> None:
    """Whatever it holds, and whatever is made of it; a mutation's is kept for repeats as well."""
    watched.app.answers(JSON_ANSWERS[answer]())

    def ask(api: httpx.Client, word: str) -> None:
        headers = {"Idempotency-Key": f"{answer} {word}"} if function == "change" else {}
        response = api.post(f"/functions/hostile-{function}", json=_arguments(function), headers=headers)
        assert 200 == response.status_code, response.text[:1000]

    _assert_nobody_waits(watched, ask)


@pytest.mark.parametrize("answer", OTHER_ANSWERS)
def test_an_answer_of_megabytes_of_anything_else(watched: Watched, answer: str) -> None:
    """Text in whatever charset, and bytes."""
    content_type, body = OTHER_ANSWERS[answer]
    watched.app.answers(body(), content_type=content_type)

    def ask(api: httpx.Client, word: str) -> None:
        response = api.post("/functions/hostile-read", json={})
        assert (200, "200") == (response.status_code, response.json()["network_code"])

    _assert_nobody_waits(watched, ask)


@pytest.mark.parametrize("answer", JSON_ANSWERS)
def test_an_answer_to_the_test_of_a_new_account(watched: Watched, answer: str) -> None:
    """It is asked who the user is, and may say anything."""
    watched.app.answers(JSON_ANSWERS[answer]())

    _assert_nobody_waits(watched, lambda api, word: connect(watched.service, f"somebody of {word}"))


@pytest.mark.parametrize("name", BODIES)
def test_a_body_of_a_mebibyte(watched: Watched, name: str) -> None:
    """Whatever it holds: it is carried out, or refused with all that a person would read of what is wrong."""
    watched.app.answers(b"{}")

    def ask(api: httpx.Client, word: str) -> None:
        headers = {"Content-Type": "application/json", "Idempotency-Key": f"body {name} {word}"}
        response = api.post("/functions/hostile-change", content=BODIES[name], headers=headers)
        assert response.status_code in (200, 400, 413), response.text
        assert len(response.content) < 50_000

    _assert_nobody_waits(watched, ask)


@pytest.mark.parametrize("path", ["/session_tokens", "/apps/hostile/connect_sessions"])
@pytest.mark.parametrize("name", ["unknown keys", "long unknown keys"])
def test_a_body_of_unknown_fields(watched: Watched, name: str, path: str) -> None:
    """The service's own bodies are read with the same limits."""

    def ask(api: httpx.Client, word: str) -> None:
        response = api.post(path, content=BODIES[name], headers={"Content-Type": "application/json"})
        assert 400 == response.status_code, response.text
        assert len(response.content) < 50_000

    _assert_nobody_waits(watched, ask)


@pytest.mark.parametrize("name", FORMS)
def test_a_form_of_a_mebibyte(watched: Watched, name: str) -> None:
    """Whatever its keys and texts are."""
    watched.app.answers(b"{}")

    def ask(api: httpx.Client, word: str) -> None:
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        response = api.post("/functions/hostile-change", content=FORMS[name], headers=headers)
        assert response.status_code in (200, 400, 413), response.text

    _assert_nobody_waits(watched, ask)


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_of_64_kilobytes(watched: Watched, name: str) -> None:
    """Whatever its query is."""

    def ask(api: httpx.Client, word: str) -> None:
        response = api.get(TARGETS[name])
        assert response.status_code < 500, response.text

    _assert_nobody_waits(watched, ask)
