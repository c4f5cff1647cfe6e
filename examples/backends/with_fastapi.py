"""
A backend in FastAPI: its page embeds ServiceJS, and it calls a function for the user who is signed in.

Run it beside the demo, with the key, the secret and the address of the service that the demo prints:
`APP_KEY=… APP_SECRET=… SERVICE_URL=… uvicorn examples.backends.with_fastapi:app --port 9000`. It needs the packages
fastapi, itsdangerous, python-multipart, service-client and uvicorn.
"""

import html
import os
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from fastapi import Depends, FastAPI, Form, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.middleware.sessions import SessionMiddleware

from service_client import AsyncClient, CallRefusedError, ServiceClientError, sign

APP_KEY, APP_SECRET = os.environ["APP_KEY"], os.environ["APP_SECRET"]
SERVICE_URL = os.environ["SERVICE_URL"]
# Signs the session's cookie. Give it where there are several processes, or sessions should outlive a restart.
SESSION_KEY = os.environ.get("SESSION_KEY") or secrets.token_hex()
LARGEST_BODY = 10_000
HERE = Path(__file__).parent
PAGE = (HERE / "templates" / "index.html").read_text("utf-8").replace("{{ service_url }}", html.escape(SERVICE_URL))
POLICY = (
    f"default-src 'none'; script-src 'self' {SERVICE_URL} 'wasm-unsafe-eval'; worker-src blob:; "
    f"connect-src 'self' {SERVICE_URL}; img-src {SERVICE_URL}; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types servicejs"
)


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[dict[str, Any]]:
    """Keep one client, and its connections, for as long as the application runs."""
    async with AsyncClient(SERVICE_URL, app_key=APP_KEY, secret=APP_SECRET) as client:
        yield {"client": client}


app = FastAPI(lifespan=lifespan, openapi_url=None)
app.add_middleware(SessionMiddleware, secret_key=SESSION_KEY, same_site="lax")  # with TLS also: https_only=True
app.mount("/static", StaticFiles(directory=HERE / "static"))


@app.middleware("http")
async def check_request(request: Request, answer: Callable[[Request], Awaitable[Response]]) -> Response:
    """Refuse changes that another site's page asks for in the user's name, and bodies that no form here has."""
    if request.method not in ("GET", "HEAD"):
        if not from_own_page(request):
            return JSONResponse({"detail": "This request comes from another site."}, 403)
        if int(request.headers.get("content-length", LARGEST_BODY + 1)) > LARGEST_BODY:
            return JSONResponse({"detail": "This request is too large, or doesn't say how large it is."}, 413)
    return await answer(request)


def from_own_page(request: Request) -> bool:
    """Whether a page of this backend sent the request, as the browser says."""
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    return urlsplit(request.headers.get("origin", "")).netloc == request.headers.get("host")  # an older browser


def signed_in_user(request: Request) -> str:
    """Return the id of the user who is signed in, from the session that your own login has made."""
    user_id: str | None = request.session.get("user_id")
    if user_id is None:
        raise HTTPException(401, "Sign in first.")
    return user_id


SignedInUser = Annotated[str, Depends(signed_in_user)]


@app.get("/")
async def index() -> HTMLResponse:
    """Show the page, which holds nothing of the user and nothing secret."""
    return HTMLResponse(PAGE, headers={"Content-Security-Policy": POLICY})


@app.post("/sign-in")
async def sign_in(request: Request, user_name: Annotated[str, Form()]) -> dict[str, str]:
    """Your own login belongs here: this one lets in whoever gives a name."""
    if not (1 <= len(user_name) <= 100 and user_name.isprintable()):
        raise HTTPException(400, "This is no user name.")
    request.session.clear()
    request.session["user_id"] = user_name
    return {"userId": user_name}


@app.post("/sign-out")
async def sign_out(request: Request) -> dict[str, str]:
    """End the session."""
    request.session.clear()
    return {}


@app.get("/service-credentials")
async def service_credentials(user_id: SignedInUser, response: Response) -> dict[str, str]:
    """Tell the page of the signed-in user, and nobody else, the hash that ServiceJS proves them by."""
    response.headers["Cache-Control"] = "no-store"
    return {"appKey": APP_KEY, "userId": user_id, "hash": sign(user_id, APP_SECRET)}


@app.post("/report")
async def report(request: Request, user_id: SignedInUser) -> dict[str, Any]:
    """Create a ticket in the account that the user has connected."""
    user = request.state.client.for_user(user_id)
    ticket = {"title": "Weekly report", "project_id": "office"}
    try:
        result = await user.functions.call("sandbox-create-ticket", ticket)
        return {"ticket": result.raise_for_failure().output}
    except CallRefusedError as refusal:  # nothing was sent to the app, say because no account is connected yet
        raise HTTPException(409, refusal.envelope.error) from refusal
    except ServiceClientError as error:
        raise HTTPException(502, "The report could not be sent.") from error
