"""Operators sign in by OpenID Connect, at a real provider; its claims give the role, and nothing is taken on trust."""

import re
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest
from attrs import frozen
from joserfc import jwt
from joserfc.jwk import KeySet, OctKey, RSAKey

from service_server.cli.openid import openid_from
from service_server.oauth.openid import OpenIdFailed, OpenIdProvider
from service_server.onward.sender import Sender
from service_server.onward.settings import OnwardSettings
from service_server.settings import InvalidSetting, OpenIdSettings
from service_server.store.clock import now
from tests.real_apps.processes import CLIENT_ID, CLIENT_SECRET, OidcProvider, find_missing_provider, oidc_provider
from tests.real_apps.running import free_port
from tests.real_apps.sign_in import allow
from tests.service_server.console.operator_browser import OperatorBrowser, add_operator, browser
from tests.service_server.databases import dictionaries, rows
from tests.service_server.processes import RunningService, create_application, service

GIVEN = {
    "SERVICE_OIDC_ISSUER": "https://login.example",
    "SERVICE_OIDC_CLIENT_ID": "console",
    "SERVICE_OIDC_CLIENT_SECRET": "not to be told",
    "SERVICE_OIDC_OWNERS": "admins, boss",
}


@frozen
class Organisation:
    """A service whose operators come from a provider."""

    service: RunningService
    provider: OidcProvider

    def leave(self, visitor: OperatorBrowser, next_page: str = "") -> str:
        """Where the console sends the browser."""
        answer = visitor.get(f"/console/openid?next={next_page}")
        assert 303 == answer.status_code, answer.text
        return str(answer.headers["location"])

    def sign_in(self, visitor: OperatorBrowser, login: str, next_page: str = "") -> httpx.Response:
        """Go the whole way."""
        answered = allow(self.provider, login, self.leave(visitor, next_page))
        return visitor.get(f"/console/openid/callback?{urlencode(answered)}")


@pytest.fixture(scope="module")
def organisation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Organisation]:
    """Both processes."""
    if (missing := find_missing_provider()) is not None:
        pytest.skip(missing)
    folder, port = tmp_path_factory.mktemp("organisation"), free_port()
    application = create_application(folder, "Test host")
    with oidc_provider(f"http://127.0.0.1:{port}/console/openid/callback") as provider:
        env = {
            "SERVICE_OIDC_ISSUER": provider.url,
            "SERVICE_OIDC_CLIENT_ID": CLIENT_ID,
            "SERVICE_OIDC_CLIENT_SECRET": CLIENT_SECRET,
            "SERVICE_OIDC_SCOPES": "openid email groups",
            "SERVICE_OIDC_OWNERS": "admins",
            "SERVICE_OIDC_DEVELOPERS": "engineers",
            "SERVICE_OIDC_VIEWERS": "support,sales",
        }
        with service(folder, port=port, application=application, env=env) as running:
            add_operator(running, "pat@admins.example")
            yield Organisation(running, provider)


@pytest.fixture
def visitor(organisation: Organisation) -> Iterator[OperatorBrowser]:
    """A browser in which nobody is signed in."""
    made = browser(organisation.service)
    with made.http:
        yield made


@pytest.mark.parametrize(
    ("login", "role"), [("ann@admins", "owner"), ("eve@engineers", "developer"), ("s@sales", "viewer")]
)
def test_the_groups_of_a_person_give_the_role(
    organisation: Organisation, visitor: OperatorBrowser, login: str, role: str
) -> None:
    """They are added as operators without a password; coming again adds nobody."""
    assert "Sign in with your organisation" in visitor.page("/console?next=/console/calls")
    answer = organisation.sign_in(visitor, login, "/console/calls")
    assert 200 == answer.status_code, answer.text
    assert 'content="0;url=/console/calls"' in answer.text
    assert f"{login}.example" in visitor.page("/console/calls")
    assert 200 == organisation.sign_in(visitor, login).status_code
    folder = organisation.service.data_directory
    query = f"SELECT role, password_hash FROM operators WHERE name = '{login}.example'"
    assert [(role, "")] == rows(folder, query)
    acts = dictionaries(folder, f"SELECT act FROM audit_events WHERE actor = '{login}.example' ORDER BY id")
    assert ["operator.added", "operator.signed_in", "operator.signed_in"] == [each["act"] for each in acts]
    assert 403 == visitor.sign_in(f"{login}.example", "").status_code


@pytest.mark.parametrize(
    ("login", "said"),
    [
        ("nobody@elsewhere", "You have no role in this console."),
        ("unverified@admins", "does not say your email, or has not verified it"),
        ("pat@admins", "There is another operator pat@admins.example."),
    ],
)
def test_who_is_not_let_in(organisation: Organisation, visitor: OperatorBrowser, login: str, said: str) -> None:
    """Without a role, an address of their own, or a name that nobody else has: no session begins."""
    answer = organisation.sign_in(visitor, login)
    assert 403 == answer.status_code
    assert said in unescape(answer.text)
    assert 303 == visitor.get("/console/calls").status_code


def test_an_answer_fits_one_browser_once(organisation: Organisation, visitor: OperatorBrowser) -> None:
    """Neither in another browser, nor with another state, nor twice, nor from another provider; nor made up."""
    answered = allow(organisation.provider, "ann@admins", organisation.leave(visitor))

    def come_back(client: httpx.Client = visitor.http, **changes: str) -> tuple[int, str]:
        answer = client.get(f"/console/openid/callback?{urlencode(answered | changes)}")
        return answer.status_code, answer.text

    with browser(organisation.service).http as other:
        assert 403 == come_back(other)[0]
    for wrong in ({"state": "x"}, {"iss": "https://e.example"}):
        assert 403 == come_back(**wrong)[0]
    assert 200 == come_back()[0]
    status, said = come_back()
    assert (403, True) == (status, "has been answered already" in said)
    answered = {"state": parse_qs(urlsplit(organisation.leave(visitor)).query)["state"][0]}
    for problem, code in (({"error": "access_denied"}, "access_denied"), ({"code": "made-up"}, "invalid_grant")):
        status, said = come_back(**problem)
        assert (403, True) == (status, code in said)


def test_pkce_state_and_nonce_are_sent(organisation: Organisation, visitor: OperatorBrowser) -> None:
    """Fresh ones each time; a page to go on to is one of ours."""
    first, second = (parse_qs(urlsplit(organisation.leave(visitor, "//evil.example")).query) for _ in range(2))
    assert ["S256"] == first["code_challenge_method"]
    for name in ("state", "nonce", "code_challenge"):
        assert first[name] != second[name]
    page = organisation.sign_in(visitor, "ann@admins", "//evil.example").text
    assert re.search(r'content="0;url=/console"', page)


def test_without_a_provider_there_is_no_such_way(stranger: OperatorBrowser) -> None:
    """The sign-in page doesn't offer it."""
    assert 404 == stranger.get("/console/openid").status_code
    assert "organisation" not in stranger.page("/console")


KEY = RSAKey.generate_key(2048, {"kid": "one"})
RIGHT = {"iss": "https://login.example", "aud": "console", "sub": "ann", "nonce": "n"}


@pytest.mark.parametrize(
    "changes",
    [
        *({}, {"iss": "https://other.example"}, {"aud": "another"}, {"aud": ["console", "another"]}),
        *({"azp": "another"}, {"nonce": "another"}, {"nonce": None}, {"sub": ""}, {"exp": now() - 100}, {"iat": None}),
        *({"key": OctKey.import_key(KEY.thumbprint())}, {"key": RSAKey.generate_key(2048, {"kid": "one"})}),
    ],
)
async def test_id_tokens_are_checked(changes: Mapping[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Signature, issuer, audience, nonce and time: each by itself is enough to refuse one; the right one is taken."""
    settings = OpenIdSettings(issuer="https://login.example", client_id="console")
    claims = {"iat": now(), "exp": now() + 300, **RIGHT, **changes}
    key: Any = claims.pop("key", KEY)
    algorithm = "HS256" if isinstance(key, OctKey) else "RS256"  # the former with a key that everybody knows
    given = {name: value for name, value in claims.items() if value is not None}
    token = jwt.encode({"alg": algorithm, "kid": "one"}, given, key)

    async def keys(_: OpenIdProvider, **__: bool) -> KeySet:
        return KeySet([KEY])

    monkeypatch.setattr(OpenIdProvider, "_key_set", keys)
    async with Sender(OnwardSettings()) as sender:
        provider = OpenIdProvider(settings, "https://service.example/console/openid/callback", sender)
        if not changes:
            assert "ann" == (await provider._verified(token, "n"))["sub"]
            return
        with pytest.raises(OpenIdFailed):
            await provider._verified(token, "n")


def test_settings_are_read(tmp_path: Path) -> None:
    """Roles by the values of a claim; the secret may be in a file."""
    (tmp_path / "secret").write_text("from the file\n")
    given = {name: text for name, text in GIVEN.items() if not name.endswith("SECRET")}
    read = openid_from({**given, "SERVICE_OIDC_CLIENT_SECRET_FILE": str(tmp_path / "secret")})
    assert ("from the file", ("admins", "boss"), ()) == (read.client_secret, read.roles["owner"], read.roles["viewer"])
    assert "not to be told" not in repr(openid_from(GIVEN))
    assert openid_from({"PATH": "/bin"}) is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"SERVICE_OIDC_ISSUER": ""}, "ISSUER is missing"),
        ({"SERVICE_OIDC_ISSUER": "http://login.example"}, "https"),
        ({"SERVICE_OIDC_ISSUER": "https://login.example?x=1"}, "query"),
        ({"SERVICE_OIDC_CLIENT_ID": ""}, "CLIENT_ID is missing"),
        ({"SERVICE_OIDC_OWNERS": " , "}, "OWNERS is missing"),
        ({"SERVICE_OIDC_SCOPES": "email"}, "openid"),
        ({"SERVICE_OIDC_CLIENT_SECRET_FILE": "/nowhere"}, "not both"),
    ],
)
def test_settings_that_can_not_be_used(change: Mapping[str, str], said: str) -> None:
    """Said with the variable, and never with the secret."""
    with pytest.raises(InvalidSetting, match=said) as refused:
        openid_from({**GIVEN, **change})
    assert "not to be told" not in str(refused.value)
