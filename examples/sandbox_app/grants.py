"""What users have granted: authorization codes, access tokens and rotating refresh tokens, and when each dies."""

import base64
import hashlib
import secrets
from collections.abc import Callable, Iterator
from typing import TypeVar

from attrs import define, frozen

from examples.sandbox_app.users import User


class InvalidGrant(Exception):
    """A code or refresh token that is unknown, used, expired, or not for this request."""


@define(eq=False)
class Grant:
    """One consent of one user; all of its tokens die with it."""

    user: User
    scopes: frozenset[str]
    alive: bool = True


@define
class _Code:
    grant: Grant
    redirect_uri: str
    challenge: str
    expires_at: float
    used: bool = False


@define
class Token:
    """An access or refresh token: its grant and when it ends."""

    grant: Grant
    expires_at: float
    used: bool = False


_Secret = TypeVar("_Secret", _Code, Token)


@frozen
class TokenPair:
    """What the token endpoint hands out."""

    access_token: str
    refresh_token: str
    expires_in: float
    scopes: frozenset[str]


def challenge_of(verifier: str) -> str:
    """The S256 code challenge that belongs to a code verifier."""
    digest = hashlib.sha256(verifier.encode("ascii")).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode("ascii")


class Grants:
    """Issues, exchanges and ends codes and tokens; `clock` gives seconds, `changed` is called when tokens change."""

    def __init__(
        self,
        clock: Callable[[], float],
        *,
        code_seconds: float,
        access_token_seconds: float,
        refresh_token_seconds: float,
    ) -> None:
        self._clock = clock
        self._code_seconds = code_seconds
        self._access_seconds = access_token_seconds
        self._refresh_seconds = refresh_token_seconds
        self._codes: dict[str, _Code] = {}
        self._access: dict[str, Token] = {}
        self._refresh: dict[str, Token] = {}
        self.changed: Callable[[], None] = lambda: None

    def issue_code(self, user: User, scopes: frozenset[str], redirect_uri: str, challenge: str) -> str:
        """A one-time code for a consent just given."""
        self._purge()
        code = secrets.token_urlsafe(32)
        grant = Grant(user, scopes)
        self._codes[code] = _Code(grant, redirect_uri, challenge, self._clock() + self._code_seconds)
        return code

    def exchange_code(self, code: str, redirect_uri: str, verifier: str) -> TokenPair:
        """Tokens for a code; a code used twice ends its grant. Raises `InvalidGrant`."""
        found = self._live(self._codes, code)
        if found.redirect_uri != redirect_uri:
            raise InvalidGrant("redirect_uri is not the one of the authorization request")
        if not secrets.compare_digest(challenge_of(verifier), found.challenge):
            raise InvalidGrant("code_verifier does not match the code_challenge")
        found.used = True
        return self._issue(found.grant, found.grant.scopes)

    def refresh(self, token: str, scopes: frozenset[str] | None) -> TokenPair:
        """
        New tokens for a refresh token, which is used up by it; a used one that comes again ends its grant.

        `scopes` may narrow the access token. Raises `InvalidGrant`, and ValueError for a scope that was not granted.
        """
        found = self._live(self._refresh, token)
        if scopes is not None and not scopes <= found.grant.scopes:
            raise ValueError("scope is wider than what was granted")
        found.used = True
        return self._issue(found.grant, scopes or found.grant.scopes)

    def find_access(self, token: str) -> Grant | None:
        """The living grant behind a living access token, or None."""
        found = self._access.get(token)
        if found is None or not found.grant.alive or found.expires_at <= self._clock():
            return None
        return found.grant

    def revoke(self, token: str) -> None:
        """End the grant of an access or refresh token; an unknown token is as good as revoked."""
        found = self._refresh.get(token) or self._access.get(token)
        if found is not None:
            found.grant.alive = False
            self.changed()

    def living(self) -> Iterator[tuple[str, str, Token]]:
        """Every token that still matters: its kind (access or refresh), the secret, the token."""
        self._purge()
        yield from (("access", secret, token) for secret, token in self._access.items())
        yield from (("refresh", secret, token) for secret, token in self._refresh.items())

    def bring_back(self, kind: str, secret: str, grant: Grant, expires_at: float, used: bool) -> None:
        """Know a token again that `living` gave in an earlier life of the app."""
        held = {"access": self._access, "refresh": self._refresh}[kind]
        held[secret] = Token(grant, float(expires_at), bool(used))

    def expire_access(self, token: str) -> None:
        """Let one access token end now."""
        if token in self._access:
            self._access[token].expires_at = self._clock()

    def expire_user(self, user: User | None) -> None:
        """Let the access tokens of a user (None: of all) end now; refresh tokens live on."""
        for token in self._access.values():
            if user is None or token.grant.user == user:
                token.expires_at = self._clock()

    def revoke_user(self, user: User | None) -> None:
        """End the grants of a user (None: of all)."""
        for held in (self._codes, self._access, self._refresh):
            for token in held.values():
                if user is None or token.grant.user == user:
                    token.grant.alive = False

    def reset(self) -> None:
        """Forget everything."""
        self._codes.clear()
        self._access.clear()
        self._refresh.clear()

    def _live(self, held: dict[str, _Secret], secret: str) -> _Secret:
        found = held.get(secret)
        if found is None or not found.grant.alive:
            raise InvalidGrant("it is unknown or revoked")
        if found.used:
            # Somebody has a copy: neither holder can be trusted any more.
            found.grant.alive = False
            self.changed()
            raise InvalidGrant("it was used before; the grant is revoked")
        if found.expires_at <= self._clock():
            raise InvalidGrant("it has expired")
        return found

    def _issue(self, grant: Grant, scopes: frozenset[str]) -> TokenPair:
        self._purge()
        now = self._clock()
        pair = TokenPair(secrets.token_urlsafe(32), secrets.token_urlsafe(32), self._access_seconds, scopes)
        self._access[pair.access_token] = Token(grant, now + self._access_seconds)
        self._refresh[pair.refresh_token] = Token(grant, now + self._refresh_seconds)
        self.changed()
        return pair

    def _purge(self) -> None:
        """Drop what can never be used or matter again; used refresh tokens stay, to detect their reuse."""
        now = self._clock()
        self._codes = {code: held for code, held in self._codes.items() if held.grant.alive and held.expires_at > now}
        self._access = {name: held for name, held in self._access.items() if held.grant.alive and held.expires_at > now}
        self._refresh = {
            name: held for name, held in self._refresh.items() if held.grant.alive and held.expires_at > now
        }
