"""The people who can sign in, their API keys, and their browser sessions."""

import hashlib
import secrets
from collections.abc import Callable

from attrs import define, frozen


@frozen
class User:
    """Someone with an account here; belongs to one workspace."""

    id: str
    username: str
    name: str
    email: str
    workspace_id: str
    password: str


# Made-up people of a demo: their passwords stand on the login page.
USERS = (
    User("u-alice", "alice", "Alice Andersson", "alice@acme.example", "acme", "alice-password"),
    User("u-bob", "bob", "Bob Berger", "bob@globex.example", "globex", "bob-password"),
)


def find_user(username: str) -> User | None:
    """The user with this name, or None."""
    return next((user for user in USERS if user.username == username), None)


def check_password(username: str, password: str) -> User | None:
    """The user whose name and password these are, or None."""
    user = find_user(username)
    if user is not None and secrets.compare_digest(user.password.encode(), password.encode()):
        return user
    return None


@frozen
class ApiKey:
    """A key that acts as its user, with every scope."""

    id: int
    key: str
    user: User


def seeded_key(user: User) -> str:
    """The user's demo key, the same in every process, so that examples can name it."""
    return "tickets_demo_" + hashlib.sha256(f"demo key of {user.username}".encode()).hexdigest()[:32]


class ApiKeys:
    """All API keys; every user starts with the seeded one."""

    def __init__(self) -> None:
        self._keys: dict[str, ApiKey] = {}
        self._next_id = 1
        self.reset()

    def reset(self) -> None:
        """Forget the keys made since the start, and bring back the seeded ones."""
        self._keys.clear()
        self._next_id = 1
        for user in USERS:
            self._add(seeded_key(user), user)

    def create(self, user: User) -> ApiKey:
        """Make another key for the user."""
        return self._add("tickets_" + secrets.token_hex(20), user)

    def revoke(self, user: User, key_id: int) -> bool:
        """Delete one of the user's keys; False when there is no such key."""
        for key in self.of(user):
            if key.id == key_id:
                del self._keys[key.key]
                return True
        return False

    def find(self, key: str) -> ApiKey | None:
        """The key as registered, or None."""
        return self._keys.get(key)

    def of(self, user: User) -> list[ApiKey]:
        """The user's keys, oldest first."""
        return [key for key in self._keys.values() if key.user == user]

    def _add(self, key: str, user: User) -> ApiKey:
        self._keys[key] = ApiKey(self._next_id, key, user)
        self._next_id += 1
        return self._keys[key]


@define
class Session:
    """One browser's visit: nobody is signed in while `user` is None. The CSRF token goes into every form."""

    id: str
    csrf_token: str
    expires_at: float
    user: User | None = None


class Sessions:
    """Browser sessions by their cookie's value."""

    def __init__(self, clock: Callable[[], float], lifetime_seconds: float) -> None:
        self._clock = clock
        self._lifetime = lifetime_seconds
        self._sessions: dict[str, Session] = {}

    def open(self, user: User | None = None) -> Session:
        """Start a session; a new one at each sign-in, so that a planted cookie gains nothing."""
        now = self._clock()
        self._sessions = {name: session for name, session in self._sessions.items() if session.expires_at > now}
        session = Session(secrets.token_urlsafe(32), secrets.token_urlsafe(32), now + self._lifetime, user)
        self._sessions[session.id] = session
        return session

    def find(self, session_id: str | None) -> Session | None:
        """The live session of this cookie value, or None."""
        session = self._sessions.get(session_id or "")
        return session if session is not None and session.expires_at > self._clock() else None

    def close(self, session: Session) -> None:
        """Sign out."""
        self._sessions.pop(session.id, None)

    def reset(self) -> None:
        """Sign everybody out."""
        self._sessions.clear()
