"""An application's own settings of an app: who uses them, and who goes on with those of all applications."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from attrs import evolve

from service_server.oauth.app_settings import seal_client_secret
from service_server.store import Account, AppConfigurations, Application
from tests.examples.processes import SandboxApp, sandbox_app
from tests.service_server.connected_world import CALLBACK_URL, World, connected_world, provider_answer
from tests.service_server.oauth.due_accounts import current, due, refreshes, renewed
from tests.service_server.store.databases import opened

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def second_sandbox() -> Iterator[SandboxApp]:
    """The app once more, elsewhere and with another OAuth2 client."""
    with sandbox_app(CALLBACK_URL, "--client-id", "client-of-acme") as started:
        yield started


@pytest.fixture
async def two_apps(
    running_tickets: SandboxApp, second_sandbox: SandboxApp, empty_database: Path, tmp_path: Path
) -> AsyncIterator[World]:
    """The parts of a service that may call both."""
    hosts = tuple(urlsplit(each.url).netloc for each in (running_tickets, second_sandbox))
    async with connected_world(empty_database, tmp_path, running_tickets, allow_hosts=hosts) as world:
        yield world


async def give_own(world: World, sandbox: SandboxApp, **changes: Any) -> None:
    """Set the application's own settings of the sandbox app; they are in force at once."""
    sealed = seal_client_secret(world.vault, "sandbox", sandbox.client_secret, world.application.id)
    settings = {"client_id": sandbox.client_id, "sealed_client_secret": sealed, "variables": {"base_url": sandbox.url}}
    await world.configurations.change(
        "sandbox", lambda kept: evolve(kept, **{**settings, **changes}), world.application.id
    )
    forget(world)


def forget(world: World) -> None:
    """Read the settings again, as happens after two seconds."""
    world.credentials.settings._kept.clear()


async def connected(
    world: World, sandbox: SandboxApp, user_id: str = "ann", application: Application | None = None
) -> Account:
    """Connect Alice's account at one of the two, wherever the page leads."""
    application = application or world.application
    session = await world.connect.create(application, user_id, "sandbox")
    async with world.browser() as browser:
        await browser.open(session.url)
        await browser.submit()
        leads_to = browser.leads_to()
        assert leads_to.startswith(sandbox.url), leads_to
        assert f"client_id={sandbox.client_id}" in leads_to
        await browser.open(provider_answer(sandbox, leads_to))
    (account,) = await world.accounts.of_user(application.id, user_id)
    return account


async def renewed_at(world: World, account: Account, *sandboxes: SandboxApp) -> list[str]:
    """Use an account whose token has ended; tells with which client, and of which app, it was renewed."""
    before = [len(refreshes(each)) for each in sandboxes]
    await renewed(world, await due(world, await current(world, account)))
    counted = zip(sandboxes, before, strict=True)
    return [each.client_id for each, count in counted if len(refreshes(each)) > count]


async def test_an_account_keeps_the_client_that_it_was_connected_with(
    two_apps: World, second_sandbox: SandboxApp
) -> None:
    """Own settings are for the accounts of one application that are connected, or reconnected, from then on."""
    world, first = two_apps, two_apps.sandbox
    both = (first, second_sandbox)
    before = await connected(world, first)
    await give_own(world, second_sandbox)
    after = await connected(world, second_sandbox, "bob")
    other = await world.applications.create("Other", "other", [], [])
    elsewhere = await connected(world, first, application=other)

    assert [False, True, False] == [each.own_settings for each in (before, after, elsewhere)]
    assert [first.client_id] == await renewed_at(world, before, *both)
    assert [second_sandbox.client_id] == await renewed_at(world, after, *both)
    assert [first.client_id] == await renewed_at(world, elsewhere, *both)
    assert second_sandbox.url == (await world.credentials.opened(after)).context["vars"]["base_url"]
    with_own = await connected(world, second_sandbox)
    await world.configurations.remove("sandbox", world.application.id)
    forget(world)
    without = await connected(world, first)
    assert [(before.id, True), (before.id, False)] == [(each.id, each.own_settings) for each in (with_own, without)]


@pytest.mark.parametrize("gone", ["own", "shared"])
async def test_settings_that_are_gone(two_apps: World, second_sandbox: SandboxApp, gone: str) -> None:
    """Without the client that an account was connected with, the one that is left is asked, and may refuse it."""
    world, left = two_apps, two_apps.sandbox if gone == "own" else second_sandbox
    if gone == "own":
        await give_own(world, second_sandbox)
        account = await connected(world, second_sandbox)
        await world.configurations.remove("sandbox", world.application.id)
    else:
        account = await connected(world, world.sandbox)
        await give_own(world, second_sandbox)
        await world.configure(None)
    forget(world)
    settings = await world.credentials.settings.of_account(world.catalog.connectors["sandbox"], account)

    assert settings.client is not None
    assert (left.client_id, left.url) == (settings.client.client_id, settings.variables["base_url"])


async def test_own_settings_take_the_place_of_all_others(two_apps: World) -> None:
    """Nothing is mixed: what is not set among the own settings is missing, and the page says how to set it."""
    world = two_apps
    await give_own(world, world.sandbox, variables={})
    session = await world.connect.create(world.application, "ann", "sandbox")
    async with world.browser() as browser:
        page = await browser.open(session.url)

    assert f"app configure sandbox --application {world.application.app_key} --var base_url" in page.text


async def test_a_secret_opens_where_it_was_set_only(two_apps: World) -> None:
    """A sealed client secret that is moved to another application, or to all, counts as none."""
    world, acme = two_apps, two_apps.application
    sealed = seal_client_secret(world.vault, "sandbox", "secret", acme.id + 1)
    for owner in ((acme.id,), ()):
        await world.configurations.change(
            "sandbox", lambda kept: evolve(kept, client_id="own", sealed_client_secret=sealed), *owner
        )
    sandbox = world.catalog.connectors["sandbox"]

    assert (await world.credentials.settings.of(sandbox, acme.id)).client is None
    assert (await world.credentials.settings.shared(sandbox)).client is None


async def test_settings_are_kept_apart(database_url: str) -> None:
    """Those of each application and of all others are changed, listed and removed by themselves, on both databases."""
    async with opened(database_url) as database:
        configurations = AppConfigurations(database)
        for application_id in (None, 2, 3):
            name = f"client of {application_id}"
            await configurations.change(
                "sandbox", lambda kept, name=name: evolve(kept, client_id=name, variables={"a": name}), application_id
            )
        await configurations.change("github", lambda kept: evolve(kept, client_id="another"), 2)
        shared, own = await configurations.both("sandbox", 2)
        assert ("client of None", {"a": "client of None"}) == (shared.client_id, shared.variables)
        assert ("client of 2", {"a": "client of 2"}, 2) == (own.client_id, own.variables, own.application_id)
        assert [2, 3] == [each.application_id for each in await configurations.own("sandbox")]
        assert [("github", 2), ("sandbox", 2), ("sandbox", 3)] == [
            (each.app_name, each.application_id) for each in await configurations.own()
        ]
        assert await configurations.remove("sandbox", 2)
        assert not await configurations.remove("sandbox", 2)
        assert (shared, None) == await configurations.both("sandbox", 2)
        assert "client of 3" == (await configurations.get("sandbox", 3) or shared).client_id
        assert await configurations.get("kinto") is None
