"""Accounts to be renewed though nobody uses them: found when they are due, and given to one process."""

from service_server.store import Accounts, Database, Renewals
from service_server.store.clock import now
from tests.service_server.databases import execute
from tests.service_server.store.databases import connect, new_account


async def test_due_accounts_are_found_and_put_off_once(database: Database, database_url: str) -> None:
    """Those that wait longest first, without those of some apps; who was found twice is put off by one."""
    renewals = Renewals(database)
    for number, app in enumerate(("sandbox", "wiki", "sandbox")):
        await connect(database, new_account(f"{number}", app_name=app))
    execute(database_url, "UPDATE accounts SET renewal_due_at = 10 - id")
    found = await renewals.due(10)
    assert [3, 2, 1] == [each.account.id for each in found]
    assert [3, 1] == [each.account.id for each in await renewals.due(10, {"wiki"})]
    assert [3] == [each.account.id for each in await renewals.due(1)]

    assert await renewals.put_off(found[0], now() + 60)
    assert not await renewals.put_off(found[0], now() + 60)
    assert [2, 1] == [each.account.id for each in await renewals.due(10)]


async def test_only_active_accounts_are_due(database: Database) -> None:
    """One that its user has to bring back is not asked for; a new account is due, so that somebody looks at it."""
    account = await connect(database, new_account())
    assert [account] == [each.account for each in await Renewals(database).due(10)]
    await Accounts(database).require_reconnect(account, "The app refused.")

    assert [] == await Renewals(database).due(10)
