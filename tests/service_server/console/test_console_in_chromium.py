"""The console's pages as people see them: readable by eye and ear, at home in any window, and what their scripts do."""

import asyncio
import json
import re
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from service_server.store import Sums
from service_server.store.call_ids import call_id
from tests.accessibility import assert_page_accessible
from tests.examples.processes import SandboxApp
from tests.service_server.connecting import connect_by_key
from tests.service_server.console.operator_browser import PASSWORD
from tests.service_server.console.test_console_calls import a_call, record
from tests.service_server.console.test_console_overview import count
from tests.service_server.databases import execute
from tests.service_server.processes import RunningService, command

pytestmark = pytest.mark.browser

USER = "seen"
CALL = a_call(
    user_id=USER,
    function_name="sandbox-create-ticket",
    function_type="mutation",
    arguments={"title": "Printer on fire", "project_id": "office"},
    duration_ms=420.0,
    app_ms=230.0,
    renewal_ms=120.0,
    waiting_ms=50.0,
)
PATHS = (
    *("", "?range=weeks", "/nothing", "/apps", "/apps/sandbox?application=1", "/playground", "/sessions", "/audit"),
    *("/applications", "/applications/1", "/applications/1/embedding", "/users", f"/users/1?user={USER}"),
    *(f"/calls?user={USER}&since=7d", f"/calls/{CALL.id}", "/calls/refused"),
    *("/prediction?app=sandbox&prompt=create+a+ticket+titled+Fire", "/prediction?prompt=the+ticket+was+deleted"),
)
HOOK = f"https://hooks.example.com/{'a-long-address/' * 8}?tenant=0123456789abcdef"
DELIVERIES = (("delivered", 1, "NULL"), ("failed", 29, "'It answered 500.'"), ("pending", 3, "'It answered 503.'"))
FIELDS = "(endpoint_id, account_id, event_id, event_type, body, state, attempts, due_at, status, problem, created_at)"


def apart(work: Coroutine[Any, Any, None]) -> None:
    """Run it in another thread, since Playwright has the loop of this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


@pytest.fixture
def page(chromium: Browser, console_service: RunningService) -> Iterator[Page]:
    """The overview, with an operator signed in; nothing may go wrong in the scripts of what is opened."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    page, troubles = context.new_page(), list[str]()
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda message: troubles.append(message.text) if is_trouble(message) else None)
    page.goto(f"{console_service.url}/console")
    page.get_by_label("Operator").fill("ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    yield page
    context.close()
    assert [] == troubles


def is_trouble(message: ConsoleMessage) -> bool:
    """An error, but for the browser's own word about a page that was answered with a status of refusal."""
    return message.type == "error" and not message.text.startswith("Failed to load resource")


def assert_fine(page: Page) -> None:
    """By axe's rules, in a wide, light and in a small, dark window, without scrolling sideways or squeezed boxes."""
    for each in page.locator("summary").all():
        each.evaluate("summary => { summary.parentElement.open = true }")
    page.mouse.move(0, 0)  # what was pressed may give way to another button, whose colours would just be changing
    for width, scheme in ((1280, "light"), (360, "dark")):
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), page.url
        boxes = page.locator("input:is([type=checkbox], [type=radio]):visible")
        assert [] == boxes.evaluate_all("all => all.filter((box) => box.offsetWidth !== box.offsetHeight)"), page.url
        assert_page_accessible(page)


@pytest.fixture
def endpoint(console_service: RunningService) -> Iterator[str]:
    """A webhook's endpoint that fails, with deliveries in every state; none of them is due."""
    folder = console_service.data_directory
    made = command(folder, "webhook", "create", HOOK, "--app-key", console_service.app_key, "--json")
    endpoint: str = json.loads(made)["id"]
    for number, (state, attempts, problem) in enumerate(DELIVERIES):
        row = f"'{endpoint}', {number}, 'evt_{number}', 'account.reconnect_required', '{{}}', '{state}', {attempts}"
        moments = f"9e9, {200 if state == 'delivered' else 'NULL'}, {problem}, 1.77e9"
        execute(folder, f"INSERT INTO webhook_deliveries {FIELDS} VALUES ({row}, {moments})")
    execute(folder, f"UPDATE webhook_endpoints SET failing_since = 1.77e9 WHERE id = '{endpoint}'")
    yield endpoint
    command(folder, "webhook", "remove", endpoint)


async def fill(service: RunningService) -> None:
    """Let it have been called for two days, and by the user who is seen."""
    for hour in range(48):
        calls = 40 + (hour * 37) % 90
        calendly = Sums(calls, hour % 9, hour % 4, calls * 80.0, calls * 2.5)
        sandbox = Sums(calls // 2, 0, 0, calls * (60.0 if hour < 24 else 9.0), calls * 1.0)
        await count(service, hour, "calendly", "calendly-list-events", calendly)
        await count(service, hour, "sandbox", "sandbox-list-tickets", sandbox)
    await count(service, 2, "sandbox", "sandbox-get-ticket", Sums(300, 200, 0, 9_000.0, 300.0))
    await record(service, CALL, *(a_call(user_id=USER, network_code=code) for code in ("200", "404", "503")))


def test_every_page_is_accessible_and_fits(
    page: Page, console_world: tuple[RunningService, SandboxApp], endpoint: str
) -> None:
    """With all that opens, and those that answer a form: what was wrong, secrets that are shown once."""
    service, sandbox = console_world
    apart(fill(service))
    connect_by_key(service, USER, sandbox.api_keys["alice"])
    refused = "state = 'reconnect_required', state_reason = 'The app refused to renew its access.'"
    execute(service.data_directory, f"UPDATE accounts SET {refused} WHERE user_id = '{USER}'")
    for path in (*PATHS, f"/webhooks/{endpoint}"):
        page.goto(f"{service.url}/console{path}")
        assert_fine(page)

    page.goto(f"{service.url}/console/calls/{CALL.id}")
    page.get_by_label("Yes, do it once more").check()
    page.get_by_role("button", name="Run it again").click()
    expect(page.get_by_role("alert")).to_contain_text("The call was refused, and nothing was sent")
    assert_fine(page)

    page.goto(f"{service.url}/console/operators")
    form = page.get_by_role("region", name="Add an operator")
    form.get_by_label("Name").fill("ada")
    form.get_by_label("Password").fill(PASSWORD)
    form.get_by_role("button").click()
    expect(page.get_by_role("alert")).to_have_text("There is an operator ada already.")
    key = page.get_by_role("region", name="Make a key")
    key.get_by_label("Name").fill("robot")
    key.get_by_role("button").click()
    expect(page.get_by_text("shown only this once")).to_be_visible()
    assert_fine(page)
    page.get_by_role("link", name="I have kept it").click()
    assert_fine(page)

    page.get_by_role("link", name="Webhooks").click()
    page.get_by_label("Application").select_option("Test host")
    page.get_by_label("URL").fill("http://plain.example.com")
    page.get_by_role("button", name="Create the endpoint").click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert_fine(page)


def test_what_was_done_is_heard(page: Page, console_service: RunningService) -> None:
    """Whoever has done something by the keyboard is where the page says what came of it; names are not cut off."""
    page.goto(f"{console_service.url}/console/applications")
    page.get_by_role("link", name="Test host").click()
    page.get_by_label("Add an origin").fill("https://heard.example.com")
    page.keyboard.press("Enter")
    notice = page.get_by_role("status")
    expect(notice).to_have_text("The origin was added.")
    expect(notice).to_be_focused()
    page.get_by_role("button", name="Remove https://heard.example.com").press("Enter")
    expect(notice).to_have_text("The origin was removed.")
    expect(notice).to_be_focused()

    page.goto(f"{console_service.url}/console/webhooks")
    page.get_by_label("Application").select_option("Test host")  # other tests have made some
    page.get_by_label("URL").fill("ftp://heard.example.com")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_focused()

    page.set_viewport_size({"width": 360, "height": 800})
    page.goto(f"{console_service.url}/console/applications")
    page.get_by_label("Name").fill("Donaudampfschifffahrtsgesellschaft" * 5)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="The application was created")).to_be_focused()
    page.get_by_role("link", name="I have kept it").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Donau")
    assert_fine(page)


def test_tables_are_printed_with_all_columns(page: Page, console_service: RunningService) -> None:
    """On a page of paper, without what can only be pressed."""
    apart(record(console_service, a_call(user_id=USER)))
    page.set_viewport_size({"width": 718, "height": 1000})  # A4 with the browser's margins
    page.emulate_media(media="print")
    page.goto(f"{console_service.url}/console/calls")

    expect(page.get_by_role("columnheader", name="Outcome")).to_be_visible()
    for shown in ("document.documentElement", "document.querySelector('.table')"):
        assert page.evaluate(f"{shown}.scrollWidth <= {shown}.clientWidth"), shown
    expect(page.get_by_role("button", name="Sign out")).to_be_hidden()
    link = page.locator("#rows a").first
    assert re.fullmatch(r"\S+ \S+, [\w-]+", link.get_attribute("aria-label") or "")


def test_the_list_follows_what_is_called(page: Page, console_service: RunningService) -> None:
    """New calls come in at their place, one that has ended says so, and the page stays where its reader is."""
    user, ids = "live", sorted(call_id() for _ in range(3))
    under_way = a_call(id=ids[0], user_id=user, outcome="started", network_code=None, duration_ms=None, output=None)
    apart(record(console_service, under_way, a_call(id=ids[1], user_id=user)))
    page.goto(f"{console_service.url}/console/calls?user={user}")
    rows = page.locator("#rows tr")
    expect(rows).to_have_count(2)
    page.get_by_role("button", name="Follow live").click()
    apart(record(console_service, a_call(id=ids[2], user_id=user), a_call(user_id="somebody else")))
    expect(page.locator("#told")).to_have_text("1 new call")
    assert [ids[2], ids[1], ids[0]] == rows.evaluate_all("rows => rows.map((row) => row.dataset.id)")
    statement = f"UPDATE calls SET outcome = 'finished', network_code = '200' WHERE id = '{ids[0]}'"
    execute(console_service.data_directory, statement)
    expect(rows.nth(2)).to_contain_text("Succeeded")
    assert_fine(page)
    page.context.clear_cookies()
    expect(page.locator("#told")).to_have_text("Stopped: sign in again, or reload the page.")
    expect(page.get_by_role("button", name="Follow live")).to_have_attribute("aria-pressed", "false")


def test_a_form_is_filled_in_and_sent(page: Page, console_world: tuple[RunningService, SandboxApp]) -> None:
    """The SDK's real form with the user's own choices, its result, and the call's entry in the log."""
    service, sandbox = console_world
    connect_by_key(service, "tester", sandbox.api_keys["alice"])
    page.get_by_role("link", name="Playground").click()
    page.get_by_label("Application").select_option("Test host")
    page.get_by_label("User").fill("tester")
    page.get_by_label("Function").fill("sandbox-list-tickets")
    page.get_by_role("button", name="Open the form").click()
    page.locator("#playground").get_by_role("button", name="List tickets").click(timeout=120_000)
    expect(page.locator("#said")).to_contain_text("The app answered 200.", timeout=120_000)
    expect(page.get_by_role("heading", name="What came of it")).to_be_focused()
    assert_fine(page)
    page.get_by_role("link", name="Its entry in the log").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("sandbox-list-tickets")


def test_a_form_whose_call_is_refused_says_so(page: Page, console_world: tuple[RunningService, SandboxApp]) -> None:
    """Why nothing was sent, and the button that helps; where no answer comes, that it may have been."""
    service, sandbox = console_world
    connect_by_key(service, "refused", sandbox.api_keys["alice"])
    page.goto(f"{service.url}/console/playground?application=1&user=refused&function=sandbox-list-tickets")
    send = page.locator("#playground").get_by_role("button", name="List tickets")
    expect(send).to_be_visible(timeout=120_000)
    execute(service.data_directory, "UPDATE accounts SET state = 'reconnect_required' WHERE user_id = 'refused'")
    send.click()

    expect(page.locator("#said")).to_contain_text("Nothing was sent: ", timeout=120_000)
    expect(page.locator("#said")).not_to_contain_text("answered")
    expect(page.locator("#output")).to_contain_text("reconnect_required")
    expect(page.get_by_role("button", name="Connect an account")).to_be_visible()

    page.get_by_role("button", name="Open the form again").click()
    expect(send).to_be_visible()
    page.context.route("**/functions/sandbox-list-tickets*", lambda route: route.abort())
    send.click()
    expect(page.locator("#said")).to_contain_text("so it may have been done")
