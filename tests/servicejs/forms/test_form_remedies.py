"""What a form offers where the service refuses its source functions, and says what helps."""

import asyncio
import re

import pytest

from examples.gallery.form_driver import ALICE, BOB, Answer, Driver, ticket_app
from examples.gallery.form_states import refused
from examples.gallery.functions import CREATE_TICKET
from servicejs.errors import SdkError

PROJECTS = "sandbox-list-projects"


def refusing(*refusals: Answer) -> Driver:
    """Make a form whose source functions are refused some times, and answered from then on."""
    left = list(refusals)
    return Driver(
        CREATE_TICKET,
        {"title": "Printer on fire"},
        lambda name, arguments: left.pop(0) if left else ticket_app(name, arguments),
    )


def buttons(driver: Driver) -> set[str]:
    """Return what is offered at the project, by the last words of the buttons' ids."""
    return set(re.findall(r'id="field-project_id-(connect|reconnect|account|retry)"', driver.screen.render()))


@pytest.mark.parametrize(
    ("code", "functions"), [("missing_scope", (PROJECTS,)), ("reconnect_required", ())], ids=lambda value: str(value)
)
async def test_a_source_that_needs_reconnecting_offers_it(code: str, functions: tuple[str, ...]) -> None:
    """In place of Retry there is Reconnect, for what the source function needs; after it everything loads again."""
    driver = await refusing(refused(code, "reconnect", "Reconnect the account.")).started()
    assert {"reconnect"} == buttons(driver)

    await driver.do("reconnect-source", "project_id")

    assert [(ALICE.id, functions, None)] == driver.connected
    assert set() == buttons(driver)
    assert "Apollo" in (await driver.choices("project_id")).values()


async def test_an_account_that_is_gone_can_be_connected_again() -> None:
    """Where there is no account any more another is connected in its place; nothing that was filled in is lost."""
    driver = await refusing(refused("not_connected", "connect", "Connect an account first.")).started()
    assert {"connect"} == buttons(driver)
    driver.accounts_now = (BOB,)

    await driver.do("connect-source", "project_id")
    await driver.set("project_id", "2")
    await driver.set("fields.customer", "Ada")
    await driver.do("submit", kind="submit")

    assert [(None, (), None)] == driver.connected
    assert (PROJECTS, {}, BOB.id) in driver.calls
    filled = {"title": "Printer on fire", "project_id": 2, "fields": {"customer": "Ada"}}
    assert [(filled, BOB.id)] == driver.finished


async def test_an_account_can_be_picked_among_those_there_are() -> None:
    """Where the account has to be another the picker appears with those there are now, and takes the focus."""
    driver = await refusing(refused("account_not_found", "pick_account", "It isn’t connected.")).started()
    assert {"account"} == buttons(driver)
    driver.accounts_now = (ALICE, BOB)

    await driver.do("ask-account", "project_id")

    picker = re.search(r'<select[^>]*id="account"[^>]*>.*?</select>', driver.screen.render(), re.DOTALL)
    assert "data-autofocus" in picker[0]
    assert [ALICE.display_name, BOB.display_name] == re.findall(r">([^<]+@[^<]+)</option>", picker[0])
    await driver.do("pick-account", value=str(BOB.id), kind="change")
    assert (PROJECTS, {}, BOB.id) in driver.calls
    assert "Apollo" in (await driver.choices("project_id")).values()


async def test_where_no_account_is_left_to_pick_one_is_connected() -> None:
    """A picker without accounts would help nobody: Connect takes the place of the button."""
    driver = await refusing(refused("account_required", "pick_account", "Say which account.")).started()
    driver.accounts_now = ()

    await driver.do("ask-account", "project_id")

    assert {"connect"} == buttons(driver)


async def test_connecting_that_comes_to_nothing_is_said() -> None:
    """Whoever calls it off is told so at the field, and can do it after all."""
    driver = await refusing(refused("missing_scope", "reconnect", "Reconnect the account.")).started()
    driver.refuses_to_connect = SdkError("cancelled", "Connecting Tickets was cancelled.")
    await driver.do("reconnect-source", "project_id")

    assert "Connecting Tickets was cancelled." in driver.screen.render()
    assert {"reconnect"} == buttons(driver)


async def test_trying_again_waits_as_long_as_is_asked() -> None:
    """The button says how long, does nothing before, and works once the time is over."""
    driver = await refusing(refused("rate_limited", "wait", "Too often.", 0.05)).started()
    assert "Try again in 1 second" in driver.screen.render()
    await driver.do("retry-source", "project_id")
    assert 1 == len(driver.calls)
    over = asyncio.Event()
    driver.on_refresh = over.set
    await over.wait()
    assert "Try again in" not in driver.screen.render()

    await driver.do("retry-source", "project_id")

    assert 2 == len(driver.calls)
    assert "Apollo" in (await driver.choices("project_id")).values()


@pytest.mark.parametrize("seconds", [None, 0.0, 86_400.0], ids=["unknown", "none", "a day"])
async def test_nobody_waits_for_what_is_not_worth_a_countdown(seconds: float | None) -> None:
    """Where the service says no time, or one that nobody sits through, Retry is simply there."""
    driver = await refusing(refused("app_unreachable", "wait", "Away.", seconds)).started()

    assert {"retry"} == buttons(driver)
    assert "aria-disabled" not in driver.screen.render()


async def test_a_form_that_the_page_drops_gives_up_and_keeps_what_is_filled_in() -> None:
    """Leaving cancels once, and what was filled in is there when the form is opened again."""
    kept: list[str | None] = []
    driver = await refusing().started()
    driver.screen._draft = type(driver.screen._draft)(None, kept.append)
    await driver.set("title", "Squeaky hinge")

    driver.screen.leave()
    driver.screen.leave()

    assert 1 == driver.cancelled
    assert "Squeaky hinge" in (kept[-1] or "")
