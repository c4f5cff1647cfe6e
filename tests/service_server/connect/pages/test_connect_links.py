"""Links without a page of the application behind them: sent in a mail, opened where and when the user likes."""

import pytest

from service_server.connect.sessions.sessions import HostPage
from service_server.errors import ServiceError
from service_server.store import ConnectSessionRow
from service_server.store.clock import now
from tests.service_server.connected_world import World, provider_answer

pytestmark = pytest.mark.slow

HOUR = 3600
BACK = "https://host.test/settings?tab=apps"


async def link(world: World, **more: str) -> str:
    """A link that may be opened for an hour: the session's id."""
    page = HostPage(**more)  # type: ignore[arg-type]
    session = await world.connect.create(world.application, "ann", "sandbox", page=page, expires_in=HOUR)
    return session.id


async def kept(world: World, session_id: str) -> ConnectSessionRow:
    """The session as it is kept."""
    session = await world.sessions.get(session_id)
    assert session is not None
    return session


async def test_programs_that_open_links_use_none_up(world: World) -> None:
    """A filter that looks into mails opens the link first, and the user after it gets through all the same."""
    session_id = await link(world)
    async with world.browser() as scanner, world.browser() as user:
        looked = await scanner.open(f"/connect/{session_id}")
        assert "is_browser" not in looked.text
        assert (await kept(world, session_id)).browser_hash is None

        first = await user.open(f"/connect/{session_id}")
        assert "Continue only if you asked" in first.text
        asked = await user.submit()
        assert "What " in asked.text
        assert 'action="/connect/' in asked.text
        assert "belongs to another browser" in (await scanner.submit()).text


async def test_the_whole_way_by_a_link(world: World) -> None:
    """From the first page to one that says what happened and leads back, in the language of the mail."""
    session_id = await link(world, locale="de", return_url=BACK)
    async with world.browser() as browser:
        await browser.open(f"/connect/{session_id}")
        await browser.submit()
        await browser.submit()
        ended = await browser.open(provider_answer(world.sandbox, browser.leads_to()))
        again = await browser.open(f"/connect/{session_id}")

    assert "ist verbunden" in ended.text
    assert f'href="https://host.test/settings?tab=apps&amp;connect_session={session_id}"' in ended.text
    assert "<form" not in again.text
    assert "ist verbunden" in again.text
    assert 1 == len(await world.accounts.of_user(world.application.id, "ann", "sandbox"))


async def test_once_it_is_opened_there_are_ten_minutes(world: World) -> None:
    """However long it could have been opened; what is left of less stays as it is."""
    session_id = await link(world)
    assert (await kept(world, session_id)).expires_at > now() + HOUR - 60
    async with world.browser() as browser:
        await browser.open(f"/connect/{session_id}")
        await browser.submit()

    assert now() + 500 < (await kept(world, session_id)).expires_at < now() + 601


async def test_a_link_that_nobody_opened_in_time_says_so(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """To whoever opens it then, and it can't be begun with any more."""
    session_id = await link(world)
    async with world.browser() as browser:
        await browser.open(f"/connect/{session_id}")
        later = now() + HOUR + 1
        monkeypatch.setattr("service_server.store.connect_sessions.now", lambda: later)
        begun = await browser.submit()
        opened = await browser.open(f"/connect/{session_id}")

    for page in (begun, opened):
        assert "This link has expired" in page.text
        assert 410 == page.status_code
    assert "expired" == (await world.connect.state(world.application, "ann", session_id)).status


@pytest.mark.parametrize("url", ["https://elsewhere.test/", "javascript:alert(1)", "https://host.test.evil.test/"])
async def test_the_way_back_leads_to_the_application_only(world: World, url: str) -> None:
    """To one of its allowed origins, as in redirect mode; and one of the two ways back, not both."""
    with pytest.raises(ServiceError) as foreign:
        await link(world, return_url=url)
    with pytest.raises(ServiceError) as both:
        await world.connect.create(
            world.application, "ann", "sandbox", redirect_url=BACK, page=HostPage(return_url=BACK)
        )

    for refused in (foreign, both):
        assert ["return_url"] == [detail.field for detail in refused.value.details]
