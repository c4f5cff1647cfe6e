"""Methods that answer from the service: accounts, functions, calls."""

from typing import Any

import pytest

from service_client.testing import HttpRequest, Response

from .conftest import Rejected, Sdk


async def test_apps_and_accounts_are_the_services(sdk: Sdk) -> None:
    """All pages are one list; an app is connected with one account or more, which come newest first."""
    sdk.service.page_size = 1
    await sdk.start()

    assert ["desk", "mail"] == [app["name"] for app in await sdk.call("getApps")]
    assert [False, True] == [await sdk.call("isAppConnected", appName=app) for app in ("desk", "mail")]
    accounts = await sdk.call("getConnectedAccounts", appName="mail")
    assert ["ann@new.test", "ann@old.test"] == [account["display_name"] for account in accounts]
    assert {"id", "display_name", "modified_at", "state", "state_reason"} == accounts[0].keys()


@pytest.mark.parametrize(
    ("method", "arguments", "code"),
    [
        ("isAppConnected", {"appName": "nothing"}, "unknown_app"),
        ("getFunction", {"functionName": "desk-nothing"}, "unknown_function"),
        ("isAppConnected", {}, "invalid_argument"),
        ("isAppConnected", {"appName": ["mail"]}, "invalid_argument"),
        ("invokeFunction", {"functionName": "desk-create-ticket", "params": [1]}, "invalid_argument"),
        ("invokeFunction", {"functionName": "", "params": {}}, "invalid_argument"),
        ("disconnectApp", {"appName": "mail", "connectedAccountId": "first"}, "invalid_argument"),
    ],
)
async def test_what_cannot_be_done_rejects(sdk: Sdk, method: str, arguments: dict[str, Any], code: str) -> None:
    """Unknown names and arguments of the wrong kind reject with a stable code."""
    await sdk.start()

    with pytest.raises(Rejected) as rejected:
        await sdk.call(method, **arguments)

    assert code == rejected.value.code


async def test_a_call_resolves_to_its_result_or_refusal(sdk: Sdk) -> None:
    """Network code and output, of the account that was named; what the service refuses is a result, no rejection."""
    await sdk.start()
    refused = await sdk.call("invokeFunction", functionName="desk-create-ticket", params={"title": "Hinge"})
    unknown = await sdk.call("invokeFunction", functionName="desk-nothing", params={})
    assert ["not_connected"] == [detail["code"] for detail in refused["error_details"]]
    assert ["unknown_function"] == [detail["code"] for detail in unknown["error_details"]]
    assert {"error", "error_details", "request_id"} == refused.keys() == unknown.keys()

    _, chosen = (sdk.service.connect("desk", name) for name in ("one", "two"))
    named = {"params": {"title": "Hinge"}, "connectedAccountId": str(chosen.id)}
    result = await sdk.call("invokeFunction", functionName="desk-create-ticket", **named)
    assert {"network_code": "200", "output": {"id": 7, "title": "Hinge"}} == result
    assert [chosen.id] == [call.connected_account_id for call in sdk.service.calls]


@pytest.mark.parametrize(("status", "rejects"), [(401, True), (403, False), (429, False), (500, False)])
async def test_only_refused_credentials_reject_a_call(sdk: Sdk, status: int, rejects: bool) -> None:
    """Every envelope of the service resolves, except that of a 401."""
    await sdk.start()
    envelope = {"error": "No.", "error_details": [], "request_id": "r"}

    def answer(request: HttpRequest) -> Response | None:
        return Response.of_json(envelope, status) if request.method == "POST" else None

    sdk.answer = answer
    calling = sdk.begin("invokeFunction", functionName="desk-create-ticket", params={})

    if rejects:
        with pytest.raises(Rejected) as rejected:
            await calling
        assert status == rejected.value.error["status"]
    else:
        assert envelope == await calling


async def test_a_call_without_an_answer_rejects(sdk: Sdk) -> None:
    """When no answer came, the call is rejected: nobody knows whether it was executed."""
    await sdk.start()
    sdk.is_away = True

    with pytest.raises(Rejected, match="could not be reached") as rejected:
        await sdk.call("invokeFunction", functionName="desk-create-ticket", params={})

    assert "unreachable" == rejected.value.code
