"""The connect page as its users fill it in: by mouse and keyboard, with mistakes, with script and without."""

import re

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from tests.service_server.connect.connect_pages import (
    ConnectPages,
    desk_page,
    fill_desk,
    key_field,
    press,
    shows,
    type_key,
)

pytestmark = pytest.mark.browser


def test_a_way_is_chosen_by_its_card(connect_pages: ConnectPages, page: Page) -> None:
    """It shows what it asks for and no more, keeps what both ask for, and sends nothing typed in for another way."""
    desk_page(connect_pages, page)
    expect(page.get_by_role("radio", name="Sign in with Desk")).to_be_checked()
    expect(page.get_by_role("textbox")).to_have_count(1)
    expect(page.get_by_role("button", name="Sign in with Desk")).to_be_visible()
    expect(page.get_by_role("link", name="Where do I find this?")).to_be_hidden()

    page.get_by_text("You enter your Email address and API key here.").click(force=True)
    fill_desk(page, team="acme", email="ann@example.com")
    key_field(page).fill("typed-in-for-another-way")
    page.get_by_role("radio", name="Device key").check()

    expect(page.get_by_role("textbox", name="Team")).to_have_value("acme")
    expect(page.get_by_role("textbox", name="Email address")).to_have_value("ann@example.com")
    expect(page.get_by_role("textbox", name="Key of the device")).to_have_value("")
    expect(key_field(page)).to_be_hidden()
    help_link = page.get_by_role("link", name="Where do I find this?")
    expect(help_link).to_have_attribute("href", "https://docs.desk.example/api-keys")
    fill_desk(page, serial="123456", api_key=connect_pages.sandbox.api_keys["alice"])
    posts: list[Request] = []
    page.on("request", lambda request: posts.append(request) if request.method == "POST" else None)
    press(page, "Connect")

    shows(page, "Desk is connected")
    sent = posts[0].post_data or ""
    assert "field.api_key.device=" in sent
    assert "typed-in-for-another-way" not in sent


def test_wrong_fields_are_said_before_anything_is_sent(connect_pages: ConnectPages, page: Page) -> None:
    """Each wrong field says what to do, the first has the focus, secrets stay, and putting it right takes it away."""
    desk_page(connect_pages, page, "Device key")
    page.reload()  # which keeps the choice
    expect(page.get_by_role("radio", name="Device key")).to_be_checked()
    expect(page.get_by_role("textbox", name="Team")).to_be_focused()
    fill_desk(page, team="acme", serial="12", api_key="typed-in")
    press(page, "Connect")

    email, serial = page.get_by_role("textbox", name="Email address"), page.get_by_role("textbox", name="Serial number")
    expect(email).to_be_focused()
    expect(email).to_have_accessible_description("For example: ann@example.com Enter Email address.")
    expect(serial).to_have_accessible_description(re.compile("Serial number should look like 123456"))
    expect(page.get_by_role("textbox", name="Team")).not_to_have_attribute("aria-invalid", "true")
    expect(page.get_by_role("textbox", name="Key of the device")).to_have_value("typed-in")
    serial.fill("123456")
    expect(serial).not_to_have_attribute("aria-invalid", "true")
    expect(page.get_by_text("should look like 123456")).to_have_count(0)


def test_the_whole_way_by_keyboard(connect_pages: ConnectPages, page: Page) -> None:
    """Tab goes through the page in the order it reads; arrows choose a way, Enter sends from any field."""
    desk_page(connect_pages, page)
    keys = page.keyboard
    names = []
    for _ in range(6):
        keys.press("Tab")
        name: str = page.evaluate("document.activeElement.id || document.activeElement.innerText")
        names.append(" ".join(name.split()))
    folded = ["and 4 more – Read", "Permissions that Desk will be asked for"]
    assert [*folded, "way-1", "variable.team", "Sign in with Desk", "Cancel"] == names
    page.get_by_role("radio", name="Sign in with Desk").focus()
    keys.press("ArrowDown")
    expect(page.get_by_role("radio", name="API key")).to_be_checked()
    for typed in ("acme", "ann@example.com", "wrong"):
        keys.press("Tab")
        keys.type(typed)
    keys.press("Enter")
    expect(page.get_by_role("alert")).to_be_focused()
    key_field(page).focus()
    keys.type(connect_pages.sandbox.api_keys["alice"])
    keys.press("Enter")
    expect(page.get_by_role("heading", name="Desk is connected")).to_be_focused()


def test_a_secret_can_be_looked_at(connect_pages: ConnectPages, page: Page) -> None:
    """Show and Hide change how a secret looks, of one line and of several, which is taken as it is."""
    desk_page(connect_pages, page, "Certificate")
    key = page.get_by_role("textbox", name="Certificate key")
    key.fill(connect_pages.sandbox.api_keys["alice"])
    expect(key).to_have_attribute("type", "password")
    press(page, "Show Certificate key")
    expect(key).to_have_attribute("type", "text")
    press(page, "Hide Certificate key")
    expect(key).to_have_attribute("type", "password")

    text = page.get_by_role("textbox", name="Certificate", exact=True)
    text.fill("-----BEGIN-----\nabc\n-----END-----\n")
    masked = "element => getComputedStyle(element).webkitTextSecurity"
    assert "disc" == text.evaluate(masked)
    page.get_by_role("button", name="Show Certificate", exact=True).click()
    assert "none" == text.evaluate(masked)
    fill_desk(page, team="acme")
    press(page, "Connect")
    shows(page, "Desk is connected")


def test_fields_help_those_who_type(connect_pages: ConnectPages, page: Page) -> None:
    """No browser fills in, corrects or capitalises a credential; a phone offers the keyboard that fits."""
    desk_page(connect_pages, page, "Device key")
    keyboards = {"Team": "text", "Email address": "email", "Serial number": "numeric", "Key of the device": "text"}
    fixed = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
    for name, keyboard in keyboards.items():
        for attribute, value in {"inputmode": keyboard, **fixed}.items():
            expect(page.get_by_role("textbox", name=name)).to_have_attribute(attribute, value)


def test_a_slow_app_is_waited_for_once(connect_pages: ConnectPages, page: Page) -> None:
    """The button says what is going on and can't be pressed twice; after a while the page says that it takes longer."""
    page.clock.install()
    page.goto(f"{connect_pages.session()['url']}?auth=key")
    posts: list[str] = []
    page.on("request", lambda request: posts.append(request.url) if request.method == "POST" else None)
    page.route("**/connect/*", lambda route: route.fulfill(status=204))  # an answer that leaves the page as it is
    type_key(page, "key")
    page.clock.run_for(100)

    expect(page.get_by_role("button", name="Checking with Tickets sandbox…")).to_be_disabled()
    expect(page.get_by_role("status")).to_have_text("Checking with Tickets sandbox…")
    key_field(page).press("Enter")
    page.clock.run_for(9_000)
    expect(page.get_by_role("status")).to_contain_text("is taking longer than usual")
    assert 1 == len(posts)
    page.clock.run_for(60_000)
    expect(page.get_by_role("button", name="Connect")).to_be_enabled()


def test_less_motion_is_respected(connect_pages: ConnectPages, page: Page) -> None:
    """Who asks the system for less motion sees nothing turn."""
    desk_page(connect_pages, page)
    page.evaluate("document.forms[0].setAttribute('aria-busy', 'true')")
    turning = "getComputedStyle(document.querySelector('button.primary'), '::before').animationName"
    assert "turn" == page.evaluate(turning)
    page.emulate_media(reduced_motion="reduce")
    assert "none" == page.evaluate(turning)


def test_without_script(connect_pages: ConnectPages, chromium: Browser) -> None:
    """Choosing a way, mistakes and their explanation, and connecting all work in a browser that runs no script."""
    context = chromium.new_context(java_script_enabled=False)
    context.set_default_timeout(30_000)
    page = context.new_page()
    desk_page(connect_pages, page, "Device key")
    expect(page.get_by_role("button", name="Show")).to_have_count(0)
    fill_desk(page, team="acme", email="ann@example.com", serial="12")
    press(page, "Connect")

    expect(page.get_by_role("radio", name="Device key")).to_be_checked()
    expect(page.get_by_role("textbox", name="Serial number")).to_be_focused()
    expect(page.get_by_role("link", name="Enter Key of the device.")).to_be_visible()
    expect(page.get_by_role("textbox", name="Email address")).to_have_value("ann@example.com")
    fill_desk(page, serial="123456", api_key=connect_pages.sandbox.api_keys["alice"])
    press(page, "Connect")
    shows(page, "Desk is connected")
    context.close()


def test_reconnecting_begins_with_what_is_known(connect_pages: ConnectPages, page: Page) -> None:
    """The way to sign in is chosen, and what is no secret is filled in."""
    key = connect_pages.sandbox.api_keys["alice"]
    desk_page(connect_pages, page, "API key")
    fill_desk(page, team="acme", email="ann@example.com")
    type_key(page, key)
    shows(page, "Desk is connected")
    (before,) = connect_pages.accounts("desk")

    page.goto(connect_pages.session("desk", connected_account_id=before["id"])["url"])
    shows(page, "Reconnect Desk")
    expect(page.get_by_role("radio", name="API key")).to_be_checked()
    expect(page.get_by_role("textbox", name="Team")).to_have_value("acme")
    expect(key_field(page)).to_have_value("")
    fill_desk(page, email="ann@example.com")
    type_key(page, key, "Reconnect")
    shows(page, "Desk is connected again")
    assert [before["id"]] == [account["id"] for account in connect_pages.accounts("desk")]
