"""What a page needs to draw a form of its own: functions with all about their fields, and the choices of a field."""

import json
from typing import Any

import pytest

from service_client.models import CallResult
from service_client.testing import HttpRequest, Response

from .conftest import Rejected, Sdk

SOURCE = {
    "function": "mail-list-parts",
    "arguments": {},
    "value": "id",
    "label": "name",
    "search": None,
    "depends_on": [],
}


def field(**more: Any) -> dict[str, Any]:
    """Describe a field as the service does."""
    return {"title": "Field", "widget": "text", "placeholder": "", "default": None, "options": None} | more


def describe(sdk: Sdk, fields: dict[str, Any]) -> None:
    """Have the service describe the fields of `mail-order`."""

    def answer(request: HttpRequest) -> Response | None:
        if request.method == "POST" or request.path != "/functions/mail-order":
            return None
        body = json.loads(sdk.service.handle(request).content)
        body["meta"]["fields"] = fields
        return Response.of_json(body)

    sdk.service.function("mail-order", title="Order", type="mutation")(lambda arguments: None)
    sdk.answer = answer


def parts(sdk: Sdk, *pages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Add a source function that answers in pages; what it is called with."""
    asked: list[dict[str, Any]] = []

    names = ("query", "shop", "kind", "page")
    properties = {name: {"type": "string"} for name in names}

    @sdk.service.function("mail-list-parts", properties=properties, paginated=True)
    def list_parts(arguments: dict[str, Any]) -> CallResult:
        asked.append(arguments)
        at = int(arguments.get("next_page") or 0)
        return CallResult(network_code="200", output=pages[at], next_page=str(at + 1) if at + 1 < len(pages) else "")

    return asked


async def choices(sdk: Sdk, path: str, **more: Any) -> Any:
    """Ask for the choices of a field, of the account that was connected last."""
    return await sdk.call("getChoices", functionName="mail-order", field=path, connectedAccountId="2", **more)


async def test_functions_come_with_what_a_form_needs(sdk: Sdk) -> None:
    """Of some apps or of all, in whatever number of pages; each with its title and its fields."""
    sdk.service.page_size = 1
    describe(sdk, {})
    await sdk.start()

    everything = await sdk.call("getFunctions")
    some = await sdk.call("getFunctions", apps=["mail"], type="mutation")
    one = await sdk.call("getFunction", functionName="desk-create-ticket")

    assert ["desk-create-ticket", "mail-order"] == sorted(each["name"] for each in everything)
    assert [("mail-order", "Order")] == [(each["name"], each["meta"]["title"]) for each in some]
    assert one in everything
    with pytest.raises(Rejected, match="type must be one of"):
        await sdk.call("getFunctions", type="action")


async def test_choices_come_in_pages(sdk: Sdk) -> None:
    """A cursor asks for what follows; the account is the one that is named."""
    asked = parts(sdk, [{"id": 1, "name": "Bolt"}, {"id": ""}], [{"id": 2}])
    describe(sdk, {"part": field(source=SOURCE)})
    await sdk.start()

    first = await choices(sdk, "part")
    second = await choices(sdk, "part", cursor=first["cursor"])

    assert {"choices": [{"value": 1, "label": "Bolt"}], "cursor": "1"} == first
    assert {"choices": [{"value": 2, "label": "2"}], "cursor": ""} == second
    assert [{}, {"next_page": "1"}] == asked
    assert {2} == {call.connected_account_id for call in sdk.service.calls}


@pytest.mark.parametrize("by_app", [True, False])
async def test_a_search_is_the_apps_where_it_has_one(by_app: bool, sdk: Sdk) -> None:
    """Else the labels must have its words, and pages without any are passed over."""
    asked = parts(sdk, [{"id": 1, "name": "Nut"}], [{"id": 2, "name": "Hex Bolt"}], [{"id": 3, "name": "Bolt"}])
    describe(sdk, {"part": field(source=SOURCE | {"search": "query" if by_app else None})})
    await sdk.start()

    found = await choices(sdk, "part", search="bolt hex")

    if by_app:
        assert ([1], "1", [{"query": "bolt hex"}]) == ([c["value"] for c in found["choices"]], found["cursor"], asked)
    else:
        assert {"choices": [{"value": 2, "label": "Hex Bolt"}], "cursor": "2"} == found


async def test_choices_depend_on_other_values(sdk: Sdk) -> None:
    """A reference means a value of the same entry first, then of those around it; one that is missing is named."""
    asked = parts(sdk, [])
    arguments = {"shop": "${shop}", "kind": "${kind}", "page": "${page?}"}
    describe(sdk, {"lines[].part": field(source=SOURCE | {"arguments": arguments})})
    await sdk.start()
    params = {"shop": "north", "kind": "any", "lines": [{}, {"kind": "bolt"}]}

    await choices(sdk, "lines[1].part", params=params)
    await choices(sdk, "lines[0].part", params=params)
    with pytest.raises(Rejected, match="depend on 'shop'") as missing:
        await choices(sdk, "lines[0].part", params={"kind": "any"})

    assert [{"shop": "north", "kind": "bolt"}, {"shop": "north", "kind": "any"}] == asked
    assert "invalid_argument" == missing.value.code


async def test_fixed_choices_need_no_request(sdk: Sdk) -> None:
    """Options of the description are choices too, and can be searched."""
    describe(sdk, {"size": field(options=["S", {"value": "M", "label": "Medium"}])})
    await sdk.start()

    assert [{"value": "M", "label": "Medium"}] == (await choices(sdk, "size", search="med"))["choices"]
    assert [] == sdk.service.calls


async def test_what_has_no_choices_says_so(sdk: Sdk) -> None:
    """An unknown field, one without choices, an app that fails, and one that answers no list."""
    outputs = iter([CallResult(network_code="500", output="No."), CallResult(network_code="200", output={"a": 1})])
    sdk.service.function("mail-list-parts")(lambda arguments: next(outputs))
    describe(sdk, {"note": field(), "part": field(source=SOURCE)})
    await sdk.start()

    for path, code in (
        ("nothing", "invalid_argument"),
        ("note", "invalid_argument"),
        ("part", "choices_failed"),
        ("part", "choices_failed"),
    ):
        with pytest.raises(Rejected) as rejected:
            await choices(sdk, path)
        assert code == rejected.value.code
    with pytest.raises(Rejected) as refused:
        await sdk.call("getChoices", functionName="mail-order", field="part")
    assert "account_required" == refused.value.code
