"""Instances: options, credentials, readiness, isolation, the end."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service_client.errors import ServiceUnreachableError
from service_client.testing import Response
from servicejs.call_arguments import account_id
from servicejs.errors import SdkError, describe_error
from servicejs.page.memory_page import MemoryPage
from servicejs.service_js import ServiceJs

from .conftest import Rejected, Sdk, settle


async def test_refused_credentials_are_the_answer_to_everything(sdk: Sdk) -> None:
    """Wrong credentials emit `error`, and every method is rejected with it without asking again."""
    details = [{"field": None, "code": "unauthenticated", "message": "No.", "action": None}]
    refusal = {"error": "The credentials are not valid.", "error_details": details, "request_id": "r-1"}
    sdk.answer = lambda request: Response.of_json(refusal, 401)
    await sdk.start()
    asked = len(sdk.requests)

    for method in ("isAppConnected", "getFunction", "showApps"):
        with pytest.raises(Rejected) as rejected:
            await sdk.call(method, appName="desk", functionName="desk-create-ticket", surface="s")
        assert ("unauthenticated", 401, "r-1") == (
            rejected.value.code,
            *map(rejected.value.error.get, ("status", "request_id")),
        )

    assert asked == len(sdk.requests)
    assert ["unauthenticated"] == [payload["code"] for payload in sdk.heard("error")]
    assert [] == sdk.heard("ready")
    assert "s" in sdk.page.closed_surfaces


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"appKey": None}, "appKey"),
        ({"appKey": ""}, "appKey"),
        ({"userId": 7}, "userId"),
        ({"hash": None}, "hash or token"),
        ({"hash": "abc"}, "hash"),
        ({"token": "t"}, "exactly one of hash"),
        ({"baseUrl": "service.test"}, "baseUrl"),
        ({"appSecret": "s3cret"}, "never be in a browser"),
    ],
)
async def test_unusable_options_are_named(sdk: Sdk, options: dict[str, Any], named: str) -> None:
    """Options that cannot work emit `error` and reject every method, naming the option and no secret."""
    await sdk.start(**options)

    with pytest.raises(Rejected, match=named) as rejected:
        await sdk.call("isAppConnected", appName="desk")

    assert "invalid_argument" == rejected.value.code
    assert [rejected.value.error] == sdk.heard("error")
    assert "s3cret" not in str(rejected.value)
    assert [] == sdk.requests


async def test_a_service_that_was_away_is_found_again(sdk: Sdk) -> None:
    """Without an answer `error` is emitted and calls are rejected; once it is back calls work and `ready` follows."""
    sdk.is_away = True
    await sdk.start()
    with pytest.raises(Rejected, match="could not be reached") as rejected:
        await sdk.call("isAppConnected", appName="desk")
    sdk.is_away = False

    assert "unreachable" == rejected.value.code
    assert await sdk.call("isAppConnected", appName="desk") is False
    await settle()
    assert 1 == len(sdk.heard("ready"))


async def test_destroying_ends_what_runs_and_takes_away_what_is_open(sdk: Sdk) -> None:
    """A destroyed instance rejects what it had under way, closes its surfaces and windows, and takes no more calls."""
    await sdk.start()
    await sdk.call("showApps", surface="apps", modal=True)
    connecting = sdk.begin("connectApp", appName="desk", surface="panel", popup="p")
    await settle()

    await sdk.call("destroy")

    with pytest.raises(Rejected) as rejected:
        await connecting
    assert "destroyed" == rejected.value.code
    assert {} == sdk.page.surfaces
    assert {"p": None} == sdk.page.popups
    with pytest.raises(Rejected, match="destroyed"):
        await sdk.call("isAppConnected", appName="desk")
    await sdk.start()
    with pytest.raises(Rejected, match="no method 'explode'"):
        await sdk.call("explode")


@given(message=st.text() | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(json.dumps))
async def test_whatever_is_sent_is_answered(message: str) -> None:
    """Nothing that the page could send raises; the answer is always JSON with an error or a result."""
    answer = json.loads(await ServiceJs(MemoryPage()).dispatch(message))

    assert answer.keys() == {"id", "error"}


@pytest.mark.parametrize(("given", "read"), [(None, None), ("", None), ("17", 17), (17, 17), (17.0, 17)])
def test_account_ids_are_text_or_numbers(given: object, read: int | None) -> None:
    """The SDK's text and the API's number both name an account."""
    assert read == account_id(given, "connectedAccountId")


@pytest.mark.parametrize("given", ["x", "-1", "1.5", 0, -3, 1.5, True, [], {}, "١"])
def test_other_account_ids_are_refused(given: object) -> None:
    """What cannot be an id is refused by the argument's name."""
    with pytest.raises(SdkError, match="connectedAccountId"):
        account_id(given, "connectedAccountId")


def test_options_have_their_names_in_every_error() -> None:
    """What the Python client says of `base_url` is said of `baseUrl` here."""
    described = describe_error(ServiceUnreachableError("No answer. Check base_url and user_id."))

    assert "No answer. Check baseUrl and userId." == described["message"]
