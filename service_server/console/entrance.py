"""Who is in the console: checks passwords, gives out sessions, knows whose session a cookie holds."""

import asyncio
import hashlib
import hmac
import math
import secrets
from collections.abc import Mapping
from typing import Any, Literal

from attrs import field, frozen
from litestar import Request
from litestar.datastructures import Cookie

from service_server.administration.actors import Actor
from service_server.administration.passwords import check_password
from service_server.administration.sessions import IDLE_SECONDS, SESSION_SECONDS, is_living
from service_server.administration.throttle import Throttle
from service_server.console.browsers import browser_of
from service_server.html_pages.tokens import form_token, is_cookie, is_form_token, new_secret
from service_server.store import Operator, Operators, OperatorSession, OperatorSessions, Role
from service_server.store.clock import now
from service_server.vault import Unsealable, Vault

_CHECKS_AT_ONCE = 2  # each takes 32 MiB
_DEPARTURE, _DEPARTURE_SECONDS = "console departure", 600
_OPENID_COOKIE = "console-openid"
_SEEN_SECONDS = 60.0  # how exactly it is noted when a session was last used


@frozen
class Visitor:
    """The browser that somebody signs in with."""

    address: str
    user_agent: str
    request_id: str


def visitor_of(request: Request[Any, Any, Any]) -> Visitor:
    """The browser that a request comes from."""
    address = request.client.host if request.client is not None else ""
    return Visitor(address, request.headers.get("user-agent", ""), request.scope["state"]["request_id"])


@frozen
class Session:
    """An operator who is signed in; `secret` is in their browser's cookie only, and `number` names the session."""

    operator: str
    secret: str = field(repr=False)
    number: str
    role: Role
    sees_contents: bool

    @property
    def form_token(self) -> str:
        """The token in every form of this session; no other site can know it."""
        return form_token("console", self.secret)

    def is_form_token(self, given: str) -> bool:
        """Whether a form came from a page of this session."""
        return is_form_token(given, "console", self.secret)


class MustWait(Exception):
    """Too many wrong passwords; says how many seconds to wait before the next try."""

    def __init__(self, seconds: float) -> None:
        super().__init__("too many wrong passwords")
        self.seconds = math.ceil(seconds)


class Entrance:
    """
    Lets operators in and out.

    A session is a row, and its secret a cookie. It lasts twelve hours, two without being used. It ends earlier, in
    every process, when the operator signs out, gets a new password or is removed, or when somebody ends it.
    """

    def __init__(
        self,
        operators: Operators,
        sessions: OperatorSessions,
        vault: Vault,
        *,
        secure: bool,
        throttle: Throttle | None = None,
    ) -> None:
        self._operators = operators
        self._sessions = sessions
        self._vault = vault
        self._secure = secure
        self._throttle = throttle or Throttle()
        self._checks = asyncio.Semaphore(_CHECKS_AT_ONCE)

    async def sign_in(self, operator: str, password: str, visitor: Visitor) -> Cookie | None:
        """Return the cookie of a new session, None when the password is wrong; raises MustWait."""
        wait = self._throttle.begin(operator, visitor.address)
        if wait > 0:
            raise MustWait(wait)
        found = await self._operators.get(operator)
        hashed = None if found is None else found.password_hash
        async with self._checks:
            right = await asyncio.to_thread(check_password, password, hashed)
        if not right or found is None:
            return None
        self._throttle.succeeded(operator, visitor.address)
        return await self.begin(found, visitor)

    async def begin(self, operator: Operator, visitor: Visitor) -> Cookie:
        """Begin a session of somebody who has shown who they are; returns its cookie."""
        secret, moment = secrets.token_urlsafe(32), now()
        session = OperatorSession(
            id=_hash(secret),
            operator=operator.name,
            password_mark=_mark(operator),
            browser=browser_of(visitor.user_agent),
            address=visitor.address[:64],
            created_at=moment,
            seen_at=moment,
            expires_at=moment + SESSION_SECONDS,
        )
        actor = Actor(
            name=operator.name,
            via="console",
            role=operator.role,
            address=visitor.address[:64] or None,
            request_id=visitor.request_id,
        )
        act = actor.does_for_themselves("operator.signed_in", operator.name)
        await self._sessions.begin(session, act, moment - IDLE_SECONDS)
        return self._cookie("console", secret, max_age=SESSION_SECONDS)

    async def session(self, cookies: Mapping[str, str]) -> Session | None:
        """Return the session in a browser's cookies; None if there is none that is still valid."""
        secret = cookies.get(self._name("console"), "")
        kept = await self._sessions.get(_hash(secret)) if secret else None
        moment = now()
        if kept is None or not is_living(kept, moment):
            return None
        found = await self._operators.get(kept.operator)
        if found is None or not hmac.compare_digest(kept.password_mark, _mark(found)):
            return None
        if moment - kept.seen_at > _SEEN_SECONDS:
            await self._sessions.seen(kept.id, moment)
        return Session(kept.operator, secret, kept.id, role=found.role, sees_contents=found.sees_contents)

    async def sign_out(self, actor: Actor, session: Session) -> Cookie:
        """End a session; returns the cookie that removes it from its browser."""
        act = actor.does_for_themselves("session.ended", session.operator)
        await self._sessions.end(session.operator, session.number, act)
        return self._cookie("console", "", max_age=0)

    def keep_departure(self, departure: Mapping[str, str]) -> Cookie:
        """Return the cookie with what an OpenID provider's answer has to fit, sealed and for ten minutes."""
        sealed = self._vault.seal({**departure, "until": now() + _DEPARTURE_SECONDS}, _DEPARTURE)
        # The provider's page leads back here, so the browser has to send it with what begins at another site.
        return self._cookie(_OPENID_COOKIE, sealed, max_age=_DEPARTURE_SECONDS, samesite="lax")

    def departure(self, cookies: Mapping[str, str], state: str) -> dict[str, str] | None:
        """Return what `keep_departure` kept in this browser for this state; None if there is none in time."""
        try:
            kept: dict[str, Any] = self._vault.open(cookies.get(self._name(_OPENID_COOKIE), ""), _DEPARTURE)
        except Unsealable:
            return None
        right = hmac.compare_digest(kept["state"].encode(), state.encode("utf-8", "replace"))
        return kept if right and now() < kept["until"] else None

    def no_departure(self) -> Cookie:
        """Return the cookie that removes the one of `keep_departure`."""
        return self._cookie(_OPENID_COOKIE, "", max_age=0, samesite="lax")

    def visitor(self, cookies: Mapping[str, str]) -> tuple[str, Cookie | None]:
        """Return the token for the sign-in form, and the cookie to set if the browser has none yet."""
        value = cookies.get(self._name("console-visitor"))
        if value is not None and is_cookie(value):
            return form_token("console sign-in", value), None
        value = new_secret()
        return form_token("console sign-in", value), self._cookie("console-visitor", value)

    def is_visitor_token(self, given: str, cookies: Mapping[str, str]) -> bool:
        """Whether a sign-in form came from the page that this browser was given."""
        value = cookies.get(self._name("console-visitor"))
        return value is not None and is_cookie(value) and is_form_token(given, "console sign-in", value)

    def _name(self, name: str) -> str:
        """Add the prefix that, over https, keeps other hosts of the domain from setting the cookie."""
        return f"__Host-{name}" if self._secure else name

    def _cookie(
        self, name: str, value: str, max_age: int | None = None, samesite: Literal["lax", "strict"] = "strict"
    ) -> Cookie:
        return Cookie(
            key=self._name(name),
            value=value,
            path="/",
            max_age=max_age,
            httponly=True,
            secure=self._secure,
            samesite=samesite,
        )


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def _mark(operator: Operator) -> str:
    """Return what a session keeps of the password that opened it, or of who opened it without one."""
    return _hash(operator.password_hash or f"oidc {operator.oidc_subject}")
