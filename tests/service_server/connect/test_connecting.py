"""Connecting through the pages, with a real third-party app behind them."""

from urllib.parse import parse_qs, urlsplit

from tests.service_server.connected_world import World, provider_answer, requests_seen, sandbox_post


async def connect_by_oauth(world: World, user_id: str = "ann", username: str = "alice", **options: object) -> str:
    """Go the whole way; gives the session's id."""
    session = await world.flow.create(world.application, user_id, "sandbox", **options)
    async with world.browser() as browser:
        await browser.open(session.url)
        await browser.submit()
        await browser.open(provider_answer(world.sandbox, browser.leads_to(), username))
        assert browser.page is not None
        assert browser.page.status_code == 200, browser.page.text
    return session.id


async def test_oauth_connects_an_account(world: World) -> None:
    """Login and consent at the provider connect an account that is named after its identity there."""
    session_id = await connect_by_oauth(world)
    state = await world.flow.state(world.application, "ann", session_id)
    accounts = await world.accounts.of_user(world.application.id, "ann")
    assert state.status == "connected"
    assert [state.connected_account_id] == [account.id for account in accounts]
    assert accounts[0].external_id == "u-alice"
    assert accounts[0].display_name == "Alice Andersson (Acme)"
    assert accounts[0].auth_id == "oauth"


async def test_the_kept_credentials_work(world: World) -> None:
    """What was connected can be opened and used for a call."""
    await connect_by_oauth(world)
    (account,) = await world.accounts.of_user(world.application.id, "ann")
    opened = await world.credentials.usable(account)
    function = world.catalog.function("sandbox-list-projects")
    assert function is not None
    context = {**opened.context, "args": {}}
    request = function.request.build(opened.connector.base_url(context), context)
    response = await world.sender.send(opened.auth.inject.apply(request, context), opened.connector.host_rules(context))
    assert response.status == 200


async def test_api_key_connects_an_account(world: World) -> None:
    """A key typed in on the service's own page is tried and kept."""
    session = await world.flow.create(world.application, "ann", "sandbox")
    async with world.browser() as browser:
        await browser.open(session.url)
        await browser.use("key")
        page = await browser.submit(**{"field.api_key": f"  {world.sandbox.api_keys['bob']}\n"})
    assert "Tickets sandbox is connected" in page.text
    (account,) = await world.accounts.of_user(world.application.id, "ann")
    assert account.external_id == "u-bob"
    assert account.auth_id == "key"


async def test_wrong_key_is_said_at_the_field(world: World) -> None:
    """A key that the app rejects is an error at its field; the session goes on, and the next try may succeed."""
    session = await world.flow.create(world.application, "ann", "sandbox")
    async with world.browser() as browser:
        await browser.open(session.url)
        await browser.use("key")
        page = await browser.submit(**{"field.api_key": "wrong-key-typed-in"})
        assert page.status_code == 422
        assert 'id="field.api_key-error"' in page.text
        assert "wrong-key-typed-in" not in page.text
        assert (await world.flow.state(world.application, "ann", session.id)).status == "pending"
        await browser.submit(**{"field.api_key": world.sandbox.api_keys["alice"]})
    assert (await world.flow.state(world.application, "ann", session.id)).status == "connected"


async def test_empty_field_is_said_at_the_field(world: World) -> None:
    """A field left empty is refused before anything is sent."""
    session = await world.flow.create(world.application, "ann", "sandbox")
    async with world.browser() as browser:
        await browser.open(session.url)
        await browser.use("key")
        page = await browser.submit(**{"field.api_key": "   "})
    assert page.status_code == 422
    assert "Enter API key." in page.text
    assert requests_seen(world.sandbox, "/api/v1/me") == []


async def test_same_identity_is_one_account(world: World) -> None:
    """Connecting the same third-party identity again, even by another kind of credentials, replaces the first."""
    await connect_by_oauth(world)
    (before,) = await world.accounts.of_user(world.application.id, "ann")
    session = await world.flow.create(world.application, "ann", "sandbox")
    async with world.browser() as browser:
        await browser.open(session.url)
        await browser.use("key")
        await browser.submit(**{"field.api_key": world.sandbox.api_keys["alice"]})
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
    session = await world.flow.create(world.application, "ann", "sandbox", connected_account_id=before.id)
    async with world.browser() as browser:
        await browser.open(session.url)
        await browser.submit()
        page = await browser.open(provider_answer(world.sandbox, browser.leads_to(), "bob"))
    assert "Alice Andersson (Acme)" in page.text
    assert "Bob" in page.text
    assert "Try again" in page.text
    assert await world.accounts.of_user(world.application.id, "ann") == [before]


async def test_user_declines_at_the_provider(world: World) -> None:
    """`access_denied` ends the session as cancelled."""
    session = await world.flow.create(world.application, "ann", "sandbox")
    async with world.browser() as browser:
        await browser.open(session.url)
        await browser.submit()
        page = await browser.open(provider_answer(world.sandbox, browser.leads_to(), decision="deny"))
    assert "Nothing was connected" in page.text
    assert (await world.flow.state(world.application, "ann", session.id)).status == "cancelled"


async def test_provider_away_can_be_tried_again(world: World) -> None:
    """A token endpoint that fails leaves the session pending, with a page that says so and offers another try."""
    sandbox_post(world.sandbox, "/_faults", {"path": "/oauth/token", "fault": "server_error"})
    session = await world.flow.create(world.application, "ann", "sandbox")
    async with world.browser() as browser:
        await browser.open(session.url)
        await browser.submit()
        page = await browser.open(provider_answer(world.sandbox, browser.leads_to()))
        assert "can&#39;t be reached right now" in page.text
        assert f'href="{session.url}"' in page.text
        await browser.open(session.url)
        await browser.submit()
        page = await browser.open(provider_answer(world.sandbox, browser.leads_to()))
        assert "is connected" in page.text
    assert (await world.flow.state(world.application, "ann", session.id)).status == "connected"


async def test_wrong_client_secret_is_the_operators_matter(world: World) -> None:
    """A registration that the provider refuses fails the session and says what the operator must do."""
    await world.configure(world.sandbox.client_id, "not-the-secret", base_url=world.sandbox.url)
    session = await world.flow.create(world.application, "ann", "sandbox")
    async with world.browser() as browser:
        await browser.open(session.url)
        await browser.submit()
        page = await browser.open(provider_answer(world.sandbox, browser.leads_to()))
    state = await world.flow.state(world.application, "ann", session.id)
    assert "service-server app configure sandbox" in page.text
    assert "not-the-secret" not in page.text
    assert state.status == "failed"
    assert "invalid_client" in (state.error or "")


async def test_app_that_is_not_set_up(world: World) -> None:
    """Without the operator's settings the page says what is lacking, and the session has failed."""
    await world.configure(None)
    session = await world.flow.create(world.application, "ann", "sandbox")
    async with world.browser() as browser:
        page = await browser.open(session.url)
    state = await world.flow.state(world.application, "ann", session.id)
    assert "is not set up on this service yet" in page.text
    assert "service-server app configure sandbox --var base_url=… --client-id …" in page.text
    assert state.status == "failed"
    assert "base_url" in (state.error or "")


async def test_only_ways_that_are_set_up_are_offered(world: World) -> None:
    """Without an OAuth2 client the key is what remains, and it works."""
    await world.configure(None, base_url=world.sandbox.url)
    session = await world.flow.create(world.application, "ann", "sandbox")
    async with world.browser() as browser:
        page = await browser.open(session.url)
        assert "Sign in to Tickets" not in page.text
        await browser.submit(**{"field.api_key": world.sandbox.api_keys["alice"]})
    assert (await world.flow.state(world.application, "ann", session.id)).status == "connected"


async def test_authorization_request_is_guarded(world: World) -> None:
    """The address of the provider's page carries a state and an S256 challenge, and never the verifier."""
    session = await world.flow.create(world.application, "ann", "sandbox")
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
