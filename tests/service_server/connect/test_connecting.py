"""Connecting through the pages, with a real third-party app behind them."""

from urllib.parse import parse_qs, urlsplit

import pytest

from tests.service_server.connected_world import World, provider_answer, requests_seen, sandbox_post

pytestmark = pytest.mark.slow


async def connect_by_oauth(world: World, user_id: str = "ann", username: str = "alice", **options: object) -> str:
    """Go the whole way; gives the session's id."""
    session = await world.connect.create(world.application, user_id, "sandbox", **options)
    async with world.browser() as browser:
        page = await browser.sign_in(session.url, world.sandbox, username)
        assert page.status_code == 200, page.text
    return session.id


async def test_oauth_connects_an_account(world: World) -> None:
    """Login and consent at the provider connect an account named after its identity there, whose credentials work."""
    session_id = await connect_by_oauth(world)
    state = await world.connect.state(world.application, "ann", session_id)
    accounts = await world.accounts.of_user(world.application.id, "ann")
    assert state.status == "connected"
    assert [state.connected_account_id] == [account.id for account in accounts]
    assert accounts[0].external_id == "u-alice"
    assert accounts[0].display_name == "Alice Andersson (Acme)"
    assert accounts[0].auth_id == "oauth"

    opened = await world.credentials.usable(accounts[0])
    function = world.catalog.function("sandbox-list-projects")
    assert function is not None
    context = {**opened.context, "args": {}}
    request = function.request.build(opened.connector.base_url(context), context)
    response = await world.sender.fetch(
        opened.auth.inject.apply(request, context), opened.connector.host_rules(context)
    )
    assert response.status == 200


async def test_api_key_connects_an_account(world: World) -> None:
    """A key typed in on the service's own page is tried and kept."""
    session = await world.connect.create(world.application, "ann", "sandbox")
    async with world.browser() as browser:
        page = await browser.type_key(session.url, f"  {world.sandbox.api_keys['bob']}\n")
    assert "Tickets sandbox is connected" in page.text
    (account,) = await world.accounts.of_user(world.application.id, "ann")
    assert account.external_id == "u-bob"
    assert account.auth_id == "key"


async def test_wrong_key_is_said_at_the_field(world: World) -> None:
    """An empty one, and one that the app rejects, is an error at its field; the next try may succeed."""
    session = await world.connect.create(world.application, "ann", "sandbox")
    async with world.browser() as browser:
        page = await browser.type_key(session.url, "   ")
        assert page.status_code == 422
        assert "Enter API key." in page.text
        assert requests_seen(world.sandbox, "/api/v1/me") == []
        page = await browser.type_key(session.url, "wrong-key-typed-in")
        assert page.status_code == 422
        assert 'id="field.api_key-error"' in page.text
        assert "wrong-key-typed-in" not in page.text
        assert (await world.connect.state(world.application, "ann", session.id)).status == "pending"
        await browser.submit(**{"field.api_key": world.sandbox.api_keys["alice"]})
    assert (await world.connect.state(world.application, "ann", session.id)).status == "connected"


@pytest.mark.parametrize("content", ["<title>Sign in</title>", "", "[1]"])
async def test_a_key_is_not_kept_for_an_answer_of_no_api(world: World, content: str) -> None:
    """Whatever a proxy answers in the app's place connects nobody, and the page says so at the field."""
    session = await world.connect.create(world.application, "ann", "sandbox")
    async with world.browser() as browser:
        await browser.open(session.url)
        await browser.use("key")
        sandbox_post(
            world.sandbox, "/_faults", {"path": "/api/v1/me", "fault": "answer", "status": 200, "content": content}
        )
        page = await browser.submit(**{"field.api_key": world.sandbox.api_keys["alice"]})

    assert 422 == page.status_code
    assert 'id="field.api_key-error">This does not lead to an account' in page.text
    assert [] == await world.accounts.of_user(world.application.id, "ann")


@pytest.mark.parametrize(
    ("around", "sent"),
    [("\u200b{key}\ufeff", True), ("\u00a0{key}\u2003\n", True), ("{key}\u00e9", False), ("\u201c{key}\u201d", False)],
)
async def test_characters_that_no_key_has(world: World, around: str, sent: bool) -> None:
    """What copying leaves around a key is taken off; what no header can hold is told before anything is sent."""
    session = await world.connect.create(world.application, "ann", "sandbox")
    key = world.sandbox.api_keys["alice"]
    async with world.browser() as browser:
        page = await browser.type_key(session.url, around.format(key=key))

    assert (200 if sent else 422) == page.status_code
    assert sent == bool(requests_seen(world.sandbox, "/api/v1/me"))
    if not sent:
        position = around.format(key=key).index(next(each for each in around if not each.isascii())) + 1
        assert f"API key has a character that can&#39;t be in it (character {position})" in page.text


async def test_same_identity_is_one_account(world: World) -> None:
    """Connecting the same third-party identity again, even by another kind of credentials, replaces the first."""
    await connect_by_oauth(world)
    (before,) = await world.accounts.of_user(world.application.id, "ann")
    session = await world.connect.create(world.application, "ann", "sandbox")
    async with world.browser() as browser:
        await browser.type_key(session.url, world.sandbox.api_keys["alice"])
    (after,) = await world.accounts.of_user(world.application.id, "ann")
    assert (after.id, after.auth_id) == (before.id, "key")
    assert after.modified_at > before.modified_at


async def test_two_identities_are_two_accounts(world: World) -> None:
    """Another third-party user becomes another account; another host user's account is not touched."""
    await connect_by_oauth(world)
    await connect_by_oauth(world, username="bob")
    await connect_by_oauth(world, user_id="ben")
    assert len(await world.accounts.of_user(world.application.id, "ann")) == 2
    assert len(await world.accounts.of_user(world.application.id, "ben")) == 1


async def test_reconnect_keeps_the_account(world: World) -> None:
    """Reconnecting keeps the id and makes a dead account active again."""
    await connect_by_oauth(world)
    (before,) = await world.accounts.of_user(world.application.id, "ann")
    await world.accounts.require_reconnect(before, "for the test")
    await connect_by_oauth(world, connected_account_id=before.id)
    (after,) = await world.accounts.of_user(world.application.id, "ann")
    assert (after.id, after.state, after.state_reason) == (before.id, "active", None)


async def test_reconnect_as_someone_else_is_refused(world: World) -> None:
    """Signing in as another third-party user is refused with both names, and nothing changes."""
    await connect_by_oauth(world)
    (before,) = await world.accounts.of_user(world.application.id, "ann")
    session = await world.connect.create(world.application, "ann", "sandbox", connected_account_id=before.id)
    async with world.browser() as browser:
        page = await browser.sign_in(session.url, world.sandbox, "bob")
    assert "Alice Andersson (Acme)" in page.text
    assert "Bob" in page.text
    assert "Try again" in page.text
    assert await world.accounts.of_user(world.application.id, "ann") == [before]


async def test_user_declines_at_the_provider(world: World) -> None:
    """`access_denied` ends the session as cancelled."""
    session = await world.connect.create(world.application, "ann", "sandbox")
    async with world.browser() as browser:
        page = await browser.sign_in(session.url, world.sandbox, decision="deny")
    assert "Nothing was connected" in page.text
    assert (await world.connect.state(world.application, "ann", session.id)).status == "cancelled"


async def test_provider_away_can_be_tried_again(world: World) -> None:
    """A token endpoint that fails leaves the session pending, with a page that says so and offers another try."""
    sandbox_post(world.sandbox, "/_faults", {"path": "/oauth/token", "fault": "server_error"})
    session = await world.connect.create(world.application, "ann", "sandbox")
    async with world.browser() as browser:
        page = await browser.sign_in(session.url, world.sandbox)
        assert "has a problem at the moment: the token endpoint answered 500" in page.text
        assert f'href="{session.url}"' in page.text
        page = await browser.sign_in(session.url, world.sandbox)
        assert "is connected" in page.text
    assert (await world.connect.state(world.application, "ann", session.id)).status == "connected"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"content": "<title>Moved</title>"}, "answered 200 with a web page"),
        ({"status": 302, "location": "https://elsewhere.example/"}, "answered 302 with a redirect to another address"),
        ({"content": '{"ok": true}'}, "answered 200 with no access_token in it"),
        ({"status": 404, "content": "no such page"}, "answered 404 with no access_token in it"),
    ],
)
async def test_an_unusable_token_answer_is_told(
    world: World, answer: dict[str, object], said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """The page says what came in place of a token and who can do something about it; so does the log."""
    session = await world.connect.create(world.application, "ann", "sandbox")
    async with world.browser() as browser:
        await browser.open(session.url)
        await browser.submit()
        back = provider_answer(world.sandbox, browser.leads_to())
        sandbox_post(world.sandbox, "/_faults", {"path": "/oauth/token", "fault": "answer", "status": 200, **answer})
        page = await browser.open(back)
    logged = "".join(capfd.readouterr())

    assert said in page.text
    assert "token_url" in page.text
    assert "reached" not in page.text
    assert said in logged
    assert f"{world.sandbox.url}/oauth/token" in logged
    assert "pending" == (await world.connect.state(world.application, "ann", session.id)).status


@pytest.mark.parametrize("status", [400, 401])
async def test_a_token_endpoint_that_gives_no_reason(world: World, status: int) -> None:
    """A refusal without an OAuth error names all that the operator can have got wrong, the callback URL among it."""
    session = await world.connect.create(world.application, "ann", "sandbox")
    async with world.browser() as browser:
        await browser.open(session.url)
        await browser.submit()
        back = provider_answer(world.sandbox, browser.leads_to())
        fault = {"path": "/oauth/token", "fault": "answer", "status": status, "content": '{"message": "no"}'}
        sandbox_post(world.sandbox, "/_faults", fault)
        page = await browser.open(back)

    assert f"answered {status} without saying why" in page.text
    assert '<code dir="ltr">http://service.test/oauth/callback</code>' in page.text


@pytest.mark.parametrize(
    ("error", "told", "not_told"),
    [
        ("invalid_client", "app configure sandbox --client-id", "callback"),
        ("redirect_uri_mismatch", '<code dir="ltr">http://service.test/oauth/callback</code>', "app configure"),
        ("invalid_scope", "tickets:read, tickets:write", "app configure"),
        ("unauthorized_client", "authorization code has to be allowed", "app configure"),
        ("invalid_grant", "may have taken too long", "app configure"),
        ("invalid_request", '<code dir="ltr">http://service.test/oauth/callback</code>', "app configure"),
        ("admin_policy_enforced", "administrator", "app configure"),
        ("out_of_cheese", "“out_of_cheese”", "app configure"),
    ],
)
@pytest.mark.parametrize("where", ["callback", "token"])
async def test_each_oauth_error_has_its_own_advice(
    world: World, error: str, told: str, not_told: str, where: str
) -> None:
    """The same code means the same, on the way back and at the token endpoint; only what helps is advised."""
    session = await world.connect.create(world.application, "ann", "sandbox")
    async with world.browser() as browser:
        await browser.open(session.url)
        await browser.submit()
        back = provider_answer(world.sandbox, browser.leads_to())
        if where == "token":
            fault = {"path": "/oauth/token", "fault": "answer", "status": 400, "content": f'{{"error": "{error}"}}'}
            sandbox_post(world.sandbox, "/_faults", fault)
        else:
            state = parse_qs(urlsplit(back).query)["state"][0]
            back = f"/oauth/callback?error={error}&state={state}"
        page = await browser.open(back)

    assert told in page.text
    assert not_told not in page.text


async def test_wrong_client_secret_is_the_operators_matter(world: World) -> None:
    """A registration that the provider refuses fails the session and says what the operator must do."""
    await world.configure(world.sandbox.client_id, "not-the-secret", base_url=world.sandbox.url)
    session = await world.connect.create(world.application, "ann", "sandbox")
    async with world.browser() as browser:
        page = await browser.sign_in(session.url, world.sandbox)
    state = await world.connect.state(world.application, "ann", session.id)
    assert "service-server app configure sandbox" in page.text
    assert "not-the-secret" not in page.text
    assert state.status == "failed"
    assert "invalid_client" in (state.error or "")


async def test_app_that_is_not_set_up(world: World) -> None:
    """Without the operator's settings the page says what is lacking, and the session has failed."""
    await world.configure(None)
    session = await world.connect.create(world.application, "ann", "sandbox")
    async with world.browser() as browser:
        page = await browser.open(session.url)
    state = await world.connect.state(world.application, "ann", session.id)
    assert "is not set up on this service yet" in page.text
    assert "service-server app configure sandbox --var base_url=… --client-id …" in page.text
    assert '<code dir="ltr">http://service.test/oauth/callback</code>' in page.text
    assert state.status == "failed"
    assert "base_url" in (state.error or "")


async def test_only_ways_that_are_set_up_are_offered(world: World) -> None:
    """Without an OAuth2 client the key is what remains, and it works."""
    await world.configure(None, base_url=world.sandbox.url)
    session = await world.connect.create(world.application, "ann", "sandbox")
    async with world.browser() as browser:
        page = await browser.open(session.url)
        assert "Sign in to Tickets" not in page.text
        await browser.submit(**{"field.api_key": world.sandbox.api_keys["alice"]})
    assert (await world.connect.state(world.application, "ann", session.id)).status == "connected"


async def test_authorization_request_is_guarded(world: World) -> None:
    """The address of the provider's page carries a state and an S256 challenge, and never the verifier."""
    session = await world.connect.create(world.application, "ann", "sandbox")
    async with world.browser() as browser:
        await browser.open(session.url)
        await browser.submit()
        sent = parse_qs(urlsplit(browser.leads_to()).query)
    row = await world.sessions.get(session.id)
    assert row is not None
    assert sent["code_challenge_method"] == ["S256"]
    assert sent["scope"] == ["tickets:read tickets:write"]
    assert sent["redirect_uri"] == ["http://service.test/oauth/callback"]
    assert "code_verifier" not in sent
    assert sent["state"][0] not in repr(row)
