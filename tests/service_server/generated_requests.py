"""Requests that Schemathesis makes up from the description of the API, and what every answer to them has to be."""

import contextlib
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any, TypeAlias

import requests
import schemathesis
from attrs import Factory, frozen
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from tests.service_server.processes import RunningService, command, http

Operation: TypeAlias = schemathesis.APIOperation[Any, Any, Any, Any]
Case: TypeAlias = schemathesis.Case[Any]

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    unsupported_method,
]
ADMIN = "/admin/"
NAMES = {
    "app_name": st.sampled_from(["sandbox", "kinto", "github"]),
    "function_name": st.sampled_from(["sandbox-list-projects", "kinto-create-record", "github-passthrough-request"]),
    "session_id": st.just("not-a-session"),
    "connected_account_id": st.integers(1, 3),
    "file_id": st.just("file_of-nobody"),
    "application_id": st.just(1),
    "endpoint_id": st.just("whe_" + "0" * 24),
    "delivery_id": st.just(1),
    "fingerprint": st.just("0" * 16),
    "key_id": st.just("0" * 16),
    "call_id": st.just("0" * 32),
}


@frozen
class Sender:
    """Sends made-up requests with right credentials, checks the answers, and counts them by their status."""

    of_user: dict[str, str]
    of_key: dict[str, str]
    connections: requests.Session
    statuses: Counter[int] = Factory(Counter)

    def headers(self, case: Case) -> dict[str, str]:
        """The credentials with which a request is answered: those of a user, or a key of the admin API."""
        return self.of_key if case.operation.path.startswith(ADMIN) else self.of_user

    def send(self, case: Case) -> schemathesis.Response:
        """The answer to a request."""
        case.headers.pop("Authorization", None)  # a made-up session token would spoil the right credentials
        answer = case.call(session=self.connections, headers=self.headers(case))
        self.statuses[answer.status_code] += 1
        return answer

    def check(self, case: Case, answer: schemathesis.Response) -> None:
        """Fail unless the answer is one that the description knows."""
        case.validate_response(answer, checks=CHECKS, headers=self.headers(case))

    def try_out(self, case: Case) -> None:
        """Send a request and check its answer."""
        self.check(case, self.send(case))


@contextlib.contextmanager
def sender(running: RunningService, user_id: str) -> Iterator[Sender]:
    """What sends as a user, and with an owner's key of the admin API; it asks no proxy."""
    key = json.loads(command(running.data_directory, "admin-key", "create", user_id, "--role", "owner", "--json"))
    with requests.Session() as connections:
        connections.trust_env = False
        yield Sender(running.headers(user_id), {"Authorization": f"Bearer {key['key']}"}, connections)


def description_of(running: RunningService) -> dict[str, Any]:
    """The description that a service gives of itself, without credentials."""
    with http(running.url) as anonymous:
        found: dict[str, Any] = anonymous.get("/openapi.json").raise_for_status().json()
    return found


def schema_of(running: RunningService, document: dict[str, Any]) -> schemathesis.BaseSchema:
    """The description as Schemathesis reads it, for requests to this service."""
    schema = schemathesis.openapi.from_dict(document)
    # The first prediction loads what all of them need, which takes a busy machine longer than Schemathesis waits.
    schema.config.update(base_url=running.url, request_timeout=60)
    return schema


def operations_of(schema: schemathesis.BaseSchema) -> list[Operation]:
    """Every operation of a description."""
    operations = []
    for found in schema.get_all_operations():
        assert isinstance(found, Ok), found.err()
        operations.append(found.ok())
    return operations


def wrong_requests(operation: Operation) -> st.SearchStrategy[Case]:
    """Requests that break the description somewhere."""
    return operation.as_strategy(generation_mode=GenerationMode.NEGATIVE)


@st.composite
def requests_with_known_names(draw: st.DrawFn, operation: Operation) -> Case:
    """Requests as described, for apps and functions that there are: made-up names would all be unknown ones."""
    case: Case = draw(operation.as_strategy(generation_mode=GenerationMode.POSITIVE))
    case.path_parameters = {name: draw(NAMES[name]) for name in case.path_parameters}
    return case
