"""Sends requests to token and revocation endpoints, under the same checks and limits as every onward request."""

import base64
import contextlib
from typing import Any
from urllib.parse import parse_qsl

from service_server.catalog.requests import own_host
from service_server.catalog.values import Connector
from service_server.json_texts.foreign import read_json
from service_server.oauth.token_answer import TokenAnswer, TokenAnswerUnreadable, TokenRefused, read_token_answer
from service_server.onward.sender import Sender
from service_server.onward.values import HostNotAllowed, HostRules, Interrupted, NotSent, OnwardRequest, OnwardResponse
from service_server.redaction.spellings import Spellings

TIMEOUT_SECONDS = 15.0
UNDISCLOSED = "undisclosed"
"""Stands for the error code of a provider that repeats a secret in it."""

_SECRET_PARAMETERS = frozenset(
    {"client_secret", "code", "code_verifier", "refresh_token", "assertion", "client_assertion", "token"}
)


class TokenEndpointUnreachable(Exception):
    """No whole answer came, though the request may have been `sent`; `reason` is for people and holds no secret."""

    def __init__(self, reason: str, *, sent: bool) -> None:
        super().__init__(reason)
        self.reason = reason
        self.sent = sent


async def ask_for_token(sender: Sender, request: OnwardRequest, connector: Connector | None = None) -> TokenAnswer:
    """
    Send a token request; raises TokenEndpointUnreachable, and what `read_token_answer` raises.

    If a provider refuses without an OAuth error, the `errors` of its `connector` can recognise that.
    """
    response = await post(sender, request)
    try:
        return read_token_answer(response)
    except TokenAnswerUnreadable:
        if connector is not None and connector.declared_kind(response, _json(response)) == "reconnect":
            raise TokenRefused(None) from None
        raise
    except TokenRefused as refusal:
        if refusal.code is not None and _secrets(request).are_in(refusal.code):
            raise TokenRefused(UNDISCLOSED) from None  # what it says goes into logs and pages
        raise


def _json(response: OnwardResponse) -> Any:
    try:
        return read_json(response.body)
    except ValueError:
        return None


def _secrets(request: OnwardRequest) -> Spellings:
    sent = [value for name, value in parse_qsl(request.body.decode("utf-8", "replace")) if name in _SECRET_PARAMETERS]
    for name, value in request.headers:
        if name.lower() == "authorization":
            sent.append(value.partition(" ")[2])
            with contextlib.suppress(ValueError):
                client = base64.b64decode(sent[-1]).decode()
                sent += [client, client.partition(":")[2]]
    return Spellings.of(sent)


async def post(sender: Sender, request: OnwardRequest, timeout_seconds: float = TIMEOUT_SECONDS) -> OnwardResponse:
    """Send a request to the host it names and to no other."""
    try:
        return await sender.fetch(
            request,
            HostRules((own_host(request.url),)),
            timeout_seconds=timeout_seconds,
            secret_headers=frozenset({"authorization"}),
        )
    except (NotSent, HostNotAllowed) as failure:
        raise TokenEndpointUnreachable(failure.reason, sent=False) from None
    except Interrupted as failure:
        raise TokenEndpointUnreachable(failure.reason, sent=True) from None
    except ValueError:  # a URL built from variables that is not a URL
        raise TokenEndpointUnreachable("its address is not valid", sent=False) from None
