"""What an owner does with operators: adding them, their roles and passwords, removing them."""

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeAlias

from attrs import evolve, frozen

from service_server.administration.actors import Actor
from service_server.administration.failures import AdministrationError, check_name, no_operator
from service_server.administration.passwords import check_length, hash_password
from service_server.administration.permissions import ROLES, Permission
from service_server.store import Act, Operator, Operators, Role
from service_server.store.clock import timestamp

_ChangeOfOne: TypeAlias = Callable[[Operator, Sequence[Operator]], Operator | None]


@frozen
class OperatorAdministration:
    """
    Changes operators, each change in one transaction with its line in the audit trail; their sessions follow at once.

    There is always an owner: the last one is neither removed nor given another role. What can't be done raises
    AdministrationError.
    """

    operators: Operators

    async def everyone(self, actor: Actor) -> list[Operator]:
        """All operators, by name."""
        actor.check(Permission.MANAGE_OPERATORS)
        return await self.operators.everyone()

    async def add(
        self, actor: Actor, name: str, password: str, role: str = "owner", *, sees_contents: bool = False
    ) -> Operator:
        """Add someone who may sign in to the console."""
        check_name(name)
        known, hashed = check_role(role), await _hashed(password)
        made = Operator(
            name=name, password_hash=hashed, role=known, sees_contents=sees_contents, created_at=timestamp()
        )

        def add(current: Operator | None, _others: Sequence[Operator]) -> Operator:
            if current is not None:
                raise AdministrationError(f"There is an operator {name} already.")
            return made

        act = actor.does("operator.added", name, role=role, sees_contents=sees_contents)
        await self.operators.change(name, add, act)
        return made

    async def set_password(self, actor: Actor, name: str, password: str) -> None:
        """Give an operator another password, which ends their sessions; everybody may do so for themselves."""
        hashed = await _hashed(password)
        act = actor.does_for_themselves("operator.password_set", name)
        await self._change(name, act, lambda current, _: evolve(current, password_hash=hashed))

    async def set_role(self, actor: Actor, name: str, role: str, *, sees_contents: bool = False) -> None:
        """Give an operator a role; `sees_contents` lets a viewer see arguments and outputs."""
        known = check_role(role)

        def change(current: Operator, others: Sequence[Operator]) -> Operator:
            if known != "owner":
                _keep_an_owner(current, others)
            return evolve(current, role=known, sees_contents=sees_contents)

        await self._change(name, actor.does("operator.role_set", name), change)

    async def remove(self, actor: Actor, name: str) -> None:
        """Remove an operator; their sessions end at once."""

        def remove(current: Operator, others: Sequence[Operator]) -> None:
            _keep_an_owner(current, others)

        await self._change(name, actor.does("operator.removed", name), remove)

    async def _change(self, name: str, act: Act, change: _ChangeOfOne) -> None:
        def change_one(current: Operator | None, others: Sequence[Operator]) -> Operator | None:
            if current is None:
                raise no_operator(name)
            return change(current, others)

        await self.operators.change(name, change_one, act)


def check_role(role: str) -> Role:
    """Refuse what is no role."""
    for each in ROLES:
        if each == role:
            return each
    raise AdministrationError(f"There is no role {role[:40]!r}; there are: {', '.join(ROLES)}.")


def _keep_an_owner(current: Operator, others: Sequence[Operator]) -> None:
    if current.role == "owner" and not any(each.role == "owner" for each in others):
        raise AdministrationError(f"{current.name} is the last owner. Make someone else an owner first.")


async def _hashed(password: str) -> str:
    check_length(password)
    return await asyncio.to_thread(hash_password, password)
