"""The connect page as its users fill it in: by mouse and keyboard, with mistakes, with script and without."""

import re

import pytest
from playwright.sync_api import Browser, BrowserContext, Request, expect

from tests.service_server.connect.connect_pages import ConnectPages, desk_page, fill_desk, key_field

pytestmark = pytest.mark.browser


def test_a_way_is_chosen_by_its_card(connect_pages: ConnectPages, profile: BrowserContext) -> None:
    """Choosing shows what that way asks for and no more, and keeps what both ask for; a reload keeps the choice."""
    page = profile.new_page()
    desk_page(connect_pages, page)
    expect(page.get_by_role("radio", name="Sign in with Desk")).to_be_checked()
    expect(page.get_by_role("textbox")).to_have_count(1)
    expect(page.get_by_role("button", name="Sign in with Desk")).to_be_visible()
    expect(page.get_by_role("link", name="Where do I find this?")).to_be_hidden()

    page.get_by_text("You enter your Email address and API key here.").click(force=True)
    fill_desk(page, team="acme", email="ann@example.com")
    key_field(page).fill("key-of-the-account")
    page.get_by_role("radio", name="Device key").check()

    expect(page.get_by_role("textbox", name="Team")).to_have_value("acme")
    expect(page.get_by_role("textbox", name="Email address")).to_have_value("ann@example.com")
    expect(page.get_by_role("textbox", name="Key of the device")).to_have_value("")
    expect(key_field(page)).to_be_hidden()
    expect(page.get_by_role("button", name="Connect", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Where do I find this?")).to_have_attribute(
        "href", "https://docs.desk.example/api-keys"
    )
    page.reload()
    expect(page.get_by_role("radio", name="Device key")).to_be_checked()
    expect(page.get_by_role("textbox", name="Team")).to_be_focused()


def test_only_what_the_way_asks_for_is_sent(connect_pages: ConnectPages, profile: BrowserContext) -> None:
    """What was typed in for one way never leaves the browser when another one is used."""
    page = profile.new_page()
    desk_page(connect_pages, page, "API key")
    fill_desk(page, team="acme", email="ann@example.com")
    key_field(page).fill("typed-in-for-another-way")
    page.get_by_role("radio", name="Device key").check()
    fill_desk(page, serial="123456", api_key=connect_pages.sandbox.api_keys["alice"])
    posts: list[Request] = []
    page.on("request", lambda request: posts.append(request) if request.method == "POST" else None)
    page.get_by_role("button", name="Connect").click()

    expect(page.get_by_role("heading", name="Desk is connected")).to_be_visible()
    sent = posts[0].post_data or ""
    assert "field.api_key.device=" in sent
    assert "typed-in-for-another-way" not in sent


def test_wrong_fields_are_said_before_anything_is_sent(connect_pages: ConnectPages, profile: BrowserContext) -> None:
    """Each wrong field says what to do, the first has the focus, secrets stay, and putting it right takes it away."""
    page = profile.new_page()
    desk_page(connect_pages, page, "Device key")
    fill_desk(page, team="acme", serial="12", api_key="typed-in")
    page.get_by_role("button", name="Connect").click()

    email, serial = page.get_by_role("textbox", name="Email address"), page.get_by_role("textbox", name="Serial number")
    expect(email).to_be_focused()
    expect(email).to_have_accessible_description("For example: ann@example.com Enter Email address.")
    expect(serial).to_have_accessible_description(re.compile("Serial number should look like 123456"))
    expect(page.get_by_role("textbox", name="Team")).not_to_have_attribute("aria-invalid", "true")
    expect(page.get_by_role("textbox", name="Key of the device")).to_have_value("typed-in")
    serial.fill("123456")
    expect(serial).not_to_have_attribute("aria-invalid", "true")
    expect(page.get_by_text("should look like 123456")).to_have_count(0)


def test_the_whole_way_by_keyboard(connect_pages: ConnectPages, profile: BrowserContext) -> None:
    """Tab goes through the page in the order it reads; arrows choose a way, Enter sends from any field."""
    page = profile.new_page()
    desk_page(connect_pages, page)
    keys = page.keyboard
    names = []
    for _ in range(6):
        keys.press("Tab")
        name: str = page.evaluate("document.activeElement.id || document.activeElement.innerText")
        names.append(" ".join(name.split()))
    assert [
        "and 4 more – Read",
        "Permissions that Desk will be asked for",
        "way-1",
        "variable.team",
        "Sign in with Desk",
        "Cancel",
    ] == names
    page.get_by_role("radio", name="Sign in with Desk").focus()
    keys.press("ArrowDown")
    expect(page.get_by_role("radio", name="API key")).to_be_checked()
    keys.press("Tab")
    keys.type("acme")
    keys.press("Tab")
    keys.type("ann@example.com")
    keys.press("Tab")
    keys.type("wrong")
    keys.press("Enter")
    expect(page.get_by_role("alert")).to_be_focused()
    key_field(page).focus()
    keys.type(connect_pages.sandbox.api_keys["alice"])
    keys.press("Enter")
    expect(page.get_by_role("heading", name="Desk is connected")).to_be_focused()


def test_a_secret_can_be_looked_at(connect_pages: ConnectPages, profile: BrowserContext) -> None:
    """Show and Hide change how a secret looks, of one line and of several, and nothing else about it."""
    page = profile.new_page()
    desk_page(connect_pages, page, "Certificate")
    key = page.get_by_role("textbox", name="Certificate key")
    key.fill("secret")
    expect(key).to_have_attribute("type", "password")
    page.get_by_role("button", name="Show Certificate key").click()
    expect(key).to_have_attribute("type", "text")
    expect(key).to_have_value("secret")
    page.get_by_role("button", name="Hide Certificate key").click()
    expect(key).to_have_attribute("type", "password")

    text = page.get_by_role("textbox", name="Certificate", exact=True)
    masked = "element => getComputedStyle(element).webkitTextSecurity"
    assert "disc" == text.evaluate(masked)
    page.get_by_role("button", name="Show Certificate", exact=True).click()
    assert "none" == text.evaluate(masked)


def test_a_secret_of_several_lines(connect_pages: ConnectPages, profile: BrowserContext) -> None:
    """What has several lines is taken as it is, and connects."""
    page = profile.new_page()
    desk_page(connect_pages, page, "Certificate")
    fill_desk(page, team="acme")
    page.get_by_role("textbox", name="Certificate", exact=True).fill("-----BEGIN-----\nabc\n-----END-----\n")
    page.get_by_role("textbox", name="Certificate key").fill(connect_pages.sandbox.api_keys["alice"])
    page.get_by_role("button", name="Connect").click()
    expect(page.get_by_role("heading", name="Desk is connected")).to_be_visible()


def test_fields_help_those_who_type(connect_pages: ConnectPages, profile: BrowserContext) -> None:
    """No browser fills in, corrects or capitalises a credential; a phone offers the keyboard that fits."""
    page = profile.new_page()
    desk_page(connect_pages, page, "Device key")
    keyboards = {"Team": "text", "Email address": "email", "Serial number": "numeric", "Key of the device": "text"}
    for name, keyboard in keyboards.items():
        field = page.get_by_role("textbox", name=name)
        expect(field).to_have_attribute("inputmode", keyboard)
        for attribute, value in {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}.items():
            expect(field).to_have_attribute(attribute, value)


def test_a_slow_app_is_waited_for_once(connect_pages: ConnectPages, profile: BrowserContext) -> None:
    """The button says what is going on and can't be pressed twice; after a while the page says that it takes longer."""
    page = profile.new_page()
    page.clock.install()
    page.goto(f"{connect_pages.session()['url']}?auth=key")
    key_field(page).fill(connect_pages.sandbox.api_keys["alice"])
    posts: list[str] = []
    page.on("request", lambda request: posts.append(request.url) if request.method == "POST" else None)
    page.route("**/connect/*", lambda route: route.fulfill(status=204))  # an answer that leaves the page as it is
    page.get_by_role("button", name="Connect").click()
    page.clock.run_for(100)

    working = page.get_by_role("button", name="Checking with Tickets sandbox…")
    expect(working).to_be_disabled()
    expect(page.get_by_role("status")).to_have_text("Checking with Tickets sandbox…")
    key_field(page).press("Enter")
    page.clock.run_for(9_000)
    expect(page.get_by_role("status")).to_contain_text("is taking longer than usual")
    assert 1 == len(posts)
    page.clock.run_for(60_000)
    expect(page.get_by_role("button", name="Connect")).to_be_enabled()


def test_less_motion_is_respected(connect_pages: ConnectPages, profile: BrowserContext) -> None:
    """Who asks the system for less motion sees nothing turn."""
    page = profile.new_page()
    desk_page(connect_pages, page)
    shown = {}
    for motion in ("no-preference", "reduce"):
        page.emulate_media(reduced_motion="reduce" if motion == "reduce" else "no-preference")
        shown[motion] = page.evaluate("""() => {
          document.forms[0].setAttribute("aria-busy", "true");
          return getComputedStyle(document.querySelector("button.primary"), "::before").animationName;
        }""")
    assert {"no-preference": "turn", "reduce": "none"} == shown


def test_without_script(connect_pages: ConnectPages, chromium: Browser) -> None:
    """Choosing a way, mistakes and their explanation, and connecting all work in a browser that runs no script."""
    context = chromium.new_context(java_script_enabled=False)
    context.set_default_timeout(30_000)
    page = context.new_page()
    desk_page(connect_pages, page, "Device key")
    expect(page.get_by_role("button", name="Show")).to_have_count(0)
    fill_desk(page, team="acme", email="ann@example.com", serial="12")
    page.get_by_role("button", name="Connect").click()

    expect(page.get_by_role("radio", name="Device key")).to_be_checked()
    expect(page.get_by_role("textbox", name="Serial number")).to_be_focused()
    expect(page.get_by_role("link", name="Enter Key of the device.")).to_be_visible()
    expect(page.get_by_role("textbox", name="Email address")).to_have_value("ann@example.com")
    fill_desk(page, serial="123456", api_key=connect_pages.sandbox.api_keys["alice"])
    page.get_by_role("button", name="Connect").click()
    expect(page.get_by_role("heading", name="Desk is connected")).to_be_visible()
    context.close()


def test_reconnecting_as_someone_else_is_refused(connect_pages: ConnectPages, profile: BrowserContext) -> None:
    """Both names are said; what is known of the account is filled in; signing in as the right one then works."""
    page = profile.new_page()
    desk_page(connect_pages, page, "API key")
    fill_desk(page, team="acme", email="ann@example.com")
    key_field(page).fill(connect_pages.sandbox.api_keys["alice"])
    page.get_by_role("button", name="Connect").click()
    expect(page.get_by_role("heading", name="Desk is connected")).to_be_visible()
    (before,) = connect_pages.accounts("desk")

    page.goto(connect_pages.session("desk", connected_account_id=before["id"])["url"])
    expect(page.get_by_role("heading", name="Reconnect Desk")).to_be_visible()
    expect(page.get_by_role("radio", name="API key")).to_be_checked()
    expect(page.get_by_role("textbox", name="Team")).to_have_value("acme")
    expect(key_field(page)).to_have_value("")
    fill_desk(page, email="bob@example.com")
    key_field(page).fill(connect_pages.sandbox.api_keys["bob"])
    page.get_by_role("button", name="Reconnect").click()
    expect(page.get_by_role("alert")).to_contain_text("You signed in as “Bob Berger (Globex)”")
    expect(page.get_by_role("alert")).to_contain_text("sign in as “Alice Andersson (Acme)”")
    key_field(page).fill(connect_pages.sandbox.api_keys["alice"])
    page.get_by_role("button", name="Reconnect").click()
    expect(page.get_by_role("heading", name="Desk is connected again")).to_be_visible()
    assert [before["id"]] == [account["id"] for account in connect_pages.accounts("desk")]
