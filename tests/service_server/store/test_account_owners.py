"""Whatever several users do in whatever order, nobody sees or changes an account of someone else."""

import asyncio
import tempfile
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from attrs import Factory, define, field
from hypothesis import given, settings
from hypothesis import strategies as st

from service_server.store import Account, AccountGone, Accounts, Database, IdentityConflict
from tests.service_server.store.databases import connect, new_account, opened_copy

pytestmark = pytest.mark.slow

Owner: TypeAlias = tuple[int, str]
OWNERS: tuple[Owner, ...] = ((1, "ann"), (1, "bea"), (2, "ann"), (2, "bea"))
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["connect", "reconnect", "disconnect", "lease", "replace", "refuse"]),
        st.sampled_from(OWNERS),
        st.sampled_from(["alice", "bob", None]),
        st.integers(0, 9),
    ),
    min_size=1,
    max_size=25,
)


@define
class _Model:
    """Whose accounts should be there, newest first, each with the credentials it should have."""

    database: Database
    expected: dict[Owner, dict[int, str]] = field(factory=lambda: {owner: {} for owner in OWNERS})
    seen: list[Account] = Factory(list)
    steps: int = 0

    async def step(self, action: str, owner: Owner, identity: str | None, pick: int) -> None:
        """Do one thing as one user, to an account that need not be theirs."""
        self.steps += 1
        picked = self.seen[pick % len(self.seen)] if self.seen else None
        if action == "connect":
            await self._connect(owner, identity, None)
        elif picked is not None and action == "reconnect":
            await self._connect(owner, identity, picked.id)
        elif picked is not None:
            await self._change(action, picked)

    async def _connect(self, owner: Owner, identity: str | None, reconnect: int | None) -> None:
        application_id, user_id = owner
        sealed = f"{owner} {self.steps}"
        new = new_account(identity, application_id=application_id, user_id=user_id, sealed_credentials=sealed)
        try:
            account = await connect(self.database, new, reconnect)
        except AccountGone:
            assert reconnect not in self.expected[owner]
            return
        except IdentityConflict:
            assert reconnect in self.expected[owner]
            return
        assert reconnect is None or (account.id == reconnect and reconnect in self.expected[owner])
        others = [ids for each, ids in self.expected.items() if each != owner]
        assert not any(account.id in ids for ids in others)
        self.expected[owner].pop(account.id, None)
        self.expected[owner] = {account.id: sealed} | self.expected[owner]
        self.seen.append(account)

    async def _change(self, action: str, account: Account) -> None:
        accounts, owner = Accounts(self.database), (account.application_id, account.user_id)
        if action == "disconnect":
            there = self.expected[owner].pop(account.id, None) is not None
            assert there == await accounts.disconnect(await accounts.get(account.id) or account)
        elif action == "lease":
            await accounts.take_lease(account, "refresher", 60)
        elif action == "refuse":
            await accounts.require_reconnect(account, "invalid_grant")
        elif await accounts.replace_credentials(account, f"{owner} refreshed {self.steps}", None, {}):
            assert account.id in self.expected[owner]
            self.expected[owner][account.id] = f"{owner} refreshed {self.steps}"

    async def check(self) -> None:
        """Every user has exactly their own accounts, with their own credentials."""
        for (application_id, user_id), expected in self.expected.items():
            found = await Accounts(self.database).of_user(application_id, user_id)
            assert list(expected.items()) == [(each.id, each.sealed_credentials) for each in found]
            assert {(application_id, user_id)} >= {(each.application_id, each.user_id) for each in found}


@settings(max_examples=25, deadline=None)
@given(steps=STEPS)
def test_nobody_meets_an_account_of_someone_else(empty_database: Path, steps: list[tuple[Any, ...]]) -> None:
    """Two users of two applications, in any order of connecting, disconnecting and refreshing."""

    async def run(folder: Path) -> None:
        async with opened_copy(empty_database, folder) as database:
            model = _Model(database)
            for action, owner, identity, pick in steps:
                await model.step(action, owner, identity, pick)
                await model.check()

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder)))
