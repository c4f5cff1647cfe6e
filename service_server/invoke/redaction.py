"""What the log keeps of arguments and outputs: no secret, no declared sensitive field, and not too much."""

import json
import re
from collections.abc import Container, Iterator, Mapping
from typing import Any

REDACTED = "[redacted]"
SHORTEST_SECRET = 6
_SECRET_NAMES = re.compile(
    r"pass(word|wd|phrase)|secret|api[-_]?key|private[-_]?key|(access|refresh|id|bearer|auth)[-_]?token"
    r"|^token$|authorization|cookie|credential",
    re.IGNORECASE,
)


def redacted(
    value: Any, credentials: Mapping[str, Any], limit_bytes: int, sensitive: Container[str] = frozenset()
) -> Any:
    """
    Return what may be logged of a JSON value.

    Left out are fields whose name says secret, the `sensitive` paths, every occurrence of a credential of the account
    (`creds` and `token` of the context), and what goes beyond the limit.
    """
    secrets = tuple(sorted(set(_texts([credentials.get("creds"), credentials.get("token")])), key=len, reverse=True))
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
    return text


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
