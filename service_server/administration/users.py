"""What operators do for one user of an application: tell all that is kept of them, and erase it."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

from attrs import frozen

from service_server.administration.actors import Actor
from service_server.administration.failures import AdministrationError
from service_server.events import tell
from service_server.json_texts.json_text import JsonText
from service_server.oauth.credentials import Credentials
from service_server.store import (
    USER_DATA_KINDS,
    Account,
    Accounts,
    Application,
    AuditEvents,
    ConnectSessions,
    NewAccount,
    UserData,
)
from service_server.store.clock import timestamp
from service_server.vault import Kept, Unsealable, Vault

PATIENCE_SECONDS = 90.0
"""How long an erasure waits for the user's calls that are under way: longer than any call takes."""
_LOOK_SECONDS = 0.25
_ROUNDS = 5  # while calls that had begun before write their last rows


@frozen
class Erased:
    """What was erased: how many of which kind, and how many of the accounts could not be revoked at their apps."""

    counts: Mapping[str, int]
    not_revoked: int


@frozen
class FoundUser:
    """A user and their accounts, newest first."""

    user_id: str
    accounts: list[Account]


@frozen
class Happening:
    """
    Something that happened to a user: an `event` such as `account.connected` or `call.finished`.

    `about` is the app or function, `reason` why it went wrong, `call` the id of a call's own page.
    """

    at: str
    event: str
    about: str
    reason: str | None
    went_wrong: bool
    call: str | None = None


@frozen(kw_only=True)
class UserAdministration:
    """What is kept of users. Whatever can't be done raises AdministrationError."""

    vault: Vault
    accounts: Accounts
    sessions: ConnectSessions
    credentials: Credentials
    data: UserData
    audit: AuditEvents

    async def found(self, application: Application, beginning: str, limit: int) -> list[FoundUser]:
        """Users with accounts whose ids begin with a text."""
        users = await self.data.users(application.id, beginning, limit)
        return [FoundUser(each, await self.accounts.of_user(application.id, each)) for each in users]

    async def history(self, application: Application, user_id: str, limit: int) -> list[Happening]:
        """What happened to a user lately, newest first: to their accounts, and the calls made for them."""
        found = []
        for kind in ("account_event", "call", "refused_call"):
            rows = await self.data.latest(kind, application.id, user_id, limit)
            found += [_happening(kind, row) for row in rows]
        return sorted(found, key=lambda each: each.at, reverse=True)[:limit]

    async def export(self, actor: Actor, application: Application, user_id: str) -> AsyncIterator[str]:
        """
        Tell all that is kept of a user, a JSON text a line; of credentials and secrets nothing.

        The first line says who it is. Each other line has a `type`, one of USER_DATA_KINDS.
        """
        await self.audit.add(actor.does("user.exported", self._pseudonym(application, user_id), **_of(application)))
        head = {"application": application.app_key, "user_id": user_id, "exported_at": timestamp()}
        yield _line({"type": "user", **head})
        for kind in USER_DATA_KINDS:
            async for row in self.data.rows(kind, application.id, user_id):
                yield _line({"type": kind, **self._opened(kind, row, application.id, user_id)})

    async def disconnect(self, actor: Actor, account: Account) -> bool:
        """Revoke and erase an account; False if its app could not be told. Its calls stay in the log."""
        act = actor.does("account.disconnected", account.id, app=account.app_name)
        return await self.credentials.disconnect(account, act)

    async def erase(
        self, actor: Actor, application: Application, user_id: str, *, patience_seconds: float = PATIENCE_SECONDS
    ) -> Erased:
        """
        Revoke a user's accounts at their apps, and delete all that is kept of the user.

        First the accounts, so that no further call can be carried out; those under way are waited for. What was erased
        when it is broken off, by a crash for example, stays erased: erasing again does the rest.
        """
        who = self._pseudonym(application, user_id)
        await self.audit.add(actor.does("user.erasure_begun", who, **_of(application)))
        counts, not_revoked = dict.fromkeys(USER_DATA_KINDS, 0), 0
        for _ in range(_ROUNDS):
            await self._end_connecting(application, user_id)
            accounts = await self.accounts.of_user(application.id, user_id)
            for account in accounts:
                await self.data.forget_budget(account.id)
                not_revoked += not await self.credentials.disconnect(account)
            not_revoked += await self._give_up_gained(application, user_id)
            counts["account"] += len(accounts)
            await self._calls_ended(application, user_id, patience_seconds)
            deleted = await self.data.delete(application.id, user_id)
            for kind, count in deleted.items():
                counts[kind] += count
            if not accounts and not any(deleted.values()):
                await self.data.rename_in_trail(application.id, user_id, who)
                await self.audit.add(
                    actor.does("user.erased", who, **_of(application), **counts, not_revoked=not_revoked)
                )
                tell("user.erased", application=application.id, user=who, rows=sum(counts.values()))
                return Erased(counts, not_revoked)
            await asyncio.sleep(_LOOK_SECONDS)
        raise AdministrationError(
            "The user is active: more came while their data was erased. Have the application stop asking for them, "
            "then erase again."
        )

    async def _calls_ended(self, application: Application, user_id: str, patience_seconds: float) -> None:
        clock = asyncio.get_running_loop().time
        until = clock() + patience_seconds
        while await self.data.under_way(application.id, user_id):
            if clock() >= until:
                raise AdministrationError(
                    "Calls of the user are still under way. Their accounts are erased already; erase again in a minute."
                )
            await asyncio.sleep(_LOOK_SECONDS)

    async def _end_connecting(self, application: Application, user_id: str) -> None:
        for session in await self.data.connect_sessions(application.id, user_id):
            await self.sessions.finish(session.id, "cancelled")

    async def _give_up_gained(self, application: Application, user_id: str) -> int:
        """Revoke what ended sessions have gained and nobody has taken; returns how many could not be revoked."""
        failed = 0
        for session in await self.data.connect_sessions(application.id, user_id):
            try:
                gained = NewAccount(**self.vault.open(session.sealed_outcome or "", Kept.CONNECT_OUTCOME, session.id))
            except Unsealable:
                failed += session.sealed_outcome is not None
            else:
                # Many apps end all that they have granted to an identity when a part of it is revoked.
                if not await self.accounts.is_connected(gained):
                    failed += not await self.credentials.revoke(gained)
            await self.sessions.erase_outcome(session.id)
        return failed

    def _opened(self, kind: str, row: dict[str, Any], application_id: int, user_id: str) -> dict[str, Any]:
        if kind == "webhook_delivery":
            return {**row, "body": json.loads(row["body"])}
        if kind == "connect_session" and row["status"] == "pending":
            return {**row, "id": None}  # whoever opens its page first can use it
        if kind != "file":
            return row
        sealed = row.pop("sealed_head")
        try:
            head = self.vault.open(sealed, Kept.FILE, application_id, user_id, row["id"])
        except Unsealable:
            return row
        return {**row, "name": head["name"], "media_type": head["media_type"]}

    def _pseudonym(self, application: Application, user_id: str) -> str:
        """Who it is, for the trail and the log: nothing of an erased user is to be found there."""
        return self.vault.pseudonym(application.id, user_id)


def _happening(kind: str, row: Mapping[str, Any]) -> Happening:
    if kind == "account_event":
        wrong = row["event"] in ("account.reconnect_required", "account.refresh_failed")
        return Happening(row["at"], row["event"], row["app_name"], row["reason"], wrong)
    if kind == "refused_call":
        return Happening(row["at"], "call.refused", row["function_name"], row["error"], went_wrong=True)
    code = row["network_code"] or ""
    wrong = row["outcome"] == "unknown" or (row["outcome"] == "finished" and not code.startswith("2"))
    reason = f"The app answered {code}." if wrong and code else None
    return Happening(row["started_at"], f"call.{row['outcome']}", row["function_name"], reason, wrong, row["id"])


def _of(application: Application) -> dict[str, Any]:
    return {"application": application.id}


def _line(value: Mapping[str, Any]) -> str:
    return f"{JsonText.of(value).text.decode()}\n"
