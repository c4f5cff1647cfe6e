"""Connected accounts and the lease that lets one process at a time refresh their credentials."""

from collections.abc import Mapping
from typing import Any

import attrs
from sqlalchemy import Delete, Update, bindparam, case, delete, func, insert, select, text, update

from service_client.models.event import EventType
from service_server.store.account import Account, Lease, NewAccount, SessionEnded
from service_server.store.account_identity import existing_account, turn_to_connect
from service_server.store.account_search import AccountFilter
from service_server.store.audit_events import Act, acting
from service_server.store.call_ids import call_id
from service_server.store.clock import now, timestamp
from service_server.store.connect_sessions import ended, pending
from service_server.store.database import Database
from service_server.store.engines import AsyncConnection
from service_server.store.prepared import PreparedStatement
from service_server.store.tables import ACCOUNT_EVENTS, ACCOUNTS, CONNECT_SESSIONS, IS_INACTIVE
from service_server.store.webhook_events import account_event, record


class Accounts:
    """The connected accounts of all applications; every look-up names its owner."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_user(self, application_id: int, user_id: str, app_name: str | None = None) -> list[Account]:
        """A user's accounts, newest first; only those of one app if given."""
        owner = {"application": application_id, "user": user_id}
        if app_name is None:
            rows = await self._database.fetch(_OF_USER, owner)
        else:
            rows = await self._database.fetch(_OF_USER_IN_APP, {**owner, "app": app_name})
        return [Account(**row) for row in rows]

    async def get(self, account_id: int) -> Account | None:
        """An account by its number, as it is now; for code that already knows the owner."""
        rows = await self._database.fetch(_GET, {"account": account_id})
        return Account(**rows[0]) if rows else None

    async def to_reconnect(self, since: str) -> dict[str, tuple[int, int]]:
        """By app: how many accounts have to be reconnected, and how many of these have changed since a moment."""
        recent = func.sum(case((ACCOUNTS.c.modified_at >= since, 1), else_=0))
        query = select(ACCOUNTS.c.app_name, func.count(), recent).where(text(IS_INACTIVE)).group_by(ACCOUNTS.c.app_name)
        async with self._database.read() as connection:
            return {row[0]: (int(row[1]), int(row[2])) for row in await connection.execute(query)}

    async def connect(
        self,
        new: NewAccount,
        *,
        session_id: str,
        reconnect_account_id: int | None = None,
        code_hash: str | None = None,
    ) -> Account:
        """
        Keep a connected account and end its connect session as connected: both or neither.

        If the same third-party identity is connected twice, it stays one account with its credentials replaced. A
        reconnect replaces the credentials of the account it names. The code of a `code_hash` is used up by it.

        Raises:
            SessionEnded: the session was cancelled or expired meanwhile, or the code is not its own any more.
            AccountGone: the account to reconnect has been disconnected.
            IdentityConflict: the account to reconnect is someone else's at the third party.
        """
        async with self._database.write(turn=turn_to_connect(new)) as connection:
            existing = await existing_account(connection, new, reconnect_account_id, lock=True)
            values = _connected(new)
            if existing is None:
                result = await connection.execute(
                    insert(ACCOUNTS)
                    .values(**values, version=1, created_at=values["modified_at"])
                    .returning(ACCOUNTS.c.id)
                )
                account_id = result.scalar_one()
            else:
                account_id = existing
                await connection.execute(
                    update(ACCOUNTS)
                    .where(ACCOUNTS.c.id == account_id)
                    .values(**values, version=ACCOUNTS.c.version + 1, **_FRESH)
                )
            end = pending(session_id).values(ended("connected", connected_account_id=account_id, error=None))
            if code_hash is not None:
                end = end.where(CONNECT_SESSIONS.c.code_hash == code_hash)
            if (await connection.execute(end)).rowcount == 0:
                raise SessionEnded(session_id)
            await self._database.announce(connection, session_id)
            row = (await connection.execute(select(*COLUMNS).where(ACCOUNTS.c.id == account_id))).one()
            account = Account(**row._mapping)
            await _tell(connection, "account.connected", account)
        return account

    async def check_connect(self, new: NewAccount, reconnect_account_id: int | None) -> None:
        """Raise what `connect` would raise about the account, without keeping anything."""
        async with self._database.read() as connection:
            await existing_account(connection, new, reconnect_account_id)

    async def is_connected(self, new: NewAccount) -> bool:
        """Whether an account that was signed in to in the same way has, or may have, the new one's identity."""
        same_way = (ACCOUNTS.c.app_name == new.app_name, ACCOUNTS.c.auth_id == new.auth_id)
        query = select(ACCOUNTS.c.id).where(*same_way).limit(1)
        if new.external_id is None:
            query = query.where(ACCOUNTS.c.application_id == new.application_id, ACCOUNTS.c.user_id == new.user_id)
        else:
            query = query.where(ACCOUNTS.c.external_id == new.external_id)
        async with self._database.read() as connection:
            return (await connection.execute(query)).first() is not None

    async def search(self, matching: AccountFilter, *, limit: int, before: int | None = None) -> list[Account]:
        """Accounts of all users, those connected last first; `before` is the number of the last one already seen."""
        query = select(*COLUMNS).order_by(ACCOUNTS.c.id.desc()).limit(limit)
        if before is not None:
            query = query.where(ACCOUNTS.c.id < before)
        async with self._database.read() as connection:
            query = await matching.narrow(query, connection)
            return [Account(**row._mapping) for row in await connection.execute(query)]

    async def disconnect(self, account: Account, act: Act | None = None) -> bool:
        """Erase an account with its credentials; False if they were replaced meanwhile, or it is gone already."""
        statement = delete(ACCOUNTS).where(ACCOUNTS.c.id == account.id, ACCOUNTS.c.version == account.version)
        return await self._change(statement, "account.disconnected", account, act=act)

    async def take_lease(self, account: Account, owner: str, seconds: float) -> Lease | None:
        """Become the one refresher of an account; None if its credentials moved on or someone else holds the lease."""
        moment = now()
        statement = (
            update(ACCOUNTS)
            .where(
                ACCOUNTS.c.id == account.id,
                ACCOUNTS.c.version == account.version,
                ACCOUNTS.c.state == "active",
                (ACCOUNTS.c.lease_until.is_(None)) | (ACCOUNTS.c.lease_until < moment),
            )
            .values(
                lease_owner=owner,
                lease_until=moment + seconds,
                # Whoever let the lease run out has died.
                refresh_interrupted=ACCOUNTS.c.refresh_interrupted | ACCOUNTS.c.lease_owner.is_not(None),
            )
            .returning(ACCOUNTS.c.refresh_interrupted)
        )
        async with self._database.write() as connection:
            row = (await connection.execute(statement)).first()
        return None if row is None else Lease(owner, bool(row.refresh_interrupted))

    async def release_lease(
        self, account: Account, lease: Lease, *, interrupted: bool, reason: str | None = None
    ) -> None:
        """
        Give the lease back without having refreshed, so that the next caller may try.

        If the third party is the `reason` for that, the application is told, once until a refresh succeeds.
        """
        statement = (
            update(ACCOUNTS)
            .where(ACCOUNTS.c.id == account.id, ACCOUNTS.c.lease_owner == lease.owner)
            .values(**_NO_LEASE, refresh_interrupted=lease.follows_interruption or interrupted)
        )
        first = (
            update(ACCOUNTS)
            .where(
                ACCOUNTS.c.id == account.id,
                ACCOUNTS.c.version == account.version,
                ACCOUNTS.c.refresh_failing_since.is_(None),
            )
            .values(refresh_failing_since=now())
        )
        async with self._database.write() as connection:
            await connection.execute(statement)
            if reason is not None and (await connection.execute(first)).rowcount > 0:
                await _tell(connection, "account.refresh_failed", account, reason)

    async def replace_credentials(
        self,
        account: Account,
        sealed_credentials: str,
        expires_at: float | None,
        variables: Mapping[str, str],
    ) -> bool:
        """Keep refreshed credentials and end the lease; False if they were replaced meanwhile (`modified_at` stays)."""
        statement = (
            update(ACCOUNTS)
            .where(ACCOUNTS.c.id == account.id, ACCOUNTS.c.version == account.version)
            .values(
                sealed_credentials=sealed_credentials,
                expires_at=expires_at,
                variables=dict(variables),
                version=ACCOUNTS.c.version + 1,
                refreshed_at=timestamp(),
                **_FRESH,
            )
        )
        async with self._database.write() as connection:
            return (await connection.execute(statement)).rowcount > 0

    async def require_reconnect(self, account: Account, reason: str) -> bool:
        """
        Mark an account whose credentials the third party refuses; False if they were replaced meanwhile.

        `version` changes too: if a refresher that was taken for dead still delivers, it is too late.
        """
        statement = (
            update(ACCOUNTS)
            .where(ACCOUNTS.c.id == account.id, ACCOUNTS.c.version == account.version)
            .values(state="reconnect_required", state_reason=reason, version=ACCOUNTS.c.version + 1, **_NO_LEASE)
        )
        return await self._change(statement, "account.reconnect_required", account, reason)

    async def _change(
        self,
        statement: Update | Delete,
        event_type: EventType,
        account: Account,
        reason: str | None = None,
        act: Act | None = None,
    ) -> bool:
        """Carry a change of an account out; if there was anything to change, the application is told."""
        async with acting(self._database, act) as done:
            changed = (await done.connection.execute(statement)).rowcount > 0
            if changed:
                await _tell(done.connection, event_type, account, reason)
                await done.note()
        return changed


_NO_LEASE: dict[str, Any] = {"lease_owner": None, "lease_until": None}
_FRESH: dict[str, Any] = {**_NO_LEASE, "refresh_interrupted": False, "refresh_failing_since": None}
COLUMNS = [ACCOUNTS.c[attribute.name] for attribute in attrs.fields(Account)]
"""What an `Account` is made of."""
_NEWEST_FIRST = (
    select(*COLUMNS)
    .where(ACCOUNTS.c.application_id == bindparam("application"), ACCOUNTS.c.user_id == bindparam("user"))
    .order_by(ACCOUNTS.c.modified_at.desc(), ACCOUNTS.c.id.desc())
)
_OF_USER = PreparedStatement(_NEWEST_FIRST)
_OF_USER_IN_APP = PreparedStatement(_NEWEST_FIRST.where(ACCOUNTS.c.app_name == bindparam("app")))
_GET = PreparedStatement(select(*COLUMNS).where(ACCOUNTS.c.id == bindparam("account")))


def _connected(new: NewAccount) -> dict[str, Any]:
    return {
        "application_id": new.application_id,
        "user_id": new.user_id,
        "app_name": new.app_name,
        "auth_id": new.auth_id,
        "external_id": new.external_id,
        "display_name": new.display_name,
        "state": "active",
        "state_reason": None,
        "sealed_credentials": new.sealed_credentials,
        "variables": dict(new.variables),
        "own_settings": new.own_settings,
        "expires_at": new.expires_at,
        "renewal_due_at": 0.0,
        "modified_at": timestamp(),
    }


async def _tell(
    connection: AsyncConnection, event_type: EventType, account: Account, reason: str | None = None
) -> None:
    """Note what happened to an account, and have the application told."""
    noted = {
        "id": call_id(),
        "at": timestamp(),
        "application_id": account.application_id,
        "user_id": account.user_id,
        "app_name": account.app_name,
        "account_id": account.id,
        "event": event_type,
        "reason": reason,
    }
    await connection.execute(insert(ACCOUNT_EVENTS).values(noted))
    event = account_event(event_type, account.application_id, account.user_id, account.app_name, account.id, reason)
    await record(connection, event)
