"""The pages that users see while connecting, on the service's own origin."""

from typing import Any
from urllib.parse import parse_qsl

from litestar import Request, Response, get, post
from litestar.params import FromPath

from service_server.connect.pages.answers import Answer
from service_server.connect.pages.endings import out_of_order
from service_server.connect.pages.responses import cookie_name, response_of
from service_server.connect.pages.steps import Steps
from service_server.html_pages.language import accepted_locale, speak_here
from service_server.html_pages.tokens import is_cookie, new_secret

_LONGEST_FORM_BYTES = 64 * 1024
_MOST_FIELDS = 100


def is_connect_page(request: Request[Any, Any, Any]) -> bool:
    """Whether people in a browser wait for the answer to a request."""
    return request.url.path.startswith(("/connect/", "/oauth/callback"))


def answer_out_of_order() -> Response[bytes]:
    """Answer with a page that people can do something with, in place of what programs read."""
    return response_of(out_of_order())


@get("/connect/{session_id:str}", include_in_schema=False)
async def show_connect_page(request: Request[Any, Any, Any], session_id: FromPath[str]) -> Response[bytes]:
    """The page of a connect session; the first browser that opens it becomes the only one it works in."""
    steps = await _steps(request)
    cookie = _cookie(request, steps)
    new_cookie = new_secret() if cookie is None else None
    asked = request.query_params
    answer = await steps.open(session_id, cookie or str(new_cookie), asked.get("auth"), asked.get("search", ""))
    return response_of(answer, new_cookie=new_cookie, secure=steps.secure)


@post("/connect/{session_id:str}/begin", include_in_schema=False, request_max_body_size=_LONGEST_FORM_BYTES)
async def begin_with_link(request: Request[Any, Any, Any], session_id: FromPath[str]) -> Response[bytes]:
    """Go on with a link that was sent; opening it is not enough, since programs that check mail open links, too."""
    steps = await _steps(request)
    return response_of(await steps.begin(session_id, _cookie(request, steps)))


@post("/connect/{session_id:str}", include_in_schema=False, request_max_body_size=_LONGEST_FORM_BYTES)
async def submit_connect_page(request: Request[Any, Any, Any], session_id: FromPath[str]) -> Response[bytes]:
    """Go on: to the provider's page, or with the credentials typed in."""
    steps = await _steps(request)
    cookie = _cookie(request, steps)
    return response_of(await steps.submit(session_id, cookie, await _form(request)))


@post("/connect/{session_id:str}/cancel", include_in_schema=False, request_max_body_size=_LONGEST_FORM_BYTES)
async def cancel_connect_page(request: Request[Any, Any, Any], session_id: FromPath[str]) -> Response[bytes]:
    """End the session because the user says so."""
    steps = await _steps(request)
    return response_of(await steps.cancel(session_id, _cookie(request, steps), await _form(request)))


@post(
    "/connect/{session_id:str}/closed",
    include_in_schema=False,
    request_max_body_size=_LONGEST_FORM_BYTES,
    status_code=204,
)
async def close_connect_page(request: Request[Any, Any, Any], session_id: FromPath[str]) -> None:
    """Take note that the window was closed; nobody is there to read an answer."""
    steps = await _steps(request)
    await steps.close(session_id, _cookie(request, steps), await _form(request))


@get("/connect/{session_id:str}/state", include_in_schema=False)
async def tell_connect_state(request: Request[Any, Any, Any], session_id: FromPath[str]) -> Response[dict[str, str]]:
    """How the session stands, for its own page."""
    steps = await _steps(request)
    standing = await steps.standing(session_id, _cookie(request, steps))
    return Response({"status": standing}, headers={"Cache-Control": "no-store"})


@get("/oauth/callback", include_in_schema=False)
async def take_provider_answer(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Where providers send the browser back to."""
    steps = await _steps(request)
    parameters: dict[str, list[str]] = {}
    for name, value in request.query_params.multi_items():
        parameters.setdefault(name, []).append(value)
    answer: Answer = await steps.come_back(_cookie(request, steps), parameters)
    return response_of(answer)


CONNECT_ROUTES: list[Any] = [
    show_connect_page,
    begin_with_link,
    submit_connect_page,
    cancel_connect_page,
    close_connect_page,
    tell_connect_state,
    take_provider_answer,
]


async def _steps(request: Request[Any, Any, Any]) -> Steps:
    """Return what answers, and speak the browser's language until the session names one."""
    await speak_here(accepted_locale(request.headers.get("accept-language")))
    steps: Steps = request.app.state.connect_steps
    return steps


def _cookie(request: Request[Any, Any, Any], steps: Steps) -> str | None:
    cookie = request.cookies.get(cookie_name(steps.secure))
    return cookie if is_cookie(cookie) else None


async def _form(request: Request[Any, Any, Any]) -> dict[str, str]:
    """Read a form; one that can't be read is empty, and refused as any other that none of our pages would send."""
    try:
        pairs = parse_qsl((await request.body()).decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError:
        return {}
    return dict(pairs)
