"""Connect sessions and disconnecting, as the REST side uses them."""

import asyncio
import contextlib
from urllib.parse import parse_qs, urlsplit

import pytest

from service_server.connect.sessions.changes import Changes
from service_server.errors import ServiceError
from tests.examples.processes import SandboxApp
from tests.service_server.connected_world import (
    HOST_ORIGIN,
    Browser,
    World,
    connected_world,
    provider_answer,
    requests_seen,
    sandbox_post,
)

pytestmark = pytest.mark.slow


async def connect_by_key(world: World, user_id: str = "ann", username: str = "alice") -> int:
    """Connect an account with an API key; gives its id."""
    session = await world.connect.create(world.application, user_id, "sandbox")
    async with world.browser() as browser:
        await browser.type_key(session.url, world.sandbox.api_keys[username])
    account_id = (await world.connect.state(world.application, user_id, session.id)).connected_account_id
    assert account_id is not None
    return account_id


async def connect_by_oauth(world: World, browser: Browser) -> None:
    """Connect Alice's account through the provider."""
    session = await world.connect.create(world.application, "ann", "sandbox")
    await browser.sign_in(session.url, world.sandbox)


async def refusal(work: object) -> ServiceError:
    """What the work is refused with."""
    with pytest.raises(ServiceError) as raised:
        await work  # type: ignore[misc]
    return raised.value


async def test_redirect_url_must_be_the_applications(world: World) -> None:
    """Users are sent back to allowed origins only."""
    elsewhere = ["https://evil.test/back", "https://host.test.evil.test/", "https://host.test:8443/"]
    disguised = ["http://host.test/", "https://user@host.test/", "https://host.test\\@evil.test/", "//host.test/"]
    for url in [*elsewhere, *disguised, "javascript:alert(1)", "/back", "https://host.test/\n", ""]:
        error = await refusal(world.connect.create(world.application, "ann", "sandbox", redirect_url=url))
        refused = (error.status, error.details[0].code, error.details[0].field)
        assert (400, "format", "redirect_url") == refused, url


async def test_unknown_app_and_account(world: World) -> None:
    """A session can't be opened for an app that isn't there, nor to reconnect someone else's account."""
    account_id = await connect_by_key(world, "ben")
    assert (await refusal(world.connect.create(world.application, "ann", "nothing"))).code == "unknown_app"
    error = await refusal(world.connect.create(world.application, "ann", "sandbox", connected_account_id=account_id))
    assert (error.status, error.code) == (400, "account_not_found")


async def test_sessions_of_others_are_unknown(world: World) -> None:
    """Another user or application can't watch, cancel or redeem a session."""
    session = await world.connect.create(world.application, "ann", "sandbox")
    other = await world.applications.create("Other", "other-key", [], [])
    for application, user_id in ((world.application, "ben"), (other, "ann")):
        for work in (
            world.connect.state(application, user_id, session.id),
            world.connect.cancel(application, user_id, session.id),
            world.connect.redeem(application, user_id, session.id, "code"),
        ):
            error = await refusal(work)
            assert (error.status, error.code) == (404, "unknown_connect_session")
    assert (await world.connect.state(world.application, "ann", session.id)).status == "pending"


@pytest.fixture
def is_watched(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Set once somebody waits for the end of a session."""
    is_watched, watching = asyncio.Event(), Changes.watching

    def noticed(changes: Changes, session_id: str) -> contextlib.AbstractContextManager[asyncio.Event]:
        is_watched.set()
        return watching(changes, session_id)

    monkeypatch.setattr(Changes, "watching", noticed)
    return is_watched


async def test_waiting_ends_with_the_session(world: World, is_watched: asyncio.Event) -> None:
    """A long-poll answers when the session ends, long before its own time is over."""
    session = await world.connect.create(world.application, "ann", "sandbox")
    waiting = asyncio.create_task(world.connect.state(world.application, "ann", session.id, 25))
    await is_watched.wait()
    await world.connect.cancel(world.application, "ann", session.id)
    async with asyncio.timeout(5):
        assert (await waiting).status == "cancelled"


async def test_waiting_sees_other_processes(world: World, tickets: SandboxApp, is_watched: asyncio.Event) -> None:
    """The end of a session that another process brings about is seen by polling."""
    session = await world.connect.create(world.application, "ann", "sandbox")
    waiting = asyncio.create_task(world.connect.state(world.application, "ann", session.id, 25))
    await is_watched.wait()
    async with connected_world(None, world.database_folder, tickets) as elsewhere:
        await elsewhere.connect.cancel(world.application, "ann", session.id)
    async with asyncio.timeout(5):
        assert (await waiting).status == "cancelled"


async def test_redirect_mode_keeps_the_account_when_redeemed(world: World) -> None:
    """In redirect mode nothing is connected until the page that started redeems the code, once."""
    url = f"{HOST_ORIGIN}/settings?tab=apps#top"
    session = await world.connect.create(world.application, "ann", "sandbox", redirect_url=url)
    async with world.browser() as browser:
        await browser.open(session.url)
        await browser.submit()
        back = await browser.http.get(provider_answer(world.sandbox, browser.leads_to()))
    location = urlsplit(back.headers["location"])
    sent = parse_qs(location.query)
    assert (location.netloc, location.path, location.fragment) == ("host.test", "/settings", "top")
    assert (sent["tab"], sent["connect_session"]) == (["apps"], [session.id])
    assert (await world.connect.state(world.application, "ann", session.id)).status == "pending"
    assert await world.accounts.of_user(world.application.id, "ann") == []

    assert (await refusal(world.connect.redeem(world.application, "ann", session.id, "wrong"))).status == 400
    state = await world.connect.redeem(world.application, "ann", session.id, sent["code"][0])
    (account,) = await world.accounts.of_user(world.application.id, "ann")
    assert (state.status, state.connected_account_id) == ("connected", account.id)
    assert (await refusal(world.connect.redeem(world.application, "ann", session.id, sent["code"][0]))).status == 400


async def test_redirect_mode_with_a_key(world: World) -> None:
    """A key typed in leads back to the host page by a page of ours, and connects when redeemed."""
    session = await world.connect.create(world.application, "ann", "sandbox", redirect_url=f"{HOST_ORIGIN}/back")
    async with world.browser() as browser:
        await browser.type_key(session.url, world.sandbox.api_keys["alice"])
        code = parse_qs(urlsplit(browser.leads_to()).query)["code"][0]
        # Going back and off to the provider again makes the code that was given out worthless.
        await browser.open(session.url)
        await browser.submit(auth="oauth")
    assert (await refusal(world.connect.redeem(world.application, "ann", session.id, code))).status == 400


async def test_disconnect_revokes_at_the_provider(world: World) -> None:
    """Disconnecting erases the account and ends the grant at the provider."""
    async with world.browser() as browser:
        await connect_by_oauth(world, browser)
    await world.connect.disconnect(world.application, "ann", "sandbox", None)
    assert await world.accounts.of_user(world.application.id, "ann") == []
    (revocation,) = requests_seen(world.sandbox, "/oauth/revoke")
    assert revocation["status"] == 200
    assert revocation["auth"]["kind"] == "client"


async def test_disconnect_succeeds_when_revoking_fails(world: World) -> None:
    """A provider that can't revoke doesn't keep the user from disconnecting."""
    async with world.browser() as browser:
        await connect_by_oauth(world, browser)
    sandbox_post(world.sandbox, "/_faults", {"path": "/oauth/revoke", "fault": "connection_reset"})
    await world.connect.disconnect(world.application, "ann", "sandbox", None)
    assert await world.accounts.of_user(world.application.id, "ann") == []


async def test_disconnect_chooses_no_account_by_itself(world: World) -> None:
    """With several accounts one must be named, with none there is nothing to do, and others' are not found."""
    assert (await refusal(world.connect.disconnect(world.application, "ann", "sandbox", None))).code == "not_connected"
    first, second = await connect_by_key(world), await connect_by_key(world, username="bob")
    assert (
        await refusal(world.connect.disconnect(world.application, "ann", "sandbox", None))
    ).code == "account_required"
    assert (await refusal(world.connect.disconnect(world.application, "ben", "sandbox", first))).code == (
        "account_not_found"
    )
    await world.connect.disconnect(world.application, "ann", "sandbox", first)
    assert [account.id for account in await world.accounts.of_user(world.application.id, "ann")] == [second]
    assert (await refusal(world.connect.disconnect(world.application, "ann", "nothing", None))).status == 404
