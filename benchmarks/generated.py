"""
Thousands of requests that Schemathesis makes up from `/openapi.json`, and what the service answered.

In rounds: right and wrong requests to every operation, and then sequences, in which what one answer holds (the name of
an app, the id of an account, a connect session, a webhook) goes into the next request. Which answers fit which
parameters Schemathesis infers from the description. The user has accounts in the sandbox app, which sequences may
disconnect: whoever begins a sequence without one is connected again.
"""

import copy
import random
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import hypothesis
import schemathesis
from attrs import Factory, define
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Flaky
from schemathesis.engine.errors import is_inconsistent_replay
from schemathesis.generation.stateful.state_machine import APIStateMachine, StepInput, StepOutput

from benchmarks.users_at_work import USERS, Place, place
from service_server.store.migrations import upgrade
from tests.service_server.databases import sqlite_url
from tests.service_server.generated_requests import (
    Case,
    Sender,
    description_of,
    operations_of,
    requests_with_known_names,
    schema_of,
    sender,
    wrong_requests,
)
from tests.service_server.processes import SERVICE_SERVER, RunningService

EXAMPLES = 15
SUITES, SEQUENCES, STEPS = 12, 5, 20
GOALS = {"requests_5xx": 0, "requests_breaches": 0}
# What would take the sender's own access or the app's set-up away, after which nothing is tried any more.
NEEDED = r"^/admin/(apps/\{app_name\}|keys/\{key_id\}|applications/\{application_id\}/secrets/\{fingerprint\})$"
USER = USERS[1]

Ready: TypeAlias = Callable[[bool], None]
"""Sees to it that the user has an account, and that the app is set up if that may have been changed."""


@define
class Found:
    """What came of all requests."""

    sender: Sender
    breaches: int = 0
    in_sequences: int = 0
    linked: set[tuple[str, str]] = Factory(set)
    "Operations of sequences, each with the one whose answer gave it something."

    @property
    def requests(self) -> int:
        """How many were answered."""
        return self.sender.statuses.total()

    def check(self, case: Case, answer: schemathesis.Response) -> None:
        """Tell and count a breach, and go on."""
        try:
            self.sender.check(case, answer)
        except (AssertionError, ExceptionGroup) as breach:
            self.breaches += 1
            print(f"{case.operation.label}: {breach}", *getattr(breach, "exceptions", ()), sep="\n", file=sys.stderr)

    def try_out(self, case: Case) -> None:
        """Send a request and check its answer."""
        self.check(case, self.sender.send(case))


def one_by_one(
    schema: schemathesis.BaseSchema, found: Found, seed: int, ready: Callable[[bool], None], count: int
) -> None:
    """Right and wrong requests to every operation, until there were so many."""
    examples = min(EXAMPLES, max(1, count // 200))
    for operation in operations_of(schema):
        if found.requests >= count:
            break
        ready(False)
        for kind in (wrong_requests, requests_with_known_names):
            trial = given(case=kind(operation))(found.try_out)
            hypothesis.seed(seed)(settings(limits(), max_examples=examples)(trial))()
        if re.match(NEEDED, operation.path):
            ready(True)


def in_sequences(
    schema: schemathesis.BaseSchema, found: Found, seed: int, ready: Callable[[bool], None], count: int
) -> None:
    """Requests that follow from the answers to others; not all there are of them where so few are wanted."""
    machine: type[APIStateMachine] = schema.exclude(path_regex=NEEDED).as_state_machine()

    class Sequence(machine):  # type: ignore[valid-type, misc]
        """Sends with credentials, and never waits for what nobody does."""

        def setup(self) -> None:
            """Begin with an account."""
            ready(False)

        def step(self, input: StepInput) -> StepOutput:
            """Note where a request comes from."""
            if input.transition is not None and input.is_applied:
                source = input.transition.id.partition(" -> ")[0]
                found.linked.add((source, input.case.operation.label))
            output: StepOutput = super().step(input)
            return output

        def before_call(self, case: Case) -> None:
            """Don't wait for the end of connect sessions, which nobody brings about."""
            if case.operation.path.endswith("{session_id}"):
                case.query.pop("wait", None)

        def call(self, case: Case, **_: Any) -> schemathesis.Response:
            """Send it."""
            found.in_sequences += 1
            return found.sender.send(case)

        def validate_response(self, response: schemathesis.Response, case: Case, **_: Any) -> None:
            """Check the answer."""
            found.check(case, response)

    # What an answer holds decides what can come next, which Hypothesis takes for a fault of ours when it differs from
    # the time before. That ends a suite, so that there are several of them.
    sequences, steps = min(SEQUENCES, max(1, count // 20)), min(STEPS, max(2, count // 5))
    for number in range(min(SUITES, max(1, count // 200))):
        chosen = settings(limits(), max_examples=sequences, stateful_step_count=steps)
        try:
            hypothesis.seed(seed * SUITES + number)(Sequence).run(settings=chosen)
        except Flaky:
            pass
        except AssertionError as error:
            if not is_inconsistent_replay(error):
                raise


def limits() -> settings:
    """Nothing is kept between runs, since a seed alone has to lead to the same requests."""
    return settings(database=None, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))


def with_functions(document: dict[str, Any], running: RunningService) -> dict[str, Any]:
    """The description, and beside it a path for each function of the app that tells what arguments it takes."""
    call = document["paths"]["/functions/{function_name}"]["post"]
    with running.api(USER.name) as api:
        for each in api.get("/functions?app=sandbox").raise_for_status().json()["functions"]:
            function = api.get(f"/functions/{each['name']}").raise_for_status().json()
            described = copy.deepcopy(call)
            described["operationId"] = each["name"]
            described["parameters"] = [each for each in call["parameters"] if each["in"] != "path"]
            for content in described["requestBody"]["content"].values():
                content["schema"] = function["parameters"]
            document["paths"][f"/functions/{each['name']}"] = {"post": described}
    return document


def send(here: Place, running: RunningService, count: int, seed: int) -> Found:
    """Send so many requests, and some more to the end of the sequences."""
    schema = schema_of(running, with_functions(description_of(running), running))

    def ready(changed: bool) -> None:
        if changed:
            here.configure()
        with running.api(USER.name) as api:
            if not api.get("/apps/sandbox").raise_for_status().json()["connected_accounts"]:
                here.connect(running, [USER])

    with sender(running, USER.name) as sending:
        found = Found(sending)
        for number in range(seed, seed + count):
            one_by_one(schema, found, number, ready, count)
            in_sequences(schema, found, number, ready, count)
            print(f"{found.requests} requests, {found.breaches} breaches", file=sys.stderr, flush=True)
            if found.requests >= count:
                break
    return found


def measure(count: int, seed: int | None) -> dict[str, Any]:
    """The figures of so many requests; the seed is made up unless it is given, and printed."""
    seed = random.randrange(1_000_000) if seed is None else seed
    print(f"seed {seed}", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        upgrade(sqlite_url(folder))
        with place(folder, sqlite_url(folder)) as here, here.start([SERVICE_SERVER], {}) as running:
            here.connect(running, USERS)
            found = send(here, running, count, seed)
            lived = running.program.process.poll() is None
    print("| status | answers |\n|---|---|")
    for status, number in sorted(found.sender.statuses.items()):
        print(f"| {status} | {number:,} |")
    return {
        "requests_seed": seed,
        "requests": found.requests,
        "requests_in_sequences": found.in_sequences,
        "requests_links_followed": len(found.linked),
        "requests_5xx": sum(number for status, number in found.sender.statuses.items() if status >= 500),
        "requests_breaches": found.breaches + (not lived),
    }
