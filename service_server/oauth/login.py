"""Token exchange: the login and renewal calls of an app's own, read as token answers."""

from collections.abc import Mapping
from typing import Any

from service_server.catalog.expressions import ABSENT
from service_server.catalog.values import Connector, Context, RequestTemplate, TokenExchange
from service_server.foreign_json import read_json
from service_server.oauth.token_answer import TokenAnswer, TokenAnswerUnreadable, TokenRefused, is_token, lifetime
from service_server.oauth.token_endpoint import TIMEOUT_SECONDS, TokenEndpointUnreachable
from service_server.onward.sender import Sender
from service_server.onward.values import HostNotAllowed, Interrupted, NotSent, OnwardResponse

_REFUSALS = frozenset({400, 401, 403, 404, 422})


async def log_in(
    sender: Sender, connector: Connector, auth: TokenExchange, template: RequestTemplate, context: Context
) -> TokenAnswer:
    """
    Make a login or renewal call; raises as `token_endpoint.ask_for_token`.

    An app that says no names no OAuth error, so `TokenRefused` has no code here.
    """
    request = template.build(connector.base_url(context), context)
    try:
        response = await sender.send(request, connector.host_rules(context), timeout_seconds=TIMEOUT_SECONDS)
    except (NotSent, HostNotAllowed) as failure:
        raise TokenEndpointUnreachable(failure.reason, sent=False) from None
    except Interrupted as failure:
        raise TokenEndpointUnreachable(failure.reason, sent=True) from None
    return _read(connector, auth, response)


def _read(connector: Connector, auth: TokenExchange, response: OnwardResponse) -> TokenAnswer:
    try:
        body = read_json(response.body)
    except ValueError:
        body = None
    values = {name: path.find(_answer(response, body)) for name, path in auth.token_paths.items()}
    if 200 <= response.status < 300 and is_token(values["access_token"]):
        token = {name: value for name, value in values.items() if value is not ABSENT and value not in (None, "")}
        seconds = lifetime(token.pop("expires_in", None))
        return TokenAnswer(token, None if seconds is None else seconds * auth.expires_unit_seconds)
    refused = response.status in _REFUSALS or connector.error_kind(response, body) == "reconnect"
    if refused and connector.error_kind(response, body) != "rate_limited":
        raise TokenRefused(None)
    raise TokenAnswerUnreadable(f"its login answered {response.status} without a token")


def _answer(response: OnwardResponse, body: Any) -> Mapping[str, Any]:
    return {"body": body, "header": response.headers, "status": response.status}
