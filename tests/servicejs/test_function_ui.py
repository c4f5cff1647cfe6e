"""showFunctionUI: from the call to the filled-in arguments."""

import asyncio
from typing import Any

import pytest

from .conftest import Rejected, Sdk, settle


async def begin(sdk: Sdk, **arguments: Any) -> "asyncio.Task[dict[str, Any]]":
    """Show the form of the desk's function as far as it goes by itself."""
    await sdk.start()
    values = {"functionName": "desk-create-ticket", "params": {"title": "Hinge"}, "surface": "form"} | arguments
    showing = sdk.begin("showFunctionUI", **values)
    await settle()
    return showing


def told_of_forms(sdk: Sdk) -> list[tuple[str, dict[str, Any]]]:
    """Return the events of forms, with their payloads."""
    return [(event, payload) for _, event, payload in sdk.page.events if event.startswith("form-")]


async def test_what_was_filled_in_resolves(sdk: Sdk) -> None:
    """Submitting resolves to the arguments, closes the form, and calls nothing."""
    account = sdk.service.connect("desk", "Ann's desk")
    showing = await begin(sdk, connectedAccountId=account.id)
    assert 'value="Hinge"' in sdk.page.surfaces["form"]

    await sdk.act("form", "set", "title", value="Squeaky hinge", kind="input")
    await sdk.act("form", "submit", kind="submit")

    assert {"arguments": {"title": "Squeaky hinge"}, "connectedAccountId": str(account.id)} == await showing
    assert {} == sdk.page.surfaces
    assert [] == sdk.service.calls
    submitted = {"arguments": {"title": "Squeaky hinge"}, "connected_account_id": account.id}
    assert [
        ("form-opened", {"function": "desk-create-ticket"}),
        ("form-submitted", {"function": "desk-create-ticket"} | submitted),
    ] == told_of_forms(sdk)


@pytest.mark.parametrize(("action", "is_connected"), [("cancel", True), ("escape", True), ("cancel", False)])
async def test_cancelling_rejects(sdk: Sdk, action: str, is_connected: bool) -> None:
    """Cancel and Escape reject with `cancelled` and close the form, or the offer to connect."""
    if is_connected:
        sdk.service.connect("desk", "Ann's desk")
    showing = await begin(sdk)

    await sdk.act("form", action, kind="escape" if action == "escape" else "click")

    with pytest.raises(Rejected) as rejected:
        await showing
    assert ("cancelled", {}) == (rejected.value.code, sdk.page.surfaces)
    assert ["form-opened", "form-cancelled"] == [event for event, _payload in told_of_forms(sdk)]


async def test_connecting_comes_first(sdk: Sdk) -> None:
    """Without an account the form's place offers to connect; a cancelled attempt leads back, a good one to the form."""
    showing = await begin(sdk)
    assert "Connect Desk first" in sdk.page.surfaces["form"]

    await sdk.act("form", "connect", popup="one")
    await sdk.act("form", "cancel")
    assert "Connecting Desk was cancelled." in sdk.page.surfaces["form"]

    await sdk.act("form", "connect", popup="two")
    sdk.service.finish_connecting("session-2", "Ann's desk")
    async with asyncio.timeout(30):
        while 'value="Hinge"' not in sdk.page.surfaces["form"]:  # noqa: ASYNC110  it polls, too
            await asyncio.sleep(0.001)

    await sdk.act("form", "submit", kind="submit")
    assert {"title": "Hinge"} == (await showing)["arguments"]


async def test_a_renderer_of_no_parameter_is_refused(sdk: Sdk) -> None:
    """A misspelt path is told, not passed over."""
    sdk.service.connect("desk", "Ann's desk")
    showing = await begin(sdk, renderers=["title", "titel"])

    with pytest.raises(Rejected, match="desk-create-ticket has no parameter 'titel' to be drawn by a renderer") as no:
        await showing
    assert "invalid_argument" == no.value.code
