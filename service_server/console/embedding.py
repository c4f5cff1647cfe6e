"""How an application is embedded: the code of its page and of its backend, with its key and this service's address."""

import json
from typing import Any

from litestar import Request, Response, get
from litestar.params import FromPath

from service_server.administration.permissions import Permission
from service_server.console.applications import application_named
from service_server.console.call_code import Code
from service_server.console.guard import needs
from service_server.console.visit import visit


@get("/console/applications/{application_id:int}/embedding", include_in_schema=False, **needs(Permission.SEE))
async def show_embedding(request: Request[Any, Any, Any], application_id: FromPath[int]) -> Response[bytes]:
    """The code that embeds one application."""
    current = await visit(request)
    application = await application_named(current, application_id)
    url, key = current.service.settings.public_url, application.app_key
    return current.page(
        "embedding.html",
        application=application,
        parts=[_page(url), _python(key), _node(key), _policy(url)],
    )


EMBEDDING_ROUTES = [show_embedding]


def _page(url: str) -> Code:
    return Code(
        "page",
        "Page",
        f"""<script src="{url}/servicejs/v1/servicejs.js"></script>
<script type="module">
  // Your backend says who the user is, and proves it by the hash; see below.
  const {{ appKey, userId, hash }} = await (await fetch("/service-credentials")).json();
  const sdk = new ServiceJS({{ appKey, userId, hash }});
  sdk.showApps();
</script>""",
    )


def _python(key: str) -> Code:
    return Code(
        "python",
        "Backend in Python",
        f"""import hashlib
import hmac
import os

APP_KEY = {key!r}
SECRET = os.environ["APP_SECRET"]  # the application's secret, which never reaches a page


def service_credentials(user_id: str) -> dict[str, str]:
    \"\"\"What GET /service-credentials answers to the user who is signed in with you.\"\"\"
    signed = hmac.new(SECRET.encode(), user_id.encode(), hashlib.sha256).hexdigest()
    return {{"appKey": APP_KEY, "userId": user_id, "hash": signed}}""",
    )


def _node(key: str) -> Code:
    return Code(
        "node",
        "Backend in Node",
        f"""import {{ createHmac }} from "node:crypto";

const appKey = {json.dumps(key)};
const secret = process.env.APP_SECRET; // the application's secret, which never reaches a page

/** What GET /service-credentials answers to the user who is signed in with you. */
export function serviceCredentials(userId) {{
  const hash = createHmac("sha256", secret).update(userId, "utf8").digest("hex");
  return {{ appKey, userId, hash }};
}}""",
    )


def _policy(url: str) -> Code:
    return Code(
        "policy",
        "Content-Security-Policy, where your page has one",
        f"script-src {url} 'wasm-unsafe-eval';\nworker-src blob:;\nconnect-src {url};\nimg-src {url}",
    )
