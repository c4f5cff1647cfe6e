"""What binds a session to one browser: its cookie, the form token made from it, the hashes that are kept."""

import hashlib
import hmac
import re
import secrets

_COOKIE = re.compile(r"[A-Za-z0-9_-]{43}\Z")
_RANDOM_BYTES = 32


def new_secret() -> str:
    """A random value for a URL or a cookie, 256 bits."""
    return secrets.token_urlsafe(_RANDOM_BYTES)


def hashed(secret: str) -> str:
    """Return the hash that is kept of a random secret, which only the browser holds."""
    return hashlib.sha256(secret.encode()).hexdigest()


def browser_hash(session_id: str, cookie: str) -> str:
    """What a session keeps of its browser's cookie; it differs in each session of the same browser."""
    return hashed(f"{session_id}.{cookie}")


def is_browser(kept: str | None, session_id: str, cookie: str | None) -> bool:
    """Whether a cookie is that of the browser a session is bound to."""
    return kept is not None and is_cookie(cookie) and hmac.compare_digest(kept, browser_hash(session_id, str(cookie)))


def is_cookie(cookie: str | None) -> bool:
    """Whether a value can be a cookie of ours."""
    return cookie is not None and _COOKIE.match(cookie) is not None


def form_token(session_id: str, cookie: str) -> str:
    """The token that a form of a session must carry: no other site can know it, since it is made from the cookie."""
    return hmac.new(cookie.encode(), f"form {session_id}".encode(), hashlib.sha256).hexdigest()


def is_form_token(given: str, session_id: str, cookie: str) -> bool:
    """Whether a form came from a page that we gave to this browser."""
    return hmac.compare_digest(given.encode(), form_token(session_id, cookie).encode())
