"""Who is in the console: checks passwords, gives out sessions, knows whose session a cookie holds."""

import asyncio
import hashlib
import hmac
import math
import secrets
import time
from collections.abc import Mapping

from attrs import field, frozen
from litestar.datastructures import Cookie

from service_server.administration.passwords import check_password
from service_server.console.throttle import Throttle
from service_server.html_pages.tokens import form_token, is_cookie, is_form_token, new_secret
from service_server.store import Operators, Role
from service_server.vault import Unsealable, Vault

SESSION_SECONDS = 12 * 3600
_PURPOSE = "console session"
_CHECKS_AT_ONCE = 2  # each takes 32 MiB


@frozen
class Session:
    """An operator who is signed in; `id` is a secret that only their browser holds, sealed in its cookie."""

    operator: str
    id: str = field(repr=False)
    expires_at: float
    role: Role
    sees_contents: bool

    @property
    def form_token(self) -> str:
        """The token in every form of this session; no other site can know it."""
        return form_token("console", self.id)

    def is_form_token(self, given: str) -> bool:
        """Whether a form came from a page of this session."""
        return is_form_token(given, "console", self.id)


class MustWait(Exception):
    """Too many wrong passwords; says how many seconds to wait before the next try."""

    def __init__(self, seconds: float) -> None:
        super().__init__("too many wrong passwords")
        self.seconds = math.ceil(seconds)


class Entrance:
    """
    Lets operators in and out.

    A session is a sealed cookie that lasts twelve hours. It ends earlier when the operator signs out (in this process),
    gets a new password, or is removed.
    """

    def __init__(self, operators: Operators, vault: Vault, *, secure: bool, throttle: Throttle | None = None) -> None:
        self._operators = operators
        self._vault = vault
        self._secure = secure
        self._throttle = throttle or Throttle()
        self._checks = asyncio.Semaphore(_CHECKS_AT_ONCE)
        self._ended: dict[str, float] = {}  # signed-out sessions, until they would have expired

    async def sign_in(self, operator: str, password: str, address: str) -> Cookie | None:
        """Return the cookie of a new session, None when the password is wrong; raises MustWait."""
        wait = self._throttle.begin(operator, address)
        if wait > 0:
            raise MustWait(wait)
        found = await self._operators.get(operator)
        hashed = None if found is None else found.password_hash
        async with self._checks:
            right = await asyncio.to_thread(check_password, password, hashed)
        if not right or hashed is None:
            return None
        self._throttle.succeeded(operator, address)
        claims = {
            "operator": operator,
            "id": secrets.token_urlsafe(32),
            "password": _mark(hashed),
            "expires_at": time.time() + SESSION_SECONDS,
        }
        return self._cookie("console", self._vault.seal(claims, _PURPOSE), max_age=SESSION_SECONDS)

    async def session(self, cookies: Mapping[str, str]) -> Session | None:
        """Return the session in a browser's cookies; None if there is none that is still valid."""
        try:
            claims = self._vault.open(cookies.get(self._name("console"), ""), _PURPOSE)
        except Unsealable:
            return None
        found = await self._operators.get(claims["operator"])
        if (
            found is None
            or not hmac.compare_digest(claims["password"], _mark(found.password_hash))
            or claims["expires_at"] <= time.time()
            or claims["id"] in self._ended
        ):
            return None
        return Session(
            claims["operator"], claims["id"], claims["expires_at"], role=found.role, sees_contents=found.sees_contents
        )

    def sign_out(self, session: Session) -> Cookie:
        """End a session; returns the cookie that removes it from its browser."""
        now = time.time()
        self._ended = {each: until for each, until in self._ended.items() if until > now}
        self._ended[session.id] = session.expires_at
        return self._cookie("console", "", max_age=0)

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

    def _cookie(self, name: str, value: str, max_age: int | None = None) -> Cookie:
        return Cookie(
            key=self._name(name),
            value=value,
            path="/",
            max_age=max_age,
            httponly=True,
            secure=self._secure,
            samesite="strict",
        )


def _mark(hashed: str) -> str:
    """Return what a session keeps of the password that opened it."""
    return hashlib.sha256(hashed.encode()).hexdigest()
