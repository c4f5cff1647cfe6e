"""What the log keeps of arguments and outputs: no secret, no declared sensitive field, and not too much."""

import json
import re
from collections.abc import Container, Iterator, Mapping
from typing import Any
from urllib.parse import quote, quote_plus

REDACTED = "[redacted]"
SHORTEST_SECRET = 6
_WORDS_FOR_SECRETS = (
    r"pass(?:word|wd|phrase)|secret|api[-_]?key|private[-_]?key|(?:access|refresh|id|bearer|auth|api)[-_]?token"
    r"|authorization|cookie|credential"
)
_SECRET_NAMES = re.compile(rf"{_WORDS_FOR_SECRETS}|^token$", re.IGNORECASE)
_SECRET_QUERY = re.compile(
    rf"([?&](?:token|[\w.-]{{0,40}}(?:{_WORDS_FOR_SECRETS})[\w.-]{{0,40}})=)[^&#\s\"'<>]+", re.IGNORECASE
)


def redacted(
    value: Any, credentials: Mapping[str, Any], limit_bytes: int, sensitive: Container[str] = frozenset()
) -> Any:
    """
    Return what may be logged of a JSON value.

    Left out are fields and query parameters whose name says secret, the `sensitive` paths, every occurrence of a
    credential of the account (`creds` and `token` of the context), as it is or percent-encoded, and what goes beyond
    the limit.
    """
    plain = set(_texts([credentials.get("creds"), credentials.get("token")]))
    spellings = plain | {encode(text, safe="", errors="replace") for text in plain for encode in (quote, quote_plus)}
    secrets = tuple(sorted(spellings, key=len, reverse=True))
    clean = _clean(value, secrets, sensitive, "")
    text = json.dumps(clean, ensure_ascii=False)
    size = len(text.encode("utf-8", "replace"))
    if size <= limit_bytes:
        return clean
    return {"truncated": True, "bytes": size, "beginning": text[: limit_bytes // 8]}


def _clean(value: Any, secrets: tuple[str, ...], sensitive: Container[str], path: str) -> Any:
    if isinstance(value, dict):
        return {
            _without(str(key), secrets): REDACTED
            if f"{path}{key}" in sensitive or _SECRET_NAMES.search(str(key))
            else _clean(inner, secrets, sensitive, f"{path}{key}.")
            for key, inner in value.items()
        }
    if isinstance(value, list):
        return [_clean(inner, secrets, sensitive, f"{path.removesuffix('.')}[].") for inner in value]
    return _without(value, secrets) if isinstance(value, str) else value


def _without(text: str, secrets: tuple[str, ...]) -> str:
    for secret in secrets:
        text = text.replace(secret, REDACTED)
    return _SECRET_QUERY.sub(rf"\1{REDACTED}", text) if "=" in text else text


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in ("token_type", "scope", "expires_in"):
                yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
    elif isinstance(value, str) and len(value) >= SHORTEST_SECRET:
        yield value
