"""When accounts have to be renewed though nobody uses them."""

from collections.abc import Collection

from attrs import frozen
from sqlalchemy import select, text, update

from service_server.store.account import Account
from service_server.store.accounts import COLUMNS
from service_server.store.clock import now
from service_server.store.database import Database
from service_server.store.tables import ACCOUNTS, IS_ACTIVE


@frozen
class RenewalDue:
    """An account to see to, and the moment by which it was found."""

    account: Account
    due_at: float


class Renewals:
    """Finds the accounts that are due, and gives each to one process."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def due(self, most: int, without_apps: Collection[str] = ()) -> list[RenewalDue]:
        """Active accounts that are due, longest first, but for those of some apps."""
        # As literal text, since a database uses a partial index only if the query has the words of its condition.
        query = (
            select(*COLUMNS, ACCOUNTS.c.renewal_due_at)
            .where(text(IS_ACTIVE), ACCOUNTS.c.renewal_due_at <= now(), ACCOUNTS.c.app_name.not_in(list(without_apps)))
            .order_by(ACCOUNTS.c.renewal_due_at)
            .limit(most)
        )
        async with self._database.read() as connection:
            rows = [dict(row._mapping) for row in await connection.execute(query)]
        return [RenewalDue(due_at=row.pop("renewal_due_at"), account=Account(**row)) for row in rows]

    async def put_off(self, due: RenewalDue, until: float) -> bool:
        """See to it again at a moment; False if somebody else has put it off, and so sees to it."""
        columns = ACCOUNTS.c
        statement = (
            update(ACCOUNTS)
            .where(columns.id == due.account.id, columns.renewal_due_at == due.due_at)
            .values(renewal_due_at=until)
        )
        async with self._database.write() as connection:
            return (await connection.execute(statement)).rowcount > 0
