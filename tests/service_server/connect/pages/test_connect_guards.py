"""What connecting must refuse: other browsers, forged and repeated answers, ended sessions, foreign pages."""

import asyncio
import hashlib
import itertools
import re
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest

from tests.service_server.connect.anns_sessions import accounts, allow, cancel, leave, opened, state, status
from tests.service_server.connected_world import Browser, World, provider_answer
from tests.service_server.databases import execute

pytestmark = pytest.mark.slow


async def test_answer_in_another_browser_is_refused(world: World, visitor: Browser) -> None:
    """As is the link itself; opened elsewhere they bind nothing, and don't use the state up for the right browser."""
    session_id, answer = await allow(world, visitor)
    async with world.browser() as other:
        for address in (f"/connect/{session_id}", answer):
            page = await other.open(address)
            assert 403 == page.status_code
            assert "belongs to another browser" in page.text
    assert "pending" == await status(world, session_id)
    assert 200 == (await visitor.open(answer)).status_code
    assert "connected" == await status(world, session_id)


async def test_browsers_without_cookies_are_told_so(world: World, visitor: Browser) -> None:
    """A browser that keeps no cookie gets no further, and learns why."""
    session = await opened(world)
    await visitor.open(session.url)
    visitor.http.cookies.clear()
    page = await visitor.submit()
    assert 403 == page.status_code
    assert "sent no cookie" in page.text
    assert "pending" == await status(world, session.id)


async def test_unknown_state_is_refused(world: World, visitor: Browser) -> None:
    """An answer without a state of ours, or with an older one, changes nothing."""
    session_id, older = await leave(world, visitor)
    for given in ("", "&state=", "&state=forged-state"):
        assert 404 == (await visitor.open(f"/oauth/callback?code=some-code{given}")).status_code
    await visitor.open(f"/connect/{session_id}")
    await visitor.submit()
    newer = visitor.leads_to()
    assert 404 == (await visitor.open(provider_answer(world.sandbox, older))).status_code
    assert "pending" == await status(world, session_id)
    assert 200 == (await visitor.open(provider_answer(world.sandbox, newer))).status_code
    assert "connected" == await status(world, session_id)


async def test_an_answer_that_comes_twice_is_told_what_the_first_one_came_to(world: World, visitor: Browser) -> None:
    """After a reload, in its own browser only; nothing is exchanged or connected again."""
    session_id, answer = await allow(world, visitor)
    first, again = await visitor.open(answer), await visitor.open(answer)
    async with world.browser() as other:
        foreign = await other.open(answer)

    assert [200, 200] == [first.status_code, again.status_code]
    assert ["Tickets sandbox is connected" in each.text for each in (first, again, foreign)] == [True, True, False]
    assert (403, False) == (foreign.status_code, "alice" in foreign.text)
    assert "connected" == await status(world, session_id)
    assert 1 == len(await accounts(world))


async def test_a_refused_answer_that_comes_twice_is_told_why_again(world: World, visitor: Browser) -> None:
    """With the way to try again, as long as nobody has; and the answer to a newer attempt starts afresh."""
    session_id, address = await leave(world, visitor)
    (given,) = parse_qs(urlsplit(address).query)["state"]
    answer = f"/oauth/callback?code=unknown&state={given}"
    first, again = await visitor.open(answer), await visitor.open(answer)
    assert [400, 400] == [first.status_code, again.status_code]
    assert [True, True] == ["did not accept the sign-in" in each.text for each in (first, again)]
    await visitor.open(f"/connect/{session_id}")
    await visitor.submit()
    newer = provider_answer(world.sandbox, visitor.leads_to())
    assert 404 == (await visitor.open(answer)).status_code
    assert 200 == (await visitor.open(newer)).status_code
    assert "connected" == await status(world, session_id)


async def test_what_marks_a_taken_answer_is_no_state(world: World, visitor: Browser) -> None:
    """Nothing that a page could make of an old one is taken as a new one."""
    session_id, address = await leave(world, visitor)
    (given,) = parse_qs(urlsplit(address).query)["state"]
    await visitor.open(f"/oauth/callback?code=unknown&state={given}")
    digest = hashlib.sha256(given.encode()).hexdigest()
    for other in (f"taken {given}", digest, f"-{digest[1:]}"):
        page = await visitor.open("/oauth/callback?" + urlencode({"code": "unknown", "state": other}))
        assert 404 == page.status_code
    assert "pending" == await status(world, session_id)


async def test_answers_that_come_at_once_connect_one_account(world: World, visitor: Browser) -> None:
    """A browser that fetches ahead is not told, of two, that its link were not valid."""
    session_id, answer = await allow(world, visitor)
    at_once = await asyncio.gather(*(visitor.http.get(answer) for _ in range(3)))

    assert {200, 303} >= {each.status_code for each in at_once}
    assert "connected" == await status(world, session_id)
    assert 1 == len(await accounts(world))
    assert "Tickets sandbox is connected" in (await visitor.open(f"/connect/{session_id}")).text


async def test_code_of_another_session_is_refused(world: World, visitor: Browser) -> None:
    """A code obtained in one session is worth nothing in another: PKCE binds it to its verifier."""
    async with world.browser() as attacker:
        _, answer = await allow(world, attacker)
    session_id, address = await leave(world, visitor)
    parameters = {"code": parse_qs(urlsplit(answer).query)["code"], "state": parse_qs(urlsplit(address).query)["state"]}
    page = await visitor.open(str(httpx.URL("/oauth/callback", params=parameters)))
    assert "did not accept the sign-in" in page.text
    assert "pending" == await status(world, session_id)


async def test_answer_of_another_issuer_ends_the_session(world: World, visitor: Browser) -> None:
    """An `iss` that isn't the provider's fails the session before the code is sent anywhere."""
    session_id, answer = await allow(world, visitor)
    page = await visitor.open(str(httpx.URL(answer).copy_set_param("iss", "https://attacker.example")))
    assert "did not come from" in page.text
    assert "failed" == await status(world, session_id)


async def test_ambiguous_answers_are_refused(world: World, visitor: Browser) -> None:
    """An answer with both or none of code and error, or one twice, is never guessed at."""
    for answer in ("code=a&code=b", "code=a&error=access_denied", "", "code="):
        session_id, address = await leave(world, visitor)
        (given,) = parse_qs(urlsplit(address).query)["state"]
        page = await visitor.open(f"/oauth/callback?{answer}&state={given}")
        assert (400, "pending") == (page.status_code, await status(world, session_id)), answer


async def test_a_form_that_cannot_be_read_gets_a_page(world: World, visitor: Browser) -> None:
    """People read the answer, in whichever encoding something else has written the form."""
    session = await opened(world)
    await visitor.open(session.url)
    answer = await visitor.http.post(f"/connect/{session.id}", content=b"token=\xff")

    assert (403, "text/html; charset=utf-8") == (answer.status_code, answer.headers["content-type"])
    assert "This page is out of date" in answer.text
    assert "pending" == await status(world, session.id)


async def test_forms_need_their_token(world: World, visitor: Browser) -> None:
    """A form that another site posts, even with the browser's cookie, does nothing."""
    session = await opened(world)
    await visitor.open(session.url)
    for path, token in itertools.product(("", "/cancel", "/closed"), ("", "0" * 64, "é")):
        form = {"token": token, "auth": "oauth", "page": visitor.data("page")}
        answer = await visitor.http.post(f"/connect/{session.id}{path}", data=form)
        assert (204 if path == "/closed" else 403) == answer.status_code, (path, token)
        assert "pending" == await status(world, session.id)


@pytest.mark.parametrize(("over", "code"), [("cancelled", 200), ("expired", 410)])
async def test_an_answer_that_comes_late_connects_nothing(world: World, visitor: Browser, over: str, code: int) -> None:
    """After Cancel in the SDK, and once the time is over."""
    session_id, answer = await allow(world, visitor)
    if over == "cancelled":
        await cancel(world, session_id)
    else:
        execute(world.database_folder, "UPDATE connect_sessions SET expires_at = 0")
    page = await visitor.open(answer)
    assert code == page.status_code
    assert "is connected" not in page.text
    assert over == await status(world, session_id)
    assert [] == await accounts(world)


async def test_reloading_is_not_closing(world: World, visitor: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """The beacon of a page that another page of the session has followed does nothing; that of the last one ends it."""
    monkeypatch.setattr(world.app.state.connect_steps._closings, "_grace_seconds", 1.0)
    session = await opened(world)
    beacons = []
    for _ in range(2):
        await visitor.open(session.url)
        beacons.append({"page": visitor.data("page"), "token": visitor.hidden()["token"]})
        await visitor.http.post(f"/connect/{session.id}/closed", data=beacons[0])
    assert "pending" == (await state(world, session.id, 1.3)).status
    await visitor.http.post(f"/connect/{session.id}/closed", data=beacons[1])
    assert "cancelled" == (await state(world, session.id, 25)).status


async def test_closing_after_a_setback_is_a_failure(world: World, visitor: Browser) -> None:
    """Who closes the window at an error message leaves a failed session that says what went wrong."""
    session = await opened(world)
    await visitor.type_key(session.url, "wrong")
    beacon = {"page": visitor.data("page"), "token": visitor.hidden()["token"]}
    await visitor.http.post(f"/connect/{session.id}/closed", data=beacon)
    ended = await state(world, session.id, 25)
    assert "failed" == ended.status
    assert "did not accept" in (ended.error or "")


async def test_pages_defend_themselves(world: World, visitor: Browser) -> None:
    """Every page forbids framing, caching, referrers, and any script or style that is not a file of ours."""
    session = await opened(world)
    pages = [await visitor.open(session.url), await visitor.submit(), await visitor.open("/connect/unknown")]
    for page in pages:
        policy = page.headers["content-security-policy"]
        for directive in ("frame-ancestors 'none'", "default-src 'none'", "form-action 'self'"):
            assert directive in policy
        assert "unsafe" not in policy
        assert "DENY" == page.headers["x-frame-options"]
        assert "nosniff" == page.headers["x-content-type-options"]
        assert "no-referrer" == page.headers["referrer-policy"]
        assert "no-store" == page.headers["cache-control"]
        assert "cross-origin-opener-policy" not in page.headers
        assert not re.search(r"<script(?![^>]* src=)|<style| style=| on[a-z]+=", page.text)
    cookie = pages[0].headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=lax" in cookie.lower()
