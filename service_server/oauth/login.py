"""Token exchange: an app's own login and renewal calls, read as token answers."""

from collections.abc import Mapping
from typing import Any

from service_server.catalog.auth import TokenExchange
from service_server.catalog.expressions import ABSENT, Context
from service_server.catalog.requests import Request
from service_server.catalog.values import Connector
from service_server.json_texts.foreign import read_json
from service_server.oauth.token_answer import (
    TokenAnswer,
    TokenAnswerUnreadable,
    TokenRefused,
    is_page,
    is_passing,
    is_token,
    lifetime,
)
from service_server.oauth.token_endpoint import TIMEOUT_SECONDS, TokenEndpointUnreachable
from service_server.onward.sender import Sender
from service_server.onward.values import HostNotAllowed, Interrupted, NotSent, OnwardResponse

_REFUSING = frozenset({401, 403})
_DOUBTFUL = frozenset({400, 401, 403, 404, 422})

_LONGEST_ANSWER = 256 * 1024  # bytes


async def log_in(
    sender: Sender, connector: Connector, auth: TokenExchange, template: Request, context: Context
) -> TokenAnswer:
    """
    Make a login or renewal call; raises as `token_endpoint.ask_for_token`.

    An app that refuses names no OAuth error, so `TokenRefused` has no code here. An HTML page is not a refusal, nor is
    a status that may just as well be about the address or form of the request, unless the connector's `errors` say so.
    """
    request = template.build(connector.base_url(context), context)
    try:
        response = await sender.fetch(request, connector.host_rules(context), timeout_seconds=TIMEOUT_SECONDS)
    except (NotSent, HostNotAllowed) as failure:
        raise TokenEndpointUnreachable(failure.reason, sent=False) from None
    except Interrupted as failure:
        raise TokenEndpointUnreachable(failure.reason, sent=True) from None
    return _read(connector, auth, response)


def _read(connector: Connector, auth: TokenExchange, response: OnwardResponse) -> TokenAnswer:
    try:
        body = read_json(response.body, most_bytes=_LONGEST_ANSWER)
    except ValueError:
        body = None
    values = {name: path.find(_answer(response, body)) for name, path in auth.token_paths.items()}
    if 200 <= response.status < 300 and is_token(values["access_token"]):
        token = {name: value for name, value in values.items() if value is not ABSENT and value not in (None, "")}
        seconds = lifetime(token.pop("expires_in", None))
        return TokenAnswer(token, None if seconds is None else seconds * auth.expires_unit_seconds)
    status, kind = response.status, connector.declared_kind(response, body)
    if kind == "rate_limited" or (kind is None and is_passing(status)):
        raise TokenAnswerUnreadable(f"its login answered {status}", "passing")
    if kind == "reconnect" or (status in _REFUSING and not is_page(response)):
        raise TokenRefused(None)
    if status in _DOUBTFUL:
        raise TokenAnswerUnreadable(f"its login answered {status}", "unexplained")
    what = "a web page" if is_page(response) else "no token where the connector looks for it"
    raise TokenAnswerUnreadable(f"its login answered {status} with {what}")


def _answer(response: OnwardResponse, body: Any) -> Mapping[str, Any]:
    return {"body": body, "header": response.headers, "status": response.status}
