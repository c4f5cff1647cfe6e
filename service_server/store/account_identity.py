"""Which account new credentials belong to: that of the same identity at the app, the one to reconnect, or none."""

from sqlalchemy import select

from service_server.store.account import AccountGone, IdentityConflict, NewAccount
from service_server.store.engines import AsyncConnection
from service_server.store.tables import ACCOUNTS


def turn_to_connect(new: NewAccount) -> str:
    """The name of the turn in which one account at a time is connected for a user in an app."""
    return repr(("connect", new.application_id, new.user_id, new.app_name))


async def existing_account(
    connection: AsyncConnection, new: NewAccount, reconnect_account_id: int | None, *, lock: bool = False
) -> int | None:
    """The account that the new credentials belong to, if there is one; it is locked, so it can't be disconnected."""
    owned = select(ACCOUNTS.c.id, ACCOUNTS.c.external_id, ACCOUNTS.c.display_name).where(
        ACCOUNTS.c.application_id == new.application_id,
        ACCOUNTS.c.user_id == new.user_id,
        ACCOUNTS.c.app_name == new.app_name,
    )
    if lock:
        owned = owned.with_for_update()
    same = None
    if new.external_id is not None:
        same = (await connection.execute(owned.where(ACCOUNTS.c.external_id == new.external_id))).first()
    if reconnect_account_id is None:
        return None if same is None else int(same.id)
    wanted = (await connection.execute(owned.where(ACCOUNTS.c.id == reconnect_account_id))).first()
    if wanted is None:
        raise AccountGone(reconnect_account_id)
    if None not in (wanted.external_id, new.external_id) and wanted.external_id != new.external_id:
        raise IdentityConflict(wanted.display_name)
    if same is not None and same.id != wanted.id:
        raise IdentityConflict(wanted.display_name)
    return int(wanted.id)
