"""What the database keeps sealed, by purpose. What is not here (tokens, cursors, cookies) is kept by its bearer."""

from collections.abc import Mapping
from enum import StrEnum


class Kept(StrEnum):
    """A purpose whose sealed values are in the database; a key can be forgotten once none of them needs it."""

    APPLICATION_SECRET = "application secret"  # noqa: S105  what it is for, not a secret
    CLIENT_SECRET = "client secret"  # noqa: S105
    CREDENTIALS = "credentials"
    CONNECT_PROGRESS = "connect progress"
    CONNECT_OUTCOME = "connect outcome"
    IDEMPOTENT_RESULT = "idempotent result"
    FILE = "file"
    WEBHOOK_SECRET = "webhook secret"  # noqa: S105


PURPOSES: Mapping[str, tuple[Kept, ...]] = {
    "application secrets": (Kept.APPLICATION_SECRET,),
    "OAuth2 client secrets": (Kept.CLIENT_SECRET,),
    "OAuth2 client secrets of applications": (Kept.CLIENT_SECRET,),
    "account credentials": (Kept.CREDENTIALS,),
    "connect sessions": (Kept.CONNECT_PROGRESS,),
    "accounts to be redeemed": (Kept.CONNECT_OUTCOME,),
    "files": (Kept.FILE,),
    "webhook secrets": (Kept.WEBHOOK_SECRET,),
    "answers kept for repeats": (Kept.IDEMPOTENT_RESULT,),
}
"""The purposes that a kind of `store.SEALED_KINDS` may be sealed for."""
