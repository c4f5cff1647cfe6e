"""Connected accounts as operators look for them, whose ever they are."""

from typing import Any

from attrs import frozen
from sqlalchemy import Select, select

from service_server.store.engines import AsyncConnection
from service_server.store.tables import ACCOUNTS, APPLICATIONS


@frozen(kw_only=True)
class AccountFilter:
    """Which accounts to list; None matches everything."""

    application_id: int | None = None
    user_id: str | None = None
    app_name: str | None = None
    state: str | None = None

    async def narrow(self, query: Select[Any], connection: AsyncConnection) -> Select[Any]:
        """Add the conditions to a query of the accounts."""
        columns = ACCOUNTS.c
        if self.application_id is not None:
            query = query.where(columns.application_id == self.application_id)
        elif self.user_id is not None:
            # The index of owners begins with the application; there are few of these, and many users.
            every = (await connection.scalars(select(APPLICATIONS.c.id))).all()
            query = query.where(columns.application_id.in_(every))
        for column, value in (
            (columns.user_id, self.user_id),
            (columns.app_name, self.app_name),
            (columns.state, self.state),
        ):
            if value is not None:
                query = query.where(column == value)
        return query
