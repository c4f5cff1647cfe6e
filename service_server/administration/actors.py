"""Who acts: an operator in the console, a key of the admin API, or whoever has the command line."""

import getpass
import os
from collections.abc import Mapping
from typing import Any

from attrs import frozen

from service_server.administration.failures import AdministrationError
from service_server.administration.permissions import ACTS, PERMISSIONS, Permission
from service_server.store import Act, Role, Via


class NotAllowed(AdministrationError):
    """The actor's role does not allow this."""

    def __init__(self, role: Role, permission: Permission) -> None:
        super().__init__(f"The role {role} doesn’t allow to {permission.value}. An owner can change the role.")
        self.permission = permission


@frozen(kw_only=True)
class Actor:
    """
    Who does something, from where, and what their role allows.

    Every function that changes something takes one, and asks it for the `Act` that goes into the audit trail.
    """

    name: str
    via: Via
    role: Role
    sees_contents: bool = False
    key_id: str | None = None
    address: str | None = None
    request_id: str | None = None

    def may(self, permission: Permission) -> bool:
        """Whether the role allows something."""
        return permission in PERMISSIONS[self.role] or (permission is Permission.SEE_CONTENTS and self.sees_contents)

    def check(self, permission: Permission) -> None:
        """Raise NotAllowed if the role does not allow something."""
        if not self.may(permission):
            raise NotAllowed(self.role, permission)

    def does(self, act: str, subject: str | int = "", **changes: Any) -> Act:
        """Say that the actor does one of the ACTS, with what it changes and no secret; raises NotAllowed."""
        self.check(ACTS[act])
        return self._act(act, subject, changes)

    def does_for_themselves(self, act: str, operator: str) -> Act:
        """As `does`, for an act that an operator may do to themselves whatever their role."""
        if self.via == "console" and self.name == operator:
            return self._act(act, operator, {})
        return self.does(act, operator)

    def _act(self, act: str, subject: str | int, changes: Mapping[str, Any]) -> Act:
        return Act(
            name=act,
            subject=str(subject),
            actor=self.name,
            via=self.via,
            key_id=self.key_id,
            address=self.address,
            request_id=self.request_id,
            changes=changes,
        )


def command_line() -> Actor:
    """Whoever has the command line: they can read the vault's key and the database, so they may do everything."""
    try:
        name = getpass.getuser()
    except (OSError, KeyError):  # a container's user may have no name
        name = f"user {os.getuid()}"
    return Actor(name=name, via="command_line", role="owner")
