"""Signing in and out, and the overview that signing in leads to."""

from typing import Any

from litestar import Request, Response, get, post

from service_server.administration.permissions import Permission
from service_server.console.entrance import MustWait, visitor_of
from service_server.console.failures import out_of_date
from service_server.console.guard import OPEN, needs
from service_server.console.openid import is_page_of_ours
from service_server.console.overview import overview
from service_server.console.pages import page_response, see_other
from service_server.console.visit import LONGEST_FORM_BYTES, entrance_of, read_posted_form, submitted, visit_of

_SIGNED_OUT = "You were signed out, so nothing was changed. Sign in and repeat what you wanted to do."


@get("/console", include_in_schema=False, **OPEN)
async def show_entrance(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The overview, or the sign-in page when nobody is signed in."""
    session = await entrance_of(request).session(request.cookies)
    if session is None:
        return _sign_in_page(
            request,
            next_page=request.query_params.get("next", ""),
            problem=_SIGNED_OUT if "unsent" in request.query_params else "",
        )
    return await overview(visit_of(request, session))


@post("/console", include_in_schema=False, request_max_body_size=LONGEST_FORM_BYTES, **OPEN)
async def sign_in(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Check operator and password; begin a session."""
    entrance = entrance_of(request)
    form = await read_posted_form(request)
    if not entrance.is_visitor_token(form.get("token", ""), request.cookies):
        raise out_of_date()
    operator, next_page = form.get("operator", ""), form.get("next", "")
    try:
        cookie = await entrance.sign_in(operator, form.get("password", ""), visitor_of(request))
    except MustWait as refusal:
        text = f"Too many wrong passwords. Try again in {refusal.seconds} seconds."
        page = _sign_in_page(request, operator=operator, next_page=next_page, problem=text, status=429)
        page.headers["Retry-After"] = str(refusal.seconds)
        return page
    if cookie is None:
        text = "The operator or the password is wrong."
        return _sign_in_page(request, operator=operator, next_page=next_page, problem=text, status=403)
    return see_other(next_page if is_page_of_ours(next_page) else "/console", [cookie])


@post("/console/sign-out", include_in_schema=False, request_max_body_size=LONGEST_FORM_BYTES, **needs(Permission.SEE))
async def sign_out(request: Request[Any, Any, Any]) -> Response[bytes]:
    """End the session."""
    current, _ = await submitted(request)
    return see_other("/console", [await entrance_of(request).sign_out(current.actor, current.session)])


SIGN_IN_ROUTES = [show_entrance, sign_in, sign_out]


def _sign_in_page(
    request: Request[Any, Any, Any], *, next_page: str, operator: str = "", problem: str = "", status: int = 200
) -> Response[bytes]:
    token, cookie = entrance_of(request).visitor(request.cookies)
    by_openid = request.app.state.console_openid is not None
    context = {
        "session": None,
        "by_openid": by_openid,
        "token": token,
        "operator": operator[:200],
        "next": next_page,
        "problem": problem,
    }
    return page_response("sign_in.html", context, status=status, cookies=[] if cookie is None else [cookie])
