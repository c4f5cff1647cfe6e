"""What can be found out about an app's sign-in settings before any user tries them."""

from collections.abc import Sequence
from typing import Any, Literal
from urllib.parse import parse_qs, urlsplit

from attrs import frozen

from service_server.administration.actors import Actor
from service_server.administration.failures import AdministrationError
from service_server.catalog.auth import OAuth2Code
from service_server.catalog.expressions import InvalidRequest
from service_server.catalog.requests import own_host
from service_server.catalog.values import Connector
from service_server.oauth.app_settings import AppSettings, OAuthClient
from service_server.oauth.authorization import authorization_request
from service_server.oauth.token_answer import TokenAnswerUnreadable, TokenRefused
from service_server.oauth.token_endpoint import TokenEndpointUnreachable, ask_for_token
from service_server.oauth.token_request import exchange_request
from service_server.onward.sender import Sender
from service_server.onward.values import HostNotAllowed, HostRules, Interrupted, NotSent, OnwardRequest
from service_server.store import AuditEvents

# A code that nobody was ever given: the client is right if only the code is refused.
_NO_CODE = "a-code-that-nobody-was-given"
_OF_THE_CODE = frozenset({"invalid_grant", "bad_verification_code", "invalid_code", "code_not_found"})
_OF_THE_CLIENT = frozenset(
    {"invalid_client", "unauthorized_client", "incorrect_client_credentials", "bad_client_secret", "invalid_client_id"}
)
_TIMEOUT_SECONDS = 15.0


@frozen
class Tried:
    """What came of trying one thing: it works, it does not, or nobody can tell without a user."""

    way: str
    what: Literal["sign-in page", "client"]
    result: Literal["works", "fails", "unknown"]
    told: str


@frozen
class AppSetup:
    """Tries the sign-in settings of apps with the apps themselves."""

    sender: Sender
    audit: AuditEvents
    callback_url: str

    async def try_sign_in(self, actor: Actor, connector: Connector, settings: AppSettings) -> list[Tried]:
        """
        Ask each provider's sign-in page for itself, and its token endpoint to exchange a code that there is not.

        AdministrationError if there is nothing to try, since something is still to be set or nothing is needed.
        """
        methods = [each for each in connector.auth if isinstance(each, OAuth2Code)]
        ready = [each for each in methods if not settings.lacks(connector, each.id)]
        if not ready:
            message = (
                "Complete the settings first." if methods else "There is nothing to try: users type their keys in."
            )
            raise AdministrationError(message)
        await self.audit.add(actor.does("app.tried", connector.name))
        sender = self.sender.on_behalf_of(connector.name, 0, "")
        tried: list[Tried] = []
        for method in ready:
            assert settings.client is not None  # noqa: S101  else it lacked something
            context = {"auth_id": method.id, "vars": settings.context_variables(connector, {})}
            tried.append(await self._page(sender, method, context, settings.client))
            tried.append(await self._client(sender, connector, method, context, settings.client))
        return tried

    async def _page(self, sender: Sender, method: OAuth2Code, context: Any, client: OAuthClient) -> Tried:
        try:
            asked = authorization_request(method, context, client.client_id, self.callback_url)
            rules = HostRules((own_host(asked.url),))
            request = OnwardRequest("GET", asked.url, (("accept", "text/html"),))
            answer = await sender.fetch(request, rules, timeout_seconds=_TIMEOUT_SECONDS)
        except (InvalidRequest, ValueError):
            return _needs_user(method, "sign-in page")
        except (NotSent, HostNotAllowed, Interrupted) as failure:
            return Tried(method.title, "sign-in page", "fails", f"It does not answer: {failure.reason}.")
        location = answer.headers.get("location", "")
        if location.startswith(self.callback_url) and (errors := parse_qs(urlsplit(location).query).get("error")):
            code = errors[0] if errors[0].isascii() and len(errors[0]) <= 64 else "an error"
            return Tried(method.title, "sign-in page", "fails", f"It sends users back at once, with {code}.")
        if answer.status < 400:
            return Tried(method.title, "sign-in page", "works", "The sign-in page answers.")
        if answer.status in (400, 401, 403, 404, 422):
            advice = "Compare the client id and the callback URL with the registration."
            return Tried(method.title, "sign-in page", "fails", f"The sign-in page answers {answer.status}. {advice}")
        return Tried(method.title, "sign-in page", "unknown", f"The sign-in page answers {answer.status}.")

    async def _client(
        self, sender: Sender, connector: Connector, method: OAuth2Code, context: Any, client: OAuthClient
    ) -> Tried:
        verifier = "a" * 43 if method.pkce == "S256" else None
        try:
            request = exchange_request(
                method, context, client, code=_NO_CODE, redirect_uri=self.callback_url, verifier=verifier
            )
            await ask_for_token(sender, request, connector)
        except InvalidRequest:
            return _needs_user(method, "client")
        except TokenRefused as refusal:
            return _refused(method, refusal.code)
        except TokenEndpointUnreachable as failure:
            return Tried(method.title, "client", "fails", f"The token endpoint can't be reached: {failure.reason}.")
        except TokenAnswerUnreadable as failure:
            return Tried(method.title, "client", "unknown", f"Nobody can tell: {failure.reason}.")
        return Tried(method.title, "client", "unknown", "The token endpoint took a code that there is not.")


def failed(tried: Sequence[Tried]) -> bool:
    """Whether anything does not work."""
    return any(each.result == "fails" for each in tried)


def _needs_user(method: OAuth2Code, what: Literal["sign-in page", "client"]) -> Tried:
    told = "Its address depends on what users type in, so it can't be tried without one."
    return Tried(method.title, what, "unknown", told)


def _refused(method: OAuth2Code, code: str | None) -> Tried:
    if code in _OF_THE_CLIENT:
        told = f"The app does not know this client ({code}). Compare client id and client secret with the registration."
        return Tried(method.title, "client", "fails", told)
    if code in _OF_THE_CODE:
        told = f"Only the made-up code was refused ({code}), so the app has not refused the client."
        return Tried(method.title, "client", "works", told)
    return Tried(method.title, "client", "unknown", f"The token endpoint answered {code or 'without a reason'}.")
