"""What a session token is limited to, it is limited to everywhere."""

import httpx
import pytest

from tests.service_server.processes import RunningService
from tests.service_server.rest.test_authentication import by_token, code_of


def _bearer(rest_service: RunningService, api: httpx.Client, **scope: list[str]) -> httpx.Client:
    return by_token(rest_service, api.post("/session_tokens", json=scope).json()["token"])


@pytest.mark.parametrize(
    ("scope", "path", "expected"),
    [
        # where both limits let a function through, it is only the missing account that refuses it
        ({"functions": ["many-read-000"]}, "/functions/many-read-000", (400, "not_connected")),
        ({"functions": ["many-read-000"], "apps": ["many"]}, "/functions/many-read-000", (400, "not_connected")),
        ({"functions": ["many-read-000"]}, "/functions/many-read-001", (403, "forbidden")),
        ({"functions": ["many-read-000"], "apps": ["github"]}, "/functions/many-read-000", (403, "forbidden")),
        ({"functions": ["many-read-000"], "apps": []}, "/functions/many-read-000", (403, "forbidden")),
        ({"functions": [], "apps": ["many"]}, "/functions/many-read-000", (403, "forbidden")),
        (
            {"functions": ["github-passthrough-request"], "apps": ["many"]},
            "/functions/many-read-000",
            (403, "forbidden"),
        ),
        (
            {"functions": ["github-passthrough-request"], "apps": ["many"]},
            "/functions/github-passthrough-request",
            (403, "forbidden"),
        ),
        ({}, "/sandbox-passthrough-request", (403, "forbidden")),
    ],
)
def test_each_limit_of_a_token_counts(
    rest_service: RunningService, api: httpx.Client, scope: dict[str, list[str]], path: str, expected: tuple[int, str]
) -> None:
    """A function is called only if functions and apps of the token let it through; a passthrough has to be named."""
    with _bearer(rest_service, api, **scope) as limited:
        answer = limited.post(path, json={})

    assert expected == (answer.status_code, code_of(answer))


def test_a_token_for_one_app_leaves_the_sessions_of_others_alone(
    rest_service: RunningService, api: httpx.Client
) -> None:
    """Watching, cancelling and redeeming a connect session are limited to the token's apps like opening one."""
    session = f"/connect_sessions/{api.post('/apps/github/connect_sessions', json={}).json()['id']}"
    with _bearer(rest_service, api, apps=["many"]) as limited:
        statuses = {
            limited.get(session).status_code,
            limited.delete(session).status_code,
            limited.post(f"{session}/redeem", json={"code": "x"}).status_code,
        }
    with _bearer(rest_service, api, apps=["github"]) as fitting:
        status = fitting.get(session).json()["status"]

    assert {403} == statuses
    assert "pending" == status
