"""Credentials are kept only when the app says whose account they are of."""

import pytest

from service_server.connect.setback import Setback
from service_server.connect.verification import verify
from service_server.onward.values import HostRules, OnwardRequest, OnwardResponse
from tests.service_server.connected_world import shipped_catalog


class _Answers:
    """Stands in for the way out: gives one answer to whatever is sent."""

    def __init__(self, body: bytes, status: int = 200) -> None:
        self._body = body
        self._status = status

    async def send(self, request: OnwardRequest, rules: HostRules, **_: object) -> OnwardResponse:
        """Answer as Kinto's root does, which greets strangers too."""
        return OnwardResponse(self._status, {"content-type": "application/json"}, self._body, request.url)


CONTEXT = {
    "vars": {"server_url": "https://kinto.example", "issuer": "https://login.example"},
    "token": {"access_token": "dead"},
    "creds": {},
}


async def test_an_answer_that_names_nobody_is_a_refusal() -> None:
    """An app that answers 200 to a token it does not know must not make a connected account."""
    connector = shipped_catalog().connectors["kinto"]
    with pytest.raises(Setback, match="did not recognise the account"):
        await verify(_Answers(b'{"project_name": "kinto"}'), connector, connector.auth[0], CONTEXT)  # type: ignore[arg-type]


async def test_an_answer_that_names_the_user_is_an_account() -> None:
    """The same call with a living token tells whose account it is."""
    connector = shipped_catalog().connectors["kinto"]
    body = b'{"user": {"id": "oidc:alice", "profile": {"name": "Alice"}}}'
    identity = await verify(_Answers(body), connector, connector.auth[0], CONTEXT)  # type: ignore[arg-type]

    assert "oidc:alice" == identity.external_id


async def test_a_rate_limit_is_no_refusal_of_the_credentials() -> None:
    """What a connector reads as a rate limit is said to be one, also where the app answers it with 401."""
    connector = shipped_catalog().connectors["review_board"]
    body = b'{"err": {"code": 104, "msg": "Maximum number of login attempts exceeded."}, "stat": "fail"}'
    with pytest.raises(Setback, match="busy") as setback:
        await verify(_Answers(body, 401), connector, connector.auth[0], CONTEXT)  # type: ignore[arg-type]

    assert not setback.value.refused


async def test_an_identity_that_holds_the_token_is_not_kept_in_the_clear() -> None:
    """An app that names the user by the very token: the name is redacted, the identity hashed, and both still tell."""
    connector = shipped_catalog().connectors["kinto"]
    tokens = ("living-token-0001", "living-token-0002")
    identities = []
    for token in tokens:
        body = f'{{"user": {{"id": "of {token}", "profile": {{"name": "Alice {token}"}}}}}}'.encode()
        context = {**CONTEXT, "token": {"access_token": token}}
        identities.append(await verify(_Answers(body), connector, connector.auth[0], context))  # type: ignore[arg-type]

    assert all(token not in f"{identity}" for token in tokens for identity in identities)
    assert identities[0].external_id != identities[1].external_id
    assert "Alice [redacted]" in identities[0].display_name
