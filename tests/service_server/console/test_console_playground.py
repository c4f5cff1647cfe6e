"""The playground: the form of the SDK in the console, as a user of an application."""

import pytest

from tests.service_server.console.operator_browser import OperatorBrowser
from tests.service_server.databases import rows
from tests.service_server.processes import RunningService, http

PATH = "/console/playground"
QUERY = "application=1&user=tester&function=sandbox-create-ticket"


def token_of(page: str) -> str:
    """The token that the page hands to the SDK."""
    return page.split('data-token="')[1].split('"')[0]


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("application=99&user=a&function=sandbox-create-ticket", "Choose an application."),
        ("application=1&user=&function=sandbox-create-ticket", "Give the id of a user"),
        ("application=1&user=a%00&function=sandbox-create-ticket", "Give the id of a user"),
        ("application=1&user=a&function=nope", "Give the full name of a function"),
        ("application=1&user=a&function=sandbox-passthrough-request", "It has no form"),
    ],
)
def test_what_has_no_form_is_said_at_the_field(operator: OperatorBrowser, query: str, problem: str) -> None:
    """And no token is made."""
    answer = operator.get(f"{PATH}?{query}")

    assert 422 == answer.status_code
    assert problem in answer.text
    assert "data-token" not in answer.text


def test_the_token_is_for_one_user_one_app_and_this_origin(
    operator: OperatorBrowser, console_service: RunningService
) -> None:
    """It opens nothing else, the trail has it, and only its page may load the SDK."""
    answer = operator.get(f"{PATH}?{QUERY}")
    token, url = token_of(answer.text), console_service.url

    def status(path: str, origin: str, **body: object) -> int:
        with http(url, {"Authorization": f"Bearer {token}", "Origin": origin}) as client:
            return client.post(path, json=body).status_code

    assert 403 != status("/functions/sandbox-create-ticket/", url)
    assert 403 == status("/functions/sandbox-create-ticket/", "https://elsewhere.example.com")
    assert 403 == status("/functions/kinto-list-records/", url)
    assert 403 == status("/session_tokens", url)
    policy = answer.headers["content-security-policy"]
    assert f"script-src 'self' {url} 'wasm-unsafe-eval'" in policy
    assert "wasm-unsafe-eval" not in operator.get(PATH).headers["content-security-policy"]
    trail = rows(
        console_service.data_directory, "SELECT actor, subject FROM audit_events WHERE act = 'playground.opened'"
    )
    assert ("ada", "tester") in trail
