"""What the log keeps of arguments and outputs: no secret, no declared sensitive field, and not too much."""

import json
from collections.abc import Container
from typing import Any

from service_server.answers.beginning import Beginning, Cut, beginning_of
from service_server.invoke.given_secrets import TooMuchToLookThrough, given_secrets
from service_server.redaction.secret_names import without_secrets_in_queries
from service_server.redaction.spellings import REDACTED, Spellings

_ENCODER = json.JSONEncoder(ensure_ascii=False)


def secrets_of_call(credentials: Spellings, arguments: Any, sensitive: Container[str]) -> Spellings:
    """
    Return what must not be logged of a call, wherever it appears.

    These are the account's credentials and the secrets that the caller gave. If there is too much to look through for
    these, every text counts as secret.
    """
    try:
        return credentials.and_of(given_secrets(arguments, sensitive))
    except TooMuchToLookThrough:
        return Spellings.of_every_text()


def redacted(value: Any, secrets: Spellings, limit_bytes: int, sensitive: Container[str] = frozenset()) -> Any:
    """
    Return what may be logged of a JSON value.

    This leaves out fields and query parameters whose names say that they are secret, the `sensitive` paths, the secrets
    in every spelling, and everything beyond the limit. However large the value is, only as much of it is looked at as
    the limit has room for.
    """
    return redacted_beginning(beginning_of(value, limit_bytes, secrets.longest, sensitive), secrets, limit_bytes)


def redacted_beginning(beginning: Beginning, secrets: Spellings, limit_bytes: int) -> Any:
    """Return what may be logged of a value whose beginning was taken for this limit and these secrets."""
    if secrets.every_text:
        return REDACTED
    kept, texts = beginning.value, beginning.texts
    found = secrets.among(texts)
    if beginning.is_cut or found.any or any("=" in text for text in texts):
        kept = _clean(kept, found, secrets.longest)
    text = _ENCODER.encode(kept)
    if not beginning.is_cut and len(text.encode("utf-8", "replace")) <= limit_bytes:
        return kept
    return {"truncated": True, "beginning": text[: limit_bytes // 8]}


def _clean(value: Any, secrets: Spellings, longest_secret: int) -> Any:
    if isinstance(value, str):
        text = without_secrets_in_queries(secrets.removed_from(value), REDACTED)
        return text[: max(0, len(text) - longest_secret)] if isinstance(value, Cut) else text
    if isinstance(value, dict):
        return {
            _clean(name, secrets, longest_secret): _clean(inner, secrets, longest_secret)
            for name, inner in value.items()
        }
    if isinstance(value, list):
        return [_clean(inner, secrets, longest_secret) for inner in value]
    return value
