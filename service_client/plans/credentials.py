"""Who is asking: the headers that identify the application and its user."""

import re
import unicodedata
from urllib.parse import quote

from attrs import Attribute, Factory, field, frozen

from service_client.errors import InvalidArgumentError
from service_client.models import sign

_MAX_USER_ID = 256
_HEADER_TEXT = re.compile(r"[\x21-\x7e]+")
_HASH = re.compile(r"[0-9a-fA-F]{64}")


def encode_user_id(user_id: str) -> str:
    """
    Return the `User-ID` header's value.

    A header cannot carry every text: the whole value is percent-encoded, `%` included, if it has a non-ASCII character
    or a space at either end; any other value is sent unchanged.
    """
    if user_id.isascii() and user_id == user_id.strip(" "):
        return user_id
    return quote(user_id, safe="")


def check_header_text(name: str, value: str) -> None:
    """Refuse a value that would not arrive as one header, without repeating it: it may be a secret."""
    if not _HEADER_TEXT.fullmatch(value):
        raise InvalidArgumentError(f"{name} must be printable ASCII without spaces, and not empty.")


def check_user_id(user_id: object) -> None:
    """Refuse a User-ID that no service takes, such as the number that a database knows somebody by."""
    if not isinstance(user_id, str):
        raise InvalidArgumentError(f"user_id must be text, not {type(user_id).__name__}: write str(user_id).")
    if not 1 <= len(user_id) <= _MAX_USER_ID:
        raise InvalidArgumentError(f"user_id must have 1 to {_MAX_USER_ID} characters, not {len(user_id)}.")
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in user_id):
        raise InvalidArgumentError("user_id must not hold control characters or lone surrogates.")


def _check_app_key(_: object, __: "Attribute[str | None]", value: str | None) -> None:
    if value is not None:
        check_header_text("app_key", value)


def _check_user_id(_: object, __: "Attribute[str | None]", value: str | None) -> None:
    if value is not None:
        check_user_id(value)


def _check_secret(_: object, __: "Attribute[str | None]", value: str | None) -> None:
    if value == "":
        raise InvalidArgumentError("secret must not be empty.")


def _check_hash(_: object, __: "Attribute[str | None]", value: str | None) -> None:
    if value is not None and not _HASH.fullmatch(value):
        raise InvalidArgumentError("hash must be 64 hexadecimal digits, as sign(user_id, secret) returns them.")


def _signed(credentials: "Credentials") -> str | None:
    if credentials.secret is None or credentials.user_id is None:
        return None
    check_user_id(credentials.user_id)  # validators run later
    return sign(credentials.user_id, credentials.secret)


@frozen(kw_only=True)
class Credentials:
    """
    The application's key, its user, and the user's hash, which is made with the application's `secret`.

    Without hash and secret, requests carry a session token, and key and user may be left out. With the secret alone,
    the user may be chosen later: see `for_user`.
    """

    app_key: str | None = field(default=None, validator=_check_app_key)
    user_id: str | None = field(default=None, validator=_check_user_id)
    secret: str | None = field(default=None, repr=False, validator=_check_secret)
    hash: str | None = field(default=Factory(_signed, takes_self=True), repr=False, validator=_check_hash)

    @classmethod
    def given(
        cls, *, app_key: str | None, user_id: str | None, hash: str | None, secret: str | None, has_token: bool
    ) -> "Credentials":
        """Return the credentials that a client was given, if they are enough."""
        if (hash is not None) + (secret is not None) + has_token != 1:
            raise InvalidArgumentError("Give exactly one of hash, secret and token.")
        if hash is not None and user_id is None:
            raise InvalidArgumentError("A hash is that of one user: give user_id, too.")
        if not has_token and app_key is None:
            raise InvalidArgumentError("app_key is needed, except with a token.")
        if secret is not None:
            return cls(app_key=app_key, user_id=user_id, secret=secret)
        return cls(app_key=app_key, user_id=user_id, hash=hash)

    def for_user(self, user_id: str, *, hash: str | None, has_token: bool) -> "Credentials":
        """Return the credentials of another user of the same application."""
        secret = self.secret if hash is None and not has_token else None
        if secret is None and hash is None and not has_token:
            raise InvalidArgumentError("Only a client with the secret can make a user's hash: give hash or token here.")
        return Credentials.given(app_key=self.app_key, user_id=user_id, hash=hash, secret=secret, has_token=has_token)

    @property
    def needs_token(self) -> bool:
        """Whether a session token stands in for the hash."""
        return self.hash is None and self.secret is None

    def headers(self, token: str | None) -> dict[str, str]:
        """Return the headers that identify the asker; `token` is used when there is no hash."""
        if self.secret is not None and self.user_id is None:
            raise InvalidArgumentError("Whose request is it? Give the client a user_id, or use client.for_user(…).")
        headers: dict[str, str] = {}
        if self.app_key is not None:
            headers["App-Key"] = self.app_key
        if self.user_id is not None:
            headers["User-ID"] = encode_user_id(self.user_id)
        if self.hash is not None:
            headers["Hash"] = self.hash
        elif token is not None:
            check_header_text("token", token)
            headers["Authorization"] = f"Bearer {token}"
        return headers
