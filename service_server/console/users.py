"""Users and their accounts: what happened to somebody, and what is done for them."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from litestar import Request, Response, get, post
from litestar.params import FromPath
from litestar.response import Stream

from service_server.administration.failures import AdministrationError
from service_server.administration.permissions import Permission
from service_server.administration.users import Erased
from service_server.console.applications import application_named
from service_server.console.failures import not_found
from service_server.console.guard import needs
from service_server.console.pages import file_headers, see_other
from service_server.console.visit import LONGEST_FORM_BYTES, Visit, submitted, visit
from service_server.store import Application

PAGE_SIZE = 50
SHOWN_HAPPENINGS = 50
_PATIENCE_SECONDS = 30.0  # a browser waits for it
_LONGEST_ID = 256
_NUMBER = re.compile(r"[0-9]{1,18}")
_FORM: Mapping[str, Any] = {"include_in_schema": False, "request_max_body_size": LONGEST_FORM_BYTES}


@get("/console/users", include_in_schema=False, **needs(Permission.SEE))
async def list_users(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Users with accounts, by how their ids begin."""
    current = await visit(request)
    applications = await current.service.applications.everyone()
    asked = current.query.get("application", "")
    chosen = next((each for each in applications if str(each.id) == asked), applications[0] if applications else None)
    beginning = current.query.get("user", "")[:_LONGEST_ID]
    found = [] if chosen is None else await current.service.users.found(chosen, beginning, PAGE_SIZE + 1)
    return current.page(
        "users.html",
        applications=applications,
        application=chosen,
        beginning=beginning,
        found=found[:PAGE_SIZE],
        more=len(found) > PAGE_SIZE,
    )


@get("/console/users/{application_id:int}", include_in_schema=False, **needs(Permission.SEE))
async def show_user(request: Request[Any, Any, Any], application_id: FromPath[int]) -> Response[bytes]:
    """One user: their accounts, and what happened."""
    current = await visit(request)
    return await _show(current, await application_named(current, application_id), current.query.get("user", ""))


@get("/console/users/{application_id:int}/export", include_in_schema=False, **needs(Permission.CHANGE_USERS))
async def export_user(request: Request[Any, Any, Any], application_id: FromPath[int]) -> Stream:
    """All that is kept of a user, as a file that is made while it is sent."""
    current = await visit(request)
    application = await application_named(current, application_id)
    lines = current.service.users.export(current.actor, application, _user(current.query))
    named = {**file_headers(), "Content-Disposition": 'attachment; filename="user.jsonl"'}
    return Stream(lines, media_type="application/x-ndjson", headers=named)


@post("/console/users/{application_id:int}/disconnect", **_FORM, **needs(Permission.CHANGE_USERS))
async def disconnect_account(request: Request[Any, Any, Any], application_id: FromPath[int]) -> Response[bytes]:
    """Revoke and erase an account of a user."""
    current, form = await submitted(request)
    application = await application_named(current, application_id)
    user_id, number = _user(form), form.get("account", "")
    for account in await current.service.accounts.of_user(application.id, user_id):
        if _NUMBER.fullmatch(number) and account.id == int(number):
            revoked = await current.service.users.disconnect(current.actor, account)
            return see_other(_address(application, user_id, "disconnected" if revoked else "not-revoked"))
    return await _show(current, application, user_id, problem="This account has been disconnected already.")


@post("/console/users/{application_id:int}/erase", **_FORM, **needs(Permission.CHANGE_USERS))
async def erase_user(request: Request[Any, Any, Any], application_id: FromPath[int]) -> Response[bytes]:
    """Erase all that is kept of a user, whose id has to be typed in again."""
    current, form = await submitted(request)
    application, user_id = await application_named(current, application_id), _user(form)
    if form.get("confirmation") != user_id.strip():
        problem = "What you typed is not the user’s id. Nothing was erased."
        return await _show(current, application, user_id, problem=problem)
    try:
        erased = await current.service.users.erase(
            current.actor, application, user_id, patience_seconds=_PATIENCE_SECONDS
        )
    except AdministrationError as error:
        return await _show(current, application, user_id, problem=str(error))
    return await _show(current, application, user_id, erased=erased)


USER_ROUTES = [list_users, show_user, export_user, disconnect_account, erase_user]


def _user(given: Mapping[str, str]) -> str:
    user_id = given.get("user", "")
    if not 0 < len(user_id) <= _LONGEST_ID:
        raise not_found("user")
    return user_id


def _address(application: Application, user_id: str, done: str) -> str:
    return f"/console/users/{application.id}?{urlencode({'user': user_id, 'done': done})}"


async def _show(
    current: Visit, application: Application, user_id: str, *, problem: str = "", erased: Erased | None = None
) -> Response[bytes]:
    user_id = _user({"user": user_id})
    service = current.service
    return current.page(
        "user.html",
        status=422 if problem else 200,
        application=application,
        user_id=user_id,
        query=urlencode({"user": user_id}),
        accounts=await service.accounts.of_user(application.id, user_id),
        titles={name: each.title for name, each in service.catalog.connectors.items()},
        history=await service.users.history(application, user_id, SHOWN_HAPPENINGS),
        problem=problem,
        erased=erased,
    )
