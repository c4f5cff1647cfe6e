"""Methods that answer from the service: accounts, functions, calls."""

from typing import Any

import pytest

from service_client.testing import HttpRequest, Response

from .conftest import Rejected, Sdk


@pytest.mark.parametrize(("app", "connected"), [("desk", False), ("mail", True)])
async def test_an_app_is_connected_when_it_has_an_account(sdk: Sdk, app: str, connected: bool) -> None:
    """`isAppConnected` is true with one account or more."""
    await sdk.start()

    assert connected is await sdk.call("isAppConnected", appName=app)


async def test_accounts_are_listed_newest_first(sdk: Sdk) -> None:
    """`getConnectedAccounts` gives the accounts in the service's order, with all their fields."""
    await sdk.start()

    accounts = await sdk.call("getConnectedAccounts", appName="mail")

    assert ["ann@new.test", "ann@old.test"] == [account["display_name"] for account in accounts]
    assert {"id", "display_name", "modified_at", "state", "state_reason"} == accounts[0].keys()


async def test_all_pages_of_apps_are_one_list(sdk: Sdk) -> None:
    """`getApps` follows the service's pages to the last."""
    sdk.service.page_size = 1
    await sdk.start()

    assert ["desk", "mail"] == [app["name"] for app in await sdk.call("getApps")]


@pytest.mark.parametrize("account", ["1", 1])
async def test_disconnecting_tells_what_is_left(sdk: Sdk, account: str | int) -> None:
    """`app-disconnected` carries the app, the account that is gone and those that remain."""
    await sdk.start()

    assert await sdk.call("disconnectApp", appName="mail", connectedAccountId=account) is None

    (payload,) = sdk.heard("app-disconnected")
    assert ("mail", "Mail", 1) == (payload["name"], payload["title"], payload["connected_account_id"])
    assert [2] == [each["id"] for each in payload["connected_accounts"]]


async def test_the_only_account_needs_no_name_to_be_disconnected(sdk: Sdk) -> None:
    """Without an id the single account goes, and the event names it."""
    account = sdk.service.connect("desk", "Ann's desk")
    await sdk.start()

    await sdk.call("disconnectApp", appName="desk")

    (payload,) = sdk.heard("app-disconnected")
    assert (account.id, []) == (payload["connected_account_id"], payload["connected_accounts"])


@pytest.mark.parametrize(("app", "code"), [("mail", "account_required"), ("desk", "not_connected")])
async def test_disconnecting_must_be_clear(sdk: Sdk, app: str, code: str) -> None:
    """With several accounts and none named, or with none at all, the service's refusal rejects."""
    await sdk.start()

    with pytest.raises(Rejected) as rejected:
        await sdk.call("disconnectApp", appName=app)

    assert (code, 400) == (rejected.value.code, rejected.value.error["status"])
    assert [] == sdk.heard("app-disconnected")


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


async def test_a_signature_is_the_services(sdk: Sdk) -> None:
    """`getFunction` gives name, description, type and parameters, and what a form needs besides."""
    await sdk.start()

    signature = await sdk.call("getFunction", functionName="desk-create-ticket")

    assert {
        "name": "desk-create-ticket",
        "description": "",
        "type": "query",
        "parameters": {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]},
        "meta": signature["meta"],
    } == signature
    assert ("desk", "desk-create-ticket") == (signature["meta"]["app"]["name"], signature["meta"]["title"])


async def test_an_executed_call_resolves_to_its_result(sdk: Sdk) -> None:
    """`invokeFunction` gives network_code and output, and uses the account that was named."""
    sdk.service.connect("desk", "one")
    chosen = sdk.service.connect("desk", "two")
    await sdk.start()

    result = await sdk.call(
        "invokeFunction",
        functionName="desk-create-ticket",
        params={"title": "Hinge"},
        connectedAccountId=str(chosen.id),
    )

    assert {"network_code": "200", "output": {"id": 7, "title": "Hinge"}} == result
    assert [chosen.id] == [call.connected_account_id for call in sdk.service.calls]


async def test_a_refused_call_resolves_to_the_refusal(sdk: Sdk) -> None:
    """What the service refuses is a result with `error` and `error_details`, not a rejection."""
    await sdk.start()

    refused = await sdk.call("invokeFunction", functionName="desk-create-ticket", params={"title": "Hinge"})
    unknown = await sdk.call("invokeFunction", functionName="desk-nothing", params={})

    assert ["not_connected"] == [detail["code"] for detail in refused["error_details"]]
    assert ["unknown_function"] == [detail["code"] for detail in unknown["error_details"]]
    assert {"error", "error_details", "request_id"} == refused.keys() == unknown.keys()


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
