"""Host applications: their keys, secrets and origins."""

from collections.abc import Mapping
from typing import Any

from litestar import Request, Response, get, post
from litestar.params import FromPath

from service_server.administration.brands import MOST_LOGO_BYTES, set_brand
from service_server.administration.failures import AdministrationError
from service_server.administration.live_secrets import secret_fingerprint
from service_server.administration.permissions import Permission
from service_server.console.failures import not_found
from service_server.console.guard import needs
from service_server.console.pages import see_other
from service_server.console.visit import LONGEST_FORM_BYTES, Visit, submitted, submitted_with_files, visit
from service_server.html_pages.colours import shades_of
from service_server.store import Application

_LIST = "applications.html"


@get("/console/applications", include_in_schema=False, **needs(Permission.SEE))
async def list_applications(request: Request[Any, Any, Any]) -> Response[bytes]:
    """All applications, and a form for another one."""
    return await _list(await visit(request))


@post(
    "/console/applications",
    include_in_schema=False,
    request_max_body_size=LONGEST_FORM_BYTES,
    **needs(Permission.SET_UP),
)
async def create_application(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Add an application; the answer is the one page that shows its secret."""
    current, form = await submitted(request)
    origins = form.get("origins", "").split()
    try:
        application, secret = await current.service.administration.create_application(
            current.actor, form.get("name", ""), origins
        )
    except AdministrationError as error:
        return await _list(current, form=form, problem=str(error))
    return current.page("secret.html", application=application, secret=secret, is_new=True)


@get("/console/applications/{application_id:int}", include_in_schema=False, **needs(Permission.SEE))
async def show_application(request: Request[Any, Any, Any], application_id: FromPath[int]) -> Response[bytes]:
    """One application."""
    current = await visit(request)
    return await _show(current, await application_named(current, application_id))


@post(
    "/console/applications/{application_id:int}/rotate",
    include_in_schema=False,
    request_max_body_size=LONGEST_FORM_BYTES,
    **needs(Permission.SET_UP),
)
async def rotate_secret(request: Request[Any, Any, Any], application_id: FromPath[int]) -> Response[bytes]:
    """Add a second live secret; the answer is the one page that shows it."""
    current, _ = await submitted(request)
    application = await application_named(current, application_id)
    try:
        application, secret = await current.service.administration.add_secret(current.actor, application)
    except AdministrationError as error:
        return await _show(current, application, problem=str(error))
    return current.page("secret.html", application=application, secret=secret, is_new=False)


@post(
    "/console/applications/{application_id:int}/retire",
    include_in_schema=False,
    request_max_body_size=LONGEST_FORM_BYTES,
    **needs(Permission.SET_UP),
)
async def retire_secret(request: Request[Any, Any, Any], application_id: FromPath[int]) -> Response[bytes]:
    """End the older secret."""
    current, form = await submitted(request)
    application = await application_named(current, application_id)
    try:
        await current.service.administration.retire_secret(current.actor, application, form.get("fingerprint", ""))
    except AdministrationError as error:
        return await _show(current, await application_named(current, application_id), problem=str(error))
    return see_other(f"/console/applications/{application_id}?done=retired")


@post(
    "/console/applications/{application_id:int}/brand",
    include_in_schema=False,
    request_max_body_size=LONGEST_FORM_BYTES + 2 * MOST_LOGO_BYTES,
    **needs(Permission.SET_UP),
)
async def brand_application(request: Request[Any, Any, Any], application_id: FromPath[int]) -> Response[bytes]:
    """Set how users see the application; if no new logo is chosen, the old one stays."""
    current, form, files = await submitted_with_files(request)
    application = await application_named(current, application_id)
    given: dict[str, str | bytes | None] = {"name": form.get("name"), "accent": form.get("accent")}
    if files.get("logo") or "remove-logo" in form:
        given["logo"] = files.get("logo")
    try:
        await set_brand(current.actor, current.service.applications, application_id, given)
    except AdministrationError as error:
        return await _show(current, application, brand_form=form, brand_problems=error.problems)
    return see_other(f"/console/applications/{application_id}?done=brand")


@post(
    "/console/applications/{application_id:int}/origins",
    include_in_schema=False,
    request_max_body_size=LONGEST_FORM_BYTES,
    **needs(Permission.SET_UP),
)
async def allow_origin(request: Request[Any, Any, Any], application_id: FromPath[int]) -> Response[bytes]:
    """Add an allowed origin."""
    current, form = await submitted(request)
    application = await application_named(current, application_id)
    origin = form.get("origin", "")
    try:
        await current.service.administration.allow_origin(current.actor, application, origin)
    except AdministrationError as error:
        return await _show(current, application, origin=origin, origin_problem=str(error))
    return see_other(f"/console/applications/{application_id}?done=origin-added")


@post(
    "/console/applications/{application_id:int}/origins/remove",
    include_in_schema=False,
    request_max_body_size=LONGEST_FORM_BYTES,
    **needs(Permission.SET_UP),
)
async def disallow_origin(request: Request[Any, Any, Any], application_id: FromPath[int]) -> Response[bytes]:
    """Remove an allowed origin."""
    current, form = await submitted(request)
    application = await application_named(current, application_id)
    await current.service.administration.disallow_origin(current.actor, application, form.get("origin", ""))
    return see_other(f"/console/applications/{application_id}?done=origin-removed")


APPLICATION_ROUTES = [
    list_applications,
    create_application,
    show_application,
    rotate_secret,
    retire_secret,
    brand_application,
    allow_origin,
    disallow_origin,
]


async def application_named(current: Visit, application_id: int) -> Application:
    """The application of this number; a page that is not there where there is none."""
    # SQLite has no larger numbers; asking for one would fail.
    application = await current.service.applications.get(application_id) if 0 < application_id < 2**63 else None
    if application is None:
        raise not_found("application")
    return application


async def _list(current: Visit, *, form: dict[str, str] | None = None, problem: str = "") -> Response[bytes]:
    return current.page(
        _LIST,
        status=422 if problem else 200,
        applications=await current.service.applications.everyone(),
        form=form or {},
        problem=problem,
    )


async def _show(
    current: Visit,
    application: Application,
    *,
    problem: str = "",
    origin: str = "",
    origin_problem: str = "",
    brand_form: Mapping[str, str] | None = None,
    brand_problems: Mapping[str, str] | None = None,
) -> Response[bytes]:
    brand = await current.service.applications.brand(application.id)
    kept = {"name": brand.name or "", "accent": brand.accent or ""}
    two = len(application.sealed_secrets) > 1
    return current.page(
        "application.html",
        status=422 if problem or origin_problem or brand_problems else 200,
        application=application,
        brand=brand,
        brand_form={**kept, **{name: text[:2048] for name, text in (brand_form or {}).items()}},
        brand_problems=brand_problems or {},
        shades=None if brand.accent is None else shades_of(brand.accent),
        old_secret=secret_fingerprint(application.sealed_secrets[-1]) if two else None,
        problem=problem,
        origin=origin[:2048],
        origin_problem=origin_problem,
    )
