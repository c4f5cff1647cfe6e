"""Connecting through the pages, with a real third-party app behind them."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from tests.service_server.connect.anns_sessions import (
    accounts,
    allow,
    connect,
    connect_by_key,
    leave,
    opened,
    state,
    status,
)
from tests.service_server.connected_world import Browser, World

pytestmark = pytest.mark.slow

CALLBACK = '<code dir="ltr">http://service.test/oauth/callback</code>'
CONFIGURE = "app configure"


async def test_there_is_one_account_for_each_identity(world: World, visitor: Browser) -> None:
    """It is named after that, whatever it is connected by; connected again it stays itself, and is active again."""
    alice = await connect(world, visitor)
    assert ("u-alice", "Alice Andersson (Acme)", "oauth") == (alice.external_id, alice.display_name, alice.auth_id)
    await world.accounts.require_reconnect(alice, "for the test")
    revived = await connect(world, visitor, connected_account_id=alice.id)
    assert (alice.id, "active", None) == (revived.id, revived.state, revived.state_reason)
    again = await connect_by_key(world, visitor)
    assert (alice.id, "key") == (again.id, again.auth_id)
    assert again.modified_at > revived.modified_at
    bob = await connect(world, visitor, "bob")
    of_ben = await world.connect.create(world.application, "ben", "sandbox")
    await visitor.sign_in(of_ben.url, world.sandbox)

    assert {alice.id, bob.id} == {account.id for account in await accounts(world)}
    assert 1 == len(await world.accounts.of_user(world.application.id, "ben"))


async def test_wrong_key_is_said_at_the_field(world: World, visitor: Browser) -> None:
    """An empty one, and one that the app rejects, is an error at its field; the next try may succeed."""
    session = await opened(world)
    page = await visitor.type_key(session.url, "   ")
    assert 422 == page.status_code
    assert "Enter API key." in page.text
    assert [] == world.sandbox.received("/api/v1/me")
    page = await visitor.type_key(session.url, "wrong-key-typed-in")
    assert 422 == page.status_code
    assert 'id="field.api_key-error">Tickets sandbox did not accept this' in page.text
    assert "wrong-key-typed-in" not in page.text
    assert "pending" == await status(world, session.id)
    await visitor.submit(**{"field.api_key": world.sandbox.api_keys["alice"]})
    assert "connected" == await status(world, session.id)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"fault": "server_error"}, ("the token endpoint answered 500", "has a problem at the moment")),
        ({"status": 200, "content": "<title>Moved</title>"}, ("answered 200 with a web page", "token_url")),
        ({"status": 400, "content": '{"message": "no"}'}, ("answered 400 without saying why", CALLBACK)),
    ],
)
async def test_an_unusable_token_answer_is_told(
    world: World, visitor: Browser, answer: dict[str, Any], said: tuple[str, str], capfd: pytest.CaptureFixture[str]
) -> None:
    """The page says what came in place of a token and what can be wrong, as does the log; another try may succeed."""
    session_id, back = await allow(world, visitor)
    world.sandbox.fault("/oauth/token", **{"fault": "answer"} | answer)
    page = await visitor.open(back)
    logged = "".join(capfd.readouterr())

    for each in said:
        assert each in page.text
    assert said[0] in logged
    assert f"{world.sandbox.url}/oauth/token" in logged
    assert f'href="{world.public_url}/connect/{session_id}"' in page.text
    assert "pending" == await status(world, session_id)
    assert "is connected" in (await visitor.sign_in(f"/connect/{session_id}", world.sandbox)).text


@pytest.mark.parametrize(
    ("error", "told", "not_told", "ends"),
    [
        ("access_denied", "Nothing was connected", CONFIGURE, "cancelled"),
        ("server_error", "has a problem at the moment", CONFIGURE, "pending"),
        ("invalid_grant", "may have taken too long", CONFIGURE, "pending"),
        ("invalid_client", "app configure sandbox --client-id", "callback", "failed"),
        ("redirect_uri_mismatch", CALLBACK, CONFIGURE, "failed"),
        ("invalid_scope", "tickets:read, tickets:write", CONFIGURE, "failed"),
        ("unauthorized_client", "authorization code has to be allowed", CONFIGURE, "failed"),
        ("invalid_request", CALLBACK, CONFIGURE, "failed"),
        ("admin_policy_enforced", "administrator", CONFIGURE, "failed"),
        ("out_of_cheese", "“out_of_cheese”", CONFIGURE, "failed"),
        ("<b>", "“&lt;b&gt;”", "<b>", "failed"),
    ],
)
async def test_each_oauth_error_has_its_own_advice(
    world: World, visitor: Browser, error: str, told: str, not_told: str, ends: str
) -> None:
    """A no is a cancellation, a passing trouble can be tried again, a wrong registration fails; markup stays text."""
    session_id, address = await leave(world, visitor)
    (given,) = parse_qs(urlsplit(address).query)["state"]
    page = await visitor.open(str(httpx.URL("/oauth/callback", params={"error": error, "state": given})))

    assert told in page.text
    assert not_told not in page.text
    assert ends == await status(world, session_id)


async def test_wrong_client_secret_is_the_operators_matter(world: World, visitor: Browser) -> None:
    """The token endpoint's code means the same; the page and the host page's state say what the operator must do."""
    await world.configure(world.sandbox.client_id, "not-the-secret", base_url=world.sandbox.url)
    session_id, back = await allow(world, visitor)
    page = await visitor.open(back)
    ended = await state(world, session_id)
    assert "service-server app configure sandbox" in page.text
    assert "not-the-secret" not in page.text
    assert "failed" == ended.status
    assert "invalid_client" in (ended.error or "")


async def test_app_that_is_not_set_up(world: World, visitor: Browser) -> None:
    """Without the operator's settings the page says what is lacking, and the session has failed."""
    await world.configure(None)
    session = await opened(world)
    page = await visitor.open(session.url)
    ended = await state(world, session.id)
    assert "is not set up on this service yet" in page.text
    assert "service-server app configure sandbox --var base_url=… --client-id …" in page.text
    assert CALLBACK in page.text
    assert "failed" == ended.status
    assert "base_url" in (ended.error or "")


async def test_only_ways_that_are_set_up_are_offered(world: World, visitor: Browser) -> None:
    """Without an OAuth2 client the key is what remains, and it works."""
    await world.configure(None, base_url=world.sandbox.url)
    session = await opened(world)
    page = await visitor.open(session.url)
    assert "Sign in to Tickets" not in page.text
    await visitor.submit(**{"field.api_key": world.sandbox.api_keys["alice"]})
    assert "connected" == await status(world, session.id)
