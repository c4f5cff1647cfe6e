"""Who may do what: the roles of operators and keys, and the acts that the audit trail knows."""

from collections.abc import Mapping
from enum import Enum
from typing import get_args

from service_server.store import Role

ROLES: tuple[Role, ...] = get_args(Role)


class Permission(Enum):
    """What an operator or a key may be allowed to do; the value says it to people."""

    SEE = "see what is set up, and the list of calls"
    SEE_CONTENTS = "see what calls were given and what they answered"
    SET_UP = "set up applications, apps and webhooks"
    CHANGE_USERS = "act on users’ accounts and data"
    MANAGE_OPERATORS = "manage operators and keys"
    SEE_AUDIT = "see the audit trail"


_EVERYTHING = frozenset(Permission)
PERMISSIONS: Mapping[Role, frozenset[Permission]] = {
    "owner": _EVERYTHING,
    "developer": _EVERYTHING - {Permission.MANAGE_OPERATORS, Permission.SEE_AUDIT},
    "viewer": frozenset({Permission.SEE}),
}
"""What each role may do; a viewer who `sees_contents` may also see contents."""

ACTS: Mapping[str, Permission] = {
    "application.created": Permission.SET_UP,
    "application.renamed": Permission.SET_UP,
    "application.secret_added": Permission.SET_UP,
    "application.secret_retired": Permission.SET_UP,
    "application.origin_allowed": Permission.SET_UP,
    "application.origin_disallowed": Permission.SET_UP,
    "application.branded": Permission.SET_UP,
    "app.configured": Permission.SET_UP,
    "app.shared": Permission.SET_UP,
    "app.tried": Permission.SET_UP,
    "webhook.created": Permission.SET_UP,
    "webhook.secret_added": Permission.SET_UP,
    "webhook.secret_retired": Permission.SET_UP,
    "webhook.enabled": Permission.SET_UP,
    "webhook.disabled": Permission.SET_UP,
    "webhook.removed": Permission.SET_UP,
    "webhook.tested": Permission.SET_UP,
    "webhook.resent": Permission.SET_UP,
    "call.read": Permission.SEE_CONTENTS,
    "playground.opened": Permission.CHANGE_USERS,
    "call.replayed": Permission.CHANGE_USERS,
    "calls.exported": Permission.SEE,
    "account.disconnected": Permission.CHANGE_USERS,
    "user.exported": Permission.CHANGE_USERS,
    "user.erasure_begun": Permission.CHANGE_USERS,
    "user.erased": Permission.CHANGE_USERS,
    "operator.added": Permission.MANAGE_OPERATORS,
    "operator.password_set": Permission.MANAGE_OPERATORS,
    "operator.role_set": Permission.MANAGE_OPERATORS,
    "operator.removed": Permission.MANAGE_OPERATORS,
    "operator.signed_in": Permission.MANAGE_OPERATORS,
    "session.ended": Permission.MANAGE_OPERATORS,
    "session.all_ended": Permission.MANAGE_OPERATORS,
    "key.created": Permission.MANAGE_OPERATORS,
    "key.removed": Permission.MANAGE_OPERATORS,
}
"""What is written into the audit trail, and the permission that it takes. An act's subject is the id of its thing."""
