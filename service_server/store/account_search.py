"""Connected accounts as operators look for them, whose ever they are."""

from attrs import frozen
from sqlalchemy import Select, select

from service_server.store.tables import ACCOUNTS, APPLICATIONS


@frozen(kw_only=True)
class AccountFilter:
    """Which accounts to list; None matches everything."""

    application_id: int | None = None
    user_id: str | None = None
    app_name: str | None = None
    state: str | None = None

    def narrow(self, query: Select[tuple[object, ...]]) -> Select[tuple[object, ...]]:
        """Add the conditions to a query of the accounts."""
        columns = ACCOUNTS.c
        if self.application_id is not None:
            query = query.where(columns.application_id == self.application_id)
        elif self.user_id is not None:
            # The index of owners begins with the application; there are few of these, and many users.
            query = query.where(columns.application_id.in_(select(APPLICATIONS.c.id)))
        for column, value in (
            (columns.user_id, self.user_id),
            (columns.app_name, self.app_name),
            (columns.state, self.state),
        ):
            if value is not None:
                query = query.where(column == value)
        return query
