"""What connecting must refuse: other browsers, forged and repeated answers, ended sessions, foreign pages."""

import itertools
import re
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from service_server.connect.sessions import sessions as sessions_module
from tests.service_server.connected_world import Browser, World, provider_answer

pytestmark = pytest.mark.slow


async def started(world: World, browser: Browser) -> tuple[str, str]:
    """A session on its way to the provider: its id, and the address of the provider's page."""
    session = await world.connect.create(world.application, "ann", "sandbox")
    await browser.open(session.url)
    await browser.submit()
    return session.id, browser.leads_to()


async def status(world: World, session_id: str) -> str:
    """How the session stands."""
    return (await world.connect.state(world.application, "ann", session_id)).status


async def test_link_works_in_the_first_browser_only(world: World) -> None:
    """A second browser that opens the link is refused and told why; the first one can go on."""
    session = await world.connect.create(world.application, "ann", "sandbox")
    async with world.browser() as first, world.browser() as second:
        await first.open(session.url)
        refused = await second.open(session.url)
        assert refused.status_code == 403
        assert "belongs to another browser" in refused.text
        assert "<form" not in refused.text
        assert (await first.open(session.url)).status_code == 200


async def test_answer_in_another_browser_is_refused(world: World) -> None:
    """A callback link opened elsewhere binds nothing, and doesn't use the state up for the right browser."""
    async with world.browser() as first, world.browser() as second:
        session_id, authorize_url = await started(world, first)
        answer = provider_answer(world.sandbox, authorize_url)
        assert (await second.open(answer)).status_code == 403
        assert await status(world, session_id) == "pending"
        assert (await first.open(answer)).status_code == 200
        assert await status(world, session_id) == "connected"


async def test_browsers_without_cookies_are_told_so(world: World) -> None:
    """A browser that keeps no cookie gets no further, and learns why."""
    session = await world.connect.create(world.application, "ann", "sandbox")
    async with world.browser() as browser:
        await browser.open(session.url)
        browser.http.cookies.clear()
        page = await browser.submit()
    assert page.status_code == 403
    assert "sent no cookie" in page.text
    assert await status(world, session.id) == "pending"


async def test_unknown_state_is_refused(world: World) -> None:
    """An answer without a state of ours changes nothing."""
    async with world.browser() as browser:
        session_id, _ = await started(world, browser)
        for state in ("", "&state=", "&state=forged-state"):
            assert (await browser.open(f"/oauth/callback?code=some-code{state}")).status_code == 404
    assert await status(world, session_id) == "pending"


async def test_answer_is_taken_once(world: World) -> None:
    """Opening the callback again, after it worked, connects nothing more."""
    async with world.browser() as browser:
        session_id, authorize_url = await started(world, browser)
        answer = provider_answer(world.sandbox, authorize_url)
        await browser.open(answer)
        again = await browser.open(answer)
    assert again.status_code == 404
    assert await status(world, session_id) == "connected"
    assert len(await world.accounts.of_user(world.application.id, "ann")) == 1


async def test_older_state_dies_with_a_newer_one(world: World) -> None:
    """Going to the provider again replaces the state that was out before."""
    async with world.browser() as browser:
        session_id, first_url = await started(world, browser)
        await browser.open(f"/connect/{session_id}")
        await browser.submit()
        page = await browser.open(provider_answer(world.sandbox, first_url))
    assert page.status_code == 404
    assert await status(world, session_id) == "pending"


async def test_code_of_another_session_is_refused(world: World) -> None:
    """A code obtained in one session is worth nothing in another: PKCE binds it to its verifier."""
    async with world.browser() as attacker, world.browser() as victim:
        _, attacker_url = await started(world, attacker)
        session_id, victim_url = await started(world, victim)
        stolen = parse_qs(urlsplit(provider_answer(world.sandbox, attacker_url)).query)["code"][0]
        state = parse_qs(urlsplit(victim_url).query)["state"][0]
        page = await victim.open(str(httpx.URL("/oauth/callback", params={"code": stolen, "state": state})))
    assert "did not accept the sign-in" in page.text
    assert await status(world, session_id) == "pending"


@pytest.mark.parametrize("issuer", ["https://attacker.example", "not a url", "http://127.0.0.1"])
async def test_answer_of_another_issuer_ends_the_session(world: World, issuer: str) -> None:
    """An `iss` that isn't the provider's fails the session before the code is sent anywhere."""
    async with world.browser() as browser:
        session_id, authorize_url = await started(world, browser)
        answer = httpx.URL(provider_answer(world.sandbox, authorize_url))
        page = await browser.open(str(answer.copy_set_param("iss", issuer)))
    assert "did not come from" in page.text
    assert await status(world, session_id) == "failed"


@pytest.mark.parametrize(
    ("error", "expected"),
    [("access_denied", "cancelled"), ("server_error", "pending"), ("invalid_scope", "failed"), ("<b>", "failed")],
)
async def test_errors_of_the_provider(world: World, error: str, expected: str) -> None:
    """A no is a cancellation, a passing trouble can be tried again, a wrong registration fails; markup stays text."""
    async with world.browser() as browser:
        session_id, authorize_url = await started(world, browser)
        state = parse_qs(urlsplit(authorize_url).query)["state"][0]
        page = await browser.open(str(httpx.URL("/oauth/callback", params={"error": error, "state": state})))
    assert await status(world, session_id) == expected
    assert "<b>" not in page.text


@pytest.mark.parametrize("answer", ["code=a&code=b", "code=a&error=access_denied", "", "code="])
async def test_ambiguous_answers_are_refused(world: World, answer: str) -> None:
    """An answer with both or none of code and error, or one twice, is never guessed at."""
    async with world.browser() as browser:
        session_id, authorize_url = await started(world, browser)
        state = parse_qs(urlsplit(authorize_url).query)["state"][0]
        page = await browser.open(f"/oauth/callback?{answer}&state={state}")
    assert page.status_code == 400
    assert await status(world, session_id) == "pending"


async def test_forms_need_their_token(world: World) -> None:
    """A form that another site posts, even with the browser's cookie, does nothing."""
    session = await world.connect.create(world.application, "ann", "sandbox")
    async with world.browser() as browser:
        await browser.open(session.url)
        for path, token in itertools.product(("", "/cancel", "/closed"), ("", "0" * 64, "é")):
            form = {"token": token, "auth": "oauth", "page": browser.data("page")}
            answer = await browser.http.post(f"/connect/{session.id}{path}", data=form)
            assert answer.status_code == (204 if path == "/closed" else 403), (path, token)
            assert await status(world, session.id) == "pending"


async def test_expired_session(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A session past its time is `expired`, its page says so, and an answer that comes late connects nothing."""
    monkeypatch.setattr(sessions_module, "SESSION_SECONDS", 0.6)
    async with world.browser() as browser:
        session_id, authorize_url = await started(world, browser)
        answer = provider_answer(world.sandbox, authorize_url)
        assert (await world.connect.state(world.application, "ann", session_id, 25)).status == "expired"
        page = await browser.open(answer)
        assert page.status_code == 410
        assert "took too long" in page.text
    assert await world.accounts.of_user(world.application.id, "ann") == []


async def test_cancelled_by_the_host_page_while_at_the_provider(world: World) -> None:
    """After Cancel in the SDK the provider's answer connects nothing."""
    async with world.browser() as browser:
        session_id, authorize_url = await started(world, browser)
        answer = provider_answer(world.sandbox, authorize_url)
        await world.connect.cancel(world.application, "ann", session_id)
        page = await browser.open(answer)
        assert "is connected" not in page.text
    assert await status(world, session_id) == "cancelled"
    assert await world.accounts.of_user(world.application.id, "ann") == []


async def test_cancel_button(world: World) -> None:
    """Cancel on our page ends the session, and its page says that nothing was connected."""
    session = await world.connect.create(world.application, "ann", "sandbox")
    async with world.browser() as browser:
        await browser.open(session.url)
        page = await browser.submit("/cancel")
    assert "Nothing was connected" in page.text
    assert await status(world, session.id) == "cancelled"


async def test_closing_the_window_cancels(world: World) -> None:
    """The beacon of a closed page ends the session."""
    session = await world.connect.create(world.application, "ann", "sandbox")
    async with world.browser() as browser:
        await browser.open(session.url)
        beacon = {"page": browser.data("page"), "token": browser.hidden()["token"]}
        await browser.http.post(f"/connect/{session.id}/closed", data=beacon)
    assert (await world.connect.state(world.application, "ann", session.id, 25)).status == "cancelled"


async def test_reloading_is_not_closing(world: World) -> None:
    """The beacon of a page that another page of the session has followed does nothing."""
    session = await world.connect.create(world.application, "ann", "sandbox")
    async with world.browser() as browser:
        await browser.open(session.url)
        beacon = {"page": browser.data("page"), "token": browser.hidden()["token"]}
        await browser.http.post(f"/connect/{session.id}/closed", data=beacon)
        await browser.open(session.url)
        assert (await world.connect.state(world.application, "ann", session.id, 0.3)).status == "pending"
        await browser.http.post(f"/connect/{session.id}/closed", data=beacon)
        assert (await world.connect.state(world.application, "ann", session.id, 0.3)).status == "pending"


async def test_closing_after_a_setback_is_a_failure(world: World) -> None:
    """Who closes the window at an error message leaves a failed session that says what went wrong."""
    session = await world.connect.create(world.application, "ann", "sandbox")
    async with world.browser() as browser:
        await browser.type_key(session.url, "wrong")
        beacon = {"page": browser.data("page"), "token": browser.hidden()["token"]}
        await browser.http.post(f"/connect/{session.id}/closed", data=beacon)
    state = await world.connect.state(world.application, "ann", session.id, 25)
    assert state.status == "failed"
    assert "did not accept" in (state.error or "")


async def test_pages_defend_themselves(world: World) -> None:
    """Every page forbids framing, caching, referrers, and any script or style that is not a file of ours."""
    session = await world.connect.create(world.application, "ann", "sandbox")
    async with world.browser() as browser:
        pages = [await browser.open(session.url), await browser.submit(), await browser.open("/connect/unknown")]
    for page in pages:
        policy = page.headers["content-security-policy"]
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert "form-action 'self'" in policy
        assert page.headers["x-frame-options"] == "DENY"
        assert page.headers["referrer-policy"] == "no-referrer"
        assert page.headers["cache-control"] == "no-store"
        assert "cross-origin-opener-policy" not in page.headers
        assert not re.search(r"<script(?![^>]* src=)|<style| style=| on[a-z]+=", page.text)
    cookie = pages[0].headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=lax" in cookie.lower()


async def test_nothing_secret_is_kept_in_the_clear(world: World) -> None:
    """The database file holds no cookie, state, verifier, code, key or token that could be used."""
    secrets = []
    async with world.browser() as browser:
        _, authorize_url = await started(world, browser)
        answer = provider_answer(world.sandbox, authorize_url)
        await browser.open(answer)
        secrets += [
            value for values in parse_qs(urlsplit(answer).query).values() for value in values if len(value) > 30
        ]
        secrets += [browser.http.cookies["connect"], world.sandbox.client_secret]
    (account,) = await world.accounts.of_user(world.application.id, "ann")
    opened = await world.credentials.usable(account)
    secrets += [opened.context["token"]["access_token"], opened.context["token"]["refresh_token"]]
    async with world.browser() as browser:
        session = await world.connect.create(world.application, "ann", "sandbox")
        await browser.type_key(session.url, world.sandbox.api_keys["bob"])
        secrets.append(world.sandbox.api_keys["bob"])
    assert len(secrets) >= 6
    folder = world.database_folder
    kept = b"".join(path.read_bytes() for path in folder.glob("service.db*"))
    assert [secret for secret in secrets if secret.encode() in kept] == []
    assert not any(secret in repr(opened) + repr(account) for secret in secrets)
