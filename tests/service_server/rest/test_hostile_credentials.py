"""What a session token is limited to, it is limited to everywhere."""

import httpx
import pytest

from tests.service_server.processes import RunningService, http


def _bearer(rest_service: RunningService, api: httpx.Client, **scope: list[str]) -> httpx.Client:
    token = api.post("/session_tokens", json=scope).json()["token"]
    return http(rest_service.url, {"Authorization": f"Bearer {token}"})


@pytest.mark.parametrize(
    ("functions", "apps"),
    [
        (["many-read-000"], ["github"]),
        (["many-read-000"], []),
        ([], ["many"]),
        (["github-passthrough-request"], ["many"]),
    ],
)
def test_each_limit_of_a_token_counts(
    rest_service: RunningService, api: httpx.Client, functions: list[str], apps: list[str]
) -> None:
    """A function is called only if both the functions and the apps of the token let it through."""
    with _bearer(rest_service, api, functions=functions, apps=apps) as limited:
        statuses = {limited.post(f"/functions/{name}").status_code for name in ["many-read-000", *functions]}

    assert {403} == statuses


def test_a_token_for_a_function_of_an_app_it_names_calls_it(rest_service: RunningService, api: httpx.Client) -> None:
    """Where both limits let a function through, it is only the missing account that refuses it."""
    with _bearer(rest_service, api, functions=["many-read-000"], apps=["many"]) as limited:
        assert 400 == limited.post("/functions/many-read-000").status_code


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
