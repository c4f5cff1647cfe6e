"""Accounts that nobody uses are renewed before their refresh token ends, and nobody else's."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest
from attrs import evolve

from service_server.catalog.catalog import Catalog
from service_server.oauth.credentials import Opened
from service_server.oauth.secrets_of_account import Secrets
from service_server.oauth.unused_accounts import LOOK_AGAIN_SECONDS, RETRY_SECONDS, UnusedAccounts, renewal_due_at
from service_server.store import Account, Renewals
from service_server.store.clock import now
from tests.service_server.connected_world import World
from tests.service_server.databases import execute, rows
from tests.service_server.oauth.due_accounts import (
    connected_account,
    current,
    fail_once,
    refreshes,
    secrets_of,
    with_secrets,
)
from tests.service_server.shipped import shipped_catalog

pytestmark = pytest.mark.slow

DAY = 24 * 3600.0
NEAR = 60.0  # seconds that a test takes at most
ENDS = {"refresh_token_expires_in": 60 * DAY}


async def look(world: World, processes: int = 1, *, due: bool = False) -> int:
    """Have so many processes see to the accounts, which may be due by now; how many refreshes there were so far."""
    if due:
        execute(world.database_folder, "UPDATE accounts SET renewal_due_at = 1")
    unused = (UnusedAccounts(Renewals(world.database), world.credentials, pause_seconds=0) for _ in range(processes))
    await asyncio.gather(*(each.look() for each in unused))
    return len(refreshes(world.sandbox))


def looked_at_in(world: World) -> float:
    """In how many seconds the one account is looked at again."""
    ((moment,),) = rows(world.database_folder, "SELECT renewal_due_at FROM accounts")
    return float(moment) - now()


async def aged(world: World, days: float, **token: Any) -> Account:
    """An account whose tokens were got so many days ago, by an answer with these fields."""
    account = await connected_account(world)
    kept = {**secrets_of(world, account).token, **token}
    return await with_secrets(world, account, token=kept, obtained_at=now() - days * DAY, expires_at=now() - 1)


async def test_an_account_is_renewed_when_two_thirds_of_the_time_are_over(world: World) -> None:
    """By whichever process puts it off first; its tokens are new then, until two thirds of their time are over."""
    account = await aged(world, 41, **ENDS)

    assert 1 == await look(world, processes=5)
    assert account.version + 1 == (await current(world, account)).version
    assert 40 * DAY == pytest.approx(looked_at_in(world), abs=NEAR)


async def test_an_account_is_left_alone_before_that(world: World) -> None:
    """It is looked at again when it is due, and then renewed; reconnected, it is looked at anew."""
    account = await aged(world, 39, **ENDS)
    assert 0 == await look(world)
    assert account.version == (await current(world, account)).version
    assert DAY == pytest.approx(looked_at_in(world), abs=NEAR)

    await with_secrets(world, account, obtained_at=now() - 41 * DAY)
    assert 0 == await look(world)
    assert 1 == await look(world, due=True)
    assert looked_at_in(world) > 0
    await connected_account(world)
    assert looked_at_in(world) < 0  # nobody has worked out yet when its new tokens end


@pytest.mark.parametrize("token", [{}, {"refresh_token_expires_in": 3600}, {"refresh_token": None, **ENDS}])
async def test_who_need_not_or_can_not_be_renewed_is_left_alone(world: World, token: dict[str, Any]) -> None:
    """Nobody says that the token ends, it ends within the day, or there is none; looked at again in a month."""
    await aged(world, 300, **token)

    assert 0 == await look(world)
    assert LOOK_AGAIN_SECONDS == pytest.approx(looked_at_in(world), abs=NEAR)


async def test_an_app_that_is_away_is_left_alone_for_a_while(world: World) -> None:
    """The account stays connected, and is tried again an hour later, and at once by a process that has just begun."""
    account = await aged(world, 41, **ENDS)
    fail_once(world, "server_error")
    accounts = UnusedAccounts(Renewals(world.database), world.credentials, pause_seconds=0)
    await accounts.look()
    assert "active" == (await current(world, account)).state
    assert RETRY_SECONDS == pytest.approx(looked_at_in(world), abs=NEAR)
    execute(world.database_folder, "UPDATE accounts SET renewal_due_at = 1")
    await accounts.look()
    assert 1 == len(refreshes(world.sandbox))
    assert 2 == await look(world)


async def test_an_account_whose_connector_is_away_is_not_lost(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its refresh token may end within a month: once the connector is back, it is renewed on the next day."""
    account = await aged(world, 41, **ENDS)
    with monkeypatch.context() as without:
        without.setattr(Catalog, "connector", lambda *_: None)
        assert 0 == await look(world)
    assert DAY == pytest.approx(looked_at_in(world), abs=NEAR)

    assert 1 == await look(world, due=True)
    assert account.version + 1 == (await current(world, account)).version


async def test_a_refused_account_is_to_be_reconnected(world: World) -> None:
    """As when a call finds it out; it is not looked at again."""
    account = await aged(world, 41, **ENDS, refresh_token="of long ago")

    assert [1, 1] == [await look(world), await look(world, due=True)]
    assert "reconnect_required" == (await current(world, account)).state


@pytest.mark.parametrize(
    ("token", "declared", "days"),
    [
        ({}, "90d", 60),
        ({"x_refresh_token_expires_in": 30 * DAY}, "90d", 20),
        ({"refresh_expires_in": str(30 * DAY)}, None, 20),
        ({"refresh_expires_in": 0}, "90d", 60),
        ({"refresh_expires_in": ["odd"]}, None, None),
        ({}, None, None),
    ],
)
def test_what_the_provider_says_counts_before_what_the_connector_says(
    token: dict[str, Any], declared: str | None, days: int | None
) -> None:
    """In whichever of the usual words; where neither says anything, nobody knows."""
    auth = shipped_catalog().connectors["sandbox"].auth_method("oauth")
    rule = evolve(auth.refresh, lifetime=declared)
    secrets = Secrets(token={"refresh_token": "r", **token}, obtained_at=now())
    due = renewal_due_at(cast(Opened, SimpleNamespace(secrets=secrets, auth=evolve(auth, refresh=rule))))

    assert (None if days is None else pytest.approx(days * DAY, abs=NEAR)) == (None if due is None else due - now())
