"""Links without a page of the application behind them: sent in a mail, opened where and when the user likes."""

import pytest

from service_server.connect.sessions.sessions import HostPage
from service_server.errors import ServiceError
from service_server.store import ConnectSessionRow
from service_server.store.clock import now
from tests.service_server.connect.anns_sessions import accounts, opened, status
from tests.service_server.connected_world import Browser, World, provider_answer

pytestmark = pytest.mark.slow

HOUR = 3600
BACK = "https://host.test/settings?tab=apps"


async def link(world: World, page: HostPage = HostPage()) -> str:  # noqa: B008  which is frozen
    """A link that may be opened for an hour: the session's id."""
    return (await opened(world, page=page, expires_in=HOUR)).id


async def kept(world: World, session_id: str) -> ConnectSessionRow:
    """The session as it is kept."""
    return await world.sessions.get(session_id)


async def test_programs_that_open_links_use_none_up(world: World, visitor: Browser) -> None:
    """A filter that looks into mails opens the link first; the user after it gets through, and has ten minutes."""
    session_id = await link(world)
    async with world.browser() as scanner:
        await scanner.open(f"/connect/{session_id}")
        unopened = await kept(world, session_id)
        assert unopened.browser_hash is None
        assert unopened.expires_at > now() + HOUR - 60

        first = await visitor.open(f"/connect/{session_id}")
        assert "Continue only if you asked" in first.text
        asked = await visitor.submit()
        assert "What " in asked.text
        assert 'action="/connect/' in asked.text
        assert now() + 500 < (await kept(world, session_id)).expires_at < now() + 601
        assert "belongs to another browser" in (await scanner.submit()).text


async def test_the_whole_way_by_a_link(world: World, visitor: Browser) -> None:
    """From the first page to one that says what happened and leads back, in the language of the mail."""
    session_id = await link(world, HostPage(locale="de", return_url=BACK))
    await visitor.open(f"/connect/{session_id}")
    await visitor.submit()
    await visitor.submit()
    ended = await visitor.open(provider_answer(world.sandbox, visitor.leads_to()))
    again = await visitor.open(f"/connect/{session_id}")

    assert "ist verbunden" in ended.text
    assert f'href="https://host.test/settings?tab=apps&amp;connect_session={session_id}"' in ended.text
    assert "<form" not in again.text
    assert "ist verbunden" in again.text
    assert 1 == len(await accounts(world))


async def test_a_link_that_nobody_opened_in_time_says_so(
    world: World, visitor: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To whoever opens it then, and it can't be begun with any more."""
    session_id = await link(world)
    await visitor.open(f"/connect/{session_id}")
    later = now() + HOUR + 1
    monkeypatch.setattr("service_server.store.connect_sessions.now", lambda: later)
    for page in (await visitor.submit(), await visitor.open(f"/connect/{session_id}")):
        assert "This link has expired" in page.text
        assert 410 == page.status_code
    assert "expired" == await status(world, session_id)


@pytest.mark.parametrize(
    ("redirect_url", "return_url"), [(None, "https://elsewhere.test/"), (None, "javascript:alert(1)"), (BACK, BACK)]
)
async def test_the_way_back_leads_to_the_application_only(
    world: World, redirect_url: str | None, return_url: str
) -> None:
    """To one of its allowed origins, as in redirect mode; and one of the two ways back, not both."""
    with pytest.raises(ServiceError) as refused:
        await opened(world, redirect_url=redirect_url, page=HostPage(return_url=return_url))
    assert ["return_url"] == [detail.field for detail in refused.value.details]
