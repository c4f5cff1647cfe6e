"""Who is asking: the headers that identify the application and its user."""

import re
import unicodedata
from urllib.parse import quote

from attrs import Attribute, field, frozen

from service_client.errors import InvalidArgument

_MAX_USER_ID = 256
_HEADER_TEXT = re.compile(r"[\x21-\x7e]+")
_HASH = re.compile(r"[0-9a-fA-F]{64}")


def encode_user_id(user_id: str) -> str:
    """
    Return the `User-ID` header's value.

    A header cannot carry every text: the whole value is percent-encoded, `%` included, when it has a non-ASCII
    character or a space at an end; any other value goes as it is.
    """
    if user_id.isascii() and user_id == user_id.strip(" "):
        return user_id
    return quote(user_id, safe="")


def check_header_text(name: str, value: str) -> None:
    """Refuse a value that would not arrive as one header, without repeating it: it may be a secret."""
    if not _HEADER_TEXT.fullmatch(value):
        raise InvalidArgument(f"{name} must be printable ASCII without spaces, and not empty.")


def check_user_id(user_id: str) -> None:
    """Refuse what no service takes as a User-ID."""
    if not 1 <= len(user_id) <= _MAX_USER_ID:
        raise InvalidArgument(f"user_id must have 1 to {_MAX_USER_ID} characters, not {len(user_id)}.")
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in user_id):
        raise InvalidArgument("user_id must not hold control characters or lone surrogates.")


def _check_app_key(_: object, __: "Attribute[str | None]", value: str | None) -> None:
    if value is not None:
        check_header_text("app_key", value)


def _check_user_id(_: object, __: "Attribute[str | None]", value: str | None) -> None:
    if value is not None:
        check_user_id(value)


def _check_hash(_: object, __: "Attribute[str | None]", value: str | None) -> None:
    if value is not None and not _HASH.fullmatch(value):
        raise InvalidArgument("hash must be 64 hexadecimal digits, as sign(user_id, secret) returns them.")


@frozen(kw_only=True)
class Credentials:
    """
    The application's key, its user, and the user's hash.

    Without a hash the requests carry a session token, and key and user may be left out.
    """

    app_key: str | None = field(default=None, validator=_check_app_key)
    user_id: str | None = field(default=None, validator=_check_user_id)
    hash: str | None = field(default=None, repr=False, validator=_check_hash)

    @property
    def needs_token(self) -> bool:
        """Whether a session token stands in for the hash."""
        return self.hash is None

    def headers(self, token: str | None) -> dict[str, str]:
        """Return the headers that identify the asker; `token` is used when there is no hash."""
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
