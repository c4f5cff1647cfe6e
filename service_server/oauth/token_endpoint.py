"""Sends requests to token and revocation endpoints, by the same guards and limits as every onward request."""

from service_server.catalog.requests import own_host
from service_server.oauth.token_answer import TokenAnswer, read_token_answer
from service_server.onward.sender import Sender
from service_server.onward.values import (
    HostNotAllowed,
    HostRules,
    Interrupted,
    NotSent,
    OnwardRequest,
    OnwardResponse,
)

TIMEOUT_SECONDS = 15.0


class TokenEndpointUnreachable(Exception):
    """No whole answer came, though the request may have been `sent`; `reason` is for people and holds no secret."""

    def __init__(self, reason: str, *, sent: bool) -> None:
        super().__init__(reason)
        self.reason = reason
        self.sent = sent


async def ask_for_token(sender: Sender, request: OnwardRequest) -> TokenAnswer:
    """Send a token request; raises TokenEndpointUnreachable, and what `read_token_answer` raises."""
    return read_token_answer(await post(sender, request))


async def post(sender: Sender, request: OnwardRequest, timeout_seconds: float = TIMEOUT_SECONDS) -> OnwardResponse:
    """Send a request to the host it names and to no other."""
    try:
        return await sender.send(
            request,
            HostRules((own_host(request.url),)),
            timeout_seconds=timeout_seconds,
            secret_headers=frozenset({"authorization"}),
        )
    except (NotSent, HostNotAllowed) as failure:
        raise TokenEndpointUnreachable(failure.reason, sent=False) from None
    except Interrupted as failure:
        raise TokenEndpointUnreachable(failure.reason, sent=True) from None
    except ValueError:  # a URL made of variables that is none
        raise TokenEndpointUnreachable("its address is not valid", sent=False) from None
