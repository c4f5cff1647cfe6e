"""The playground: a function's real form, as a user of an application sees it, and what comes of sending it."""

from typing import Any
from urllib.parse import urlsplit

from litestar import Request, Response, get

from service_server.administration.permissions import Permission
from service_server.administration.session_tokens import mint, newest_secret_name
from service_server.catalog.values import FunctionDefinition
from service_server.console.guard import needs
from service_server.console.visit import Visit, visit
from service_server.store import Application

_TOKEN_SECONDS = 30 * 60.0
_LONGEST_USER_ID = 256


@get("/console/playground", include_in_schema=False, **needs(Permission.CHANGE_USERS))
async def show_playground(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Choose an application, a user and a function; then the form, with a token for just this."""
    current = await visit(request)
    asked = {name: current.query.get(name, "").strip() for name in ("application", "user", "function")}
    applications = await current.service.applications.everyone()
    application = next((each for each in applications if str(each.id) == asked["application"]), None)
    function = current.service.catalog.function(asked["function"])
    problems = _problems(asked, application, function) if any(asked.values()) else {}
    ready = application is not None and function is not None and not problems
    return current.page(
        "playground.html",
        status=422 if problems else 200,
        sdk_from=_public_origin(current) if ready else None,
        applications=applications,
        asked=asked,
        problems=problems,
        function=function if ready else None,
        application=application,
        token=await _token(current, application, asked["user"], function) if ready else None,
        elsewhere=urlsplit(current.service.settings.public_url).netloc != request.headers.get("host", ""),
    )


PLAYGROUND_ROUTES = [show_playground]


def _problems(
    asked: dict[str, str], application: Application | None, function: FunctionDefinition | None
) -> dict[str, str]:
    problems = {}
    if application is None:
        problems["application"] = "Choose an application."
    if not 1 <= len(asked["user"]) <= _LONGEST_USER_ID or not asked["user"].isprintable():
        problems["user"] = f"Give the id of a user, of {_LONGEST_USER_ID} characters at most."
    if function is None:
        problems["function"] = "Give the full name of a function of the catalogue."
    elif function.type == "passthrough":
        problems["function"] = "It has no form: a passthrough request is written by hand."
    return problems


async def _token(
    current: Visit, application: Application | None, user_id: str, function: FunctionDefinition | None
) -> str:
    """A token for the functions of one app and one user, from pages of this service; the audit trail has it."""
    assert application is not None  # noqa: S101  it was looked at before
    assert function is not None  # noqa: S101
    vault, actor = current.service.vault, current.actor
    act = actor.does("playground.opened", user_id, application=application.id, function=function.name)
    await current.service.audit.add(act)
    token, _ = mint(
        vault,
        application,
        user_id,
        newest_secret_name(vault, application),
        seconds=_TOKEN_SECONDS,
        apps=[function.app_name],
        origin=_public_origin(current),
        allows_origin=True,
    )
    return token


def _public_origin(current: Visit) -> str:
    public = urlsplit(current.service.settings.public_url)
    return f"{public.scheme}://{public.netloc}"
