"""What a token endpoint says goes into logs and pages, so it must not be able to say a secret."""

import base64
import json

import pytest

from service_server.oauth.token_answer import TokenAnswerUnreadable, TokenRefused
from service_server.oauth.token_endpoint import UNDISCLOSED, ask_for_token
from service_server.onward.values import HostRules, OnwardRequest, OnwardResponse
from tests.service_server.shipped import shipped_catalog

BASIC = base64.b64encode(b"client:a-client-secret").decode()
REQUEST = OnwardRequest(
    "POST",
    "https://provider.example/token",
    (("authorization", f"Basic {BASIC}"),),
    b"grant_type=refresh_token&refresh_token=A-Refresh-Token&client_id=acme",
)


class _Refuses:
    """Stands in for the way out: refuses with one error code, or with a body of its own."""

    def __init__(self, code: str, **body: str) -> None:
        self._body = body or {"error": code}

    async def fetch(self, request: OnwardRequest, rules: HostRules, **_: object) -> OnwardResponse:
        """Answer as a provider that repeats what it likes."""
        return OnwardResponse(400, {}, json.dumps(self._body).encode(), request.url)


@pytest.mark.parametrize("code", ["A-Refresh-Token", "no.a-refresh-token", "a-client-secret", BASIC.rstrip("=")])
async def test_a_code_that_repeats_a_secret_is_undisclosed(code: str) -> None:
    """The refusal stands, its words do not: reconnecting is not asked for on the strength of them."""
    with pytest.raises(TokenRefused) as refused:
        await ask_for_token(_Refuses(code), REQUEST)  # type: ignore[arg-type]
    assert UNDISCLOSED == refused.value.code
    assert code not in f"{refused.value!r} {refused.value.__cause__}"


@pytest.mark.parametrize("code", ["invalid_grant", "invalid_client", "refresh_token", "acme"])
async def test_other_codes_are_told(code: str) -> None:
    """What is no secret is what the operator needs to know."""
    with pytest.raises(TokenRefused) as refused:
        await ask_for_token(_Refuses(code), REQUEST)  # type: ignore[arg-type]
    assert code == refused.value.code


async def test_a_connector_can_tell_a_refusal_without_an_oauth_error() -> None:
    """HubSpot says no in words of its own; its connector's `errors` know them, and other words are no refusal."""
    hubspot = shipped_catalog().connectors["hubspot"]
    with pytest.raises(TokenRefused) as refused:
        await ask_for_token(_Refuses("", status="BAD_REFRESH_TOKEN", message="gone"), REQUEST, hubspot)  # type: ignore[arg-type]
    with pytest.raises(TokenAnswerUnreadable):
        await ask_for_token(_Refuses("", status="MAINTENANCE"), REQUEST, hubspot)  # type: ignore[arg-type]

    assert refused.value.code is None
