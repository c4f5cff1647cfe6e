"""Checks App-Key, Hash and User-ID, or a session token; every failure looks the same from outside."""

import contextlib
import hmac
import time
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import unquote_to_bytes

import structlog
from attrs import frozen

from service_client.models import Code
from service_server.administration.administration import SECRET_PURPOSE
from service_server.administration.origins import allows, is_local
from service_server.administration.session_tokens import TOKEN_PURPOSE, secret_name
from service_server.errors import ServiceError, failure
from service_server.rest.caller import Caller, Scope
from service_server.store import Application, Applications, DatabaseAway
from service_server.vault import Unsealable, Vault

LONGEST_USER_ID = 256
CACHE_SECONDS = 2.0
# Whatever changes an application takes longer than this; who guesses keys has them read twenty times a second at most.
CACHE_SECONDS_OF_REFUSALS = 0.05
_NOBODY = b"\0" * 32

_LOG = structlog.get_logger(__name__)


@frozen
class _Known:
    """An application with its opened secrets, by a name that tells nothing of them."""

    application: Application
    secrets: Mapping[str, bytes]


class Authenticator:
    """
    Knows the applications; re-reads them every two seconds, so that a retired secret or a removed origin ends soon.

    Before it refuses somebody, it reads them again, so that a new application, secret or origin counts at once.
    `local_origins` lets pages from this machine in whatever the application lists (only `demo` sets it).
    """

    def __init__(self, applications: Applications, vault: Vault, *, local_origins: bool) -> None:
        self._applications = applications
        self._vault = vault
        self._local_origins = local_origins
        self._known: dict[str, _Known] = {}
        self._origins: frozenset[str] = frozenset()
        self._read_at = float("-inf")
        self._damaged: set[str] = set()

    async def caller(self, headers: Iterable[tuple[bytes, bytes]]) -> Caller:
        """Return who sends these headers; 401 without saying what was wrong, 403 from a foreign origin."""
        found = _single(headers)
        await self._refresh(CACHE_SECONDS)
        try:
            return self._known_caller(found)
        except ServiceError:
            if not await self._refresh(CACHE_SECONDS_OF_REFUSALS):
                raise
            return self._known_caller(found)

    async def allows_origin(self, origin: str) -> bool:
        """Whether any application lists this origin, as far as is known while the database is away."""
        for seconds in (CACHE_SECONDS, CACHE_SECONDS_OF_REFUSALS):
            with contextlib.suppress(DatabaseAway):
                await self._refresh(seconds)
            if origin in self._origins or (self._local_origins and is_local(origin)):
                return True
        return False

    def _known_caller(self, headers: dict[bytes, bytes]) -> Caller:
        authorization = headers.get(b"authorization")
        caller = self._by_token(authorization, headers) if authorization is not None else self._by_hash(headers)
        origin = headers.get(b"origin")
        if origin is not None and not (caller.scope is not None and caller.scope.allows_origin):
            self._check_origin(caller.application, origin.decode("latin-1"))
        return caller

    async def _refresh(self, seconds: float) -> bool:
        """Read the applications unless they were read within this time; whether they were read now."""
        if time.monotonic() - self._read_at < seconds:
            return False
        known = {}
        for application in await self._applications.everyone():
            secrets = self._opened(application)
            known[application.app_key] = _Known(application, {secret_name(secret): secret for secret in secrets})
        self._known = known
        self._origins = frozenset(origin for entry in known.values() for origin in entry.application.allowed_origins)
        self._read_at = time.monotonic()
        return True

    def _opened(self, application: Application) -> list[bytes]:
        """The secrets of an application; a damaged one is told once and locks nobody else out."""
        secrets = []
        for sealed in application.sealed_secrets:
            try:
                secrets.append(self._vault.open(sealed, SECRET_PURPOSE, application.app_key).encode())
            except Unsealable:
                if sealed not in self._damaged:
                    self._damaged.add(sealed)
                    _LOG.error(
                        "application.secret_damaged",
                        message="it can't be opened, so that who signs with it is refused; make it a new one with "
                        "`service-server application rotate-secret NAME`",
                        application=application.id,
                        name=application.name,
                        app_key=application.app_key,
                    )
        return secrets

    def _by_hash(self, headers: dict[bytes, bytes]) -> Caller:
        key = headers.get(b"app-key", b"").decode("latin-1")
        user_id = headers.get(b"user-id", b"")
        signature = headers.get(b"hash", b"").decode("latin-1").lower().encode("latin-1", "replace")
        known = self._known.get(key)
        secrets = known.secrets if known is not None else {"": _NOBODY}
        for candidate in dict.fromkeys((user_id, unquote_to_bytes(user_id))):
            matches = [
                name
                for name, secret in secrets.items()
                if hmac.compare_digest(_signature(candidate, secret), signature)
            ]
            if known is not None and matches:
                return Caller(application=known.application, user_id=_user_id(candidate), secret_name=matches[0])
        raise unauthenticated()

    def _by_token(self, authorization: bytes, headers: dict[bytes, bytes]) -> Caller:
        scheme, _, token = authorization.decode("latin-1").partition(" ")
        try:
            claims: dict[str, Any] = self._vault.open(token.strip(), TOKEN_PURPOSE)
        except Unsealable:
            raise unauthenticated() from None
        known = self._known.get(claims["app_key"])
        user_id = claims["user_id"].encode()
        sent = headers.get(b"user-id")
        if (
            scheme.lower() != "bearer"
            or known is None
            or claims["secret"] not in known.secrets
            or claims["expires_at"] <= time.time()
            or headers.get(b"app-key", claims["app_key"].encode()) != claims["app_key"].encode()
            or (sent is not None and user_id not in (sent, unquote_to_bytes(sent)))
        ):
            raise unauthenticated()
        origin = headers.get(b"origin")
        if claims["origin"] is not None and origin is not None and origin.decode("latin-1") != claims["origin"]:
            raise _foreign_origin()
        allows_origin = claims["origin"] is not None and bool(claims.get("allows_origin"))
        scope = Scope(functions=claims["functions"], apps=claims["apps"], allows_origin=allows_origin)
        return Caller(
            application=known.application, user_id=claims["user_id"], secret_name=claims["secret"], scope=scope
        )

    def _check_origin(self, application: Application, origin: str) -> None:
        if not allows(application, origin, allow_local=self._local_origins):
            raise _foreign_origin()


def unauthenticated() -> ServiceError:
    """The one answer to missing and to wrong credentials."""
    return failure(
        401,
        Code.UNAUTHENTICATED,
        "The credentials are missing or not valid. Send App-Key, User-ID and Hash (hex HMAC-SHA256 of the User-ID, "
        "keyed with the application secret), or a session token as Authorization: Bearer.",
        headers={"WWW-Authenticate": "Bearer"},
    )


def _foreign_origin() -> ServiceError:
    return failure(
        403,
        Code.FORBIDDEN,
        "This application may not be used from this origin. An operator can allow it in the console.",
    )


def _single(headers: Iterable[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """The headers by name; one that is sent twice is taken as missing rather than choosing one."""
    found: dict[bytes, bytes] = {}
    repeated = set()
    for name, value in headers:
        if name in found:
            repeated.add(name)
        found[name] = value
    if repeated & {b"app-key", b"hash", b"user-id", b"authorization", b"origin"}:
        raise unauthenticated()
    return found


def _signature(user_id: bytes, secret: bytes) -> bytes:
    return hmac.digest(secret, user_id, "sha256").hex().encode()


def _user_id(raw: bytes) -> str:
    try:
        user_id = raw.decode()
    except UnicodeDecodeError:
        raise unauthenticated() from None
    if not is_user_id(user_id):
        raise unauthenticated()
    return user_id


def is_user_id(text: str) -> bool:
    """Whether a text may name a user."""
    return 1 <= len(text) <= LONGEST_USER_ID and not any(unicodedata.category(each) == "Cc" for each in text)
