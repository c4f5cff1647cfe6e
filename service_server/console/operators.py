"""Operators and the keys of the admin API, and the audit trail of what they do."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from attrs import frozen
from litestar import Request, Response, get, post

from service_server.administration.failures import AdministrationError
from service_server.administration.permissions import ACTS, ROLES, Permission
from service_server.console.failures import Refused
from service_server.console.guard import needs
from service_server.console.pages import see_other
from service_server.console.visit import LONGEST_FORM_BYTES, Form, Visit, submitted, visit
from service_server.store import AuditFilter
from service_server.store.clock import timestamp

PAGE_SIZE = 50
_ID = re.compile(r"[0-9a-f]{32}")
_DAYS = re.compile(r"[0-9]{1,4}")
_FORM: Mapping[str, Any] = {"include_in_schema": False, "request_max_body_size": LONGEST_FORM_BYTES}


@frozen
class AskedActs:
    """What the audit trail was asked for; an empty text stands for everything."""

    actor: str
    act: str
    subject: str
    before: str

    @property
    def narrowed(self) -> bool:
        """Whether anything is filtered out."""
        return any((self.actor, self.act, self.subject))

    def query(self, **others: str) -> str:
        """The query of an address with these filters, and others."""
        values = {"actor": self.actor, "act": self.act, "subject": self.subject, **others}
        return urlencode({name: value for name, value in values.items() if value})


@get("/console/operators", include_in_schema=False, **needs(Permission.MANAGE_OPERATORS))
async def list_operators(request: Request[Any, Any, Any]) -> Response[bytes]:
    """All operators and keys, and forms for more of them."""
    return await _list(await visit(request))


@post("/console/operators", **_FORM, **needs(Permission.MANAGE_OPERATORS))
async def add_operator(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Let someone sign in."""
    current, form = await submitted(request)
    name, contents = form.get("name", ""), "sees_contents" in form
    try:
        await current.service.operators.add(
            current.actor, name, form.get("password", ""), form.get("role", ""), sees_contents=contents
        )
    except AdministrationError as error:
        return await _list(current, form=form, problem=str(error))
    return see_other("/console/operators?done=operator-added")


@post("/console/operators/role", **_FORM, **needs(Permission.MANAGE_OPERATORS))
async def set_operator_role(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Give an operator another role."""
    current, form = await submitted(request)
    name, contents = form.get("name", ""), "sees_contents" in form
    try:
        await current.service.operators.set_role(current.actor, name, form.get("role", ""), sees_contents=contents)
    except AdministrationError as error:
        return await _list(current, problem=str(error))
    # Who has made themselves less than an owner can't see the list any more.
    still = name != current.session.operator or form.get("role") == "owner"
    return see_other("/console/operators?done=operator-role" if still else "/console")


@post("/console/operators/password", **_FORM, **needs(Permission.MANAGE_OPERATORS))
async def set_operator_password(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Give an operator another password; it may be one's own, which then asks to sign in again."""
    current, form = await submitted(request)
    try:
        await current.service.operators.set_password(current.actor, form.get("name", ""), form.get("password", ""))
    except AdministrationError as error:
        return await _list(current, problem=str(error))
    return see_other("/console/operators?done=operator-password")


@post("/console/operators/remove", **_FORM, **needs(Permission.MANAGE_OPERATORS))
async def remove_operator(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Remove an operator."""
    current, form = await submitted(request)
    try:
        await current.service.operators.remove(current.actor, form.get("name", ""))
    except AdministrationError as error:
        return await _list(current, problem=str(error))
    return see_other("/console/operators?done=operator-removed")


@post("/console/operators/keys", **_FORM, **needs(Permission.MANAGE_OPERATORS))
async def create_admin_key(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Make a key of the admin API; the answer is the one page that shows it."""
    current, form = await submitted(request)
    days = form.get("days", "")
    try:
        if days and not _DAYS.fullmatch(days):
            raise AdministrationError("The days are a whole number.")
        key, text = await current.service.admin_keys.create(
            current.actor,
            form.get("name", ""),
            form.get("role", ""),
            sees_contents="sees_contents" in form,
            days=int(days) if days else None,
        )
    except AdministrationError as error:
        return await _list(current, problem=str(error))
    return current.page("admin_key.html", key=key, text=text)


@post("/console/operators/keys/remove", **_FORM, **needs(Permission.MANAGE_OPERATORS))
async def remove_admin_key(request: Request[Any, Any, Any]) -> Response[bytes]:
    """End a key."""
    current, form = await submitted(request)
    try:
        await current.service.admin_keys.remove(current.actor, form.get("key", ""))
    except AdministrationError as error:
        return await _list(current, problem=str(error))
    return see_other("/console/operators?done=key-removed")


@get("/console/audit", include_in_schema=False, **needs(Permission.SEE_AUDIT))
async def show_audit_trail(request: Request[Any, Any, Any]) -> Response[bytes]:
    """What was done, newest first."""
    current = await visit(request)
    asked = AskedActs(*(current.query.get(name, "").strip() for name in ("actor", "act", "subject", "before")))
    if asked.before and not _ID.fullmatch(asked.before):
        raise Refused(400, "That can't be listed", "The address is not one that the console made.")
    events = await current.service.audit.events(
        limit=PAGE_SIZE + 1,
        before=asked.before or None,
        matching=AuditFilter(actor=asked.actor or None, act=asked.act or None, subject=asked.subject or None),
    )
    shown = events[:PAGE_SIZE]
    older = asked.query(before=shown[-1].id) if len(events) > PAGE_SIZE else None
    return current.page("audit.html", asked=asked, acts=sorted(ACTS), events=shown, older=older)


OPERATOR_ROUTES = [
    list_operators,
    add_operator,
    set_operator_role,
    set_operator_password,
    remove_operator,
    create_admin_key,
    remove_admin_key,
    show_audit_trail,
]


async def _list(current: Visit, *, form: Form | None = None, problem: str = "") -> Response[bytes]:
    keys = await current.service.admin_keys.everyone(current.actor)
    return current.page(
        "operators.html",
        status=422 if problem else 200,
        operators=await current.service.operators.everyone(current.actor),
        keys=[(each, _written(each.last_used_at), _written(each.expires_at)) for each in keys],
        roles=ROLES,
        form={name: text[:200] for name, text in (form or {}).items() if name != "password"},
        problem=problem,
    )


def _written(moment: float | None) -> str | None:
    return None if moment is None else timestamp(moment)
