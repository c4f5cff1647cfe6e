"""What the log keeps of arguments and outputs: no secret, no declared sensitive field, and not too much."""

import json
import re
from collections.abc import Container, Iterator, Mapping
from typing import Any
from urllib.parse import unquote_plus

from service_server.secret_spellings import REDACTED, Spellings, texts_in

_WORDS_FOR_SECRETS = (
    r"pass(?:word|wd|phrase)|secret|api[-_]?key|private[-_]?key|(?:access|refresh|id|bearer|auth|api)[-_]?token"
    r"|authorization|cookie|credential"
)
_SECRET_NAMES = re.compile(rf"{_WORDS_FOR_SECRETS}|^token$", re.IGNORECASE)
_SECRET_QUERY = re.compile(
    rf"([?&](?:token|[\w.-]{{0,40}}(?:{_WORDS_FOR_SECRETS})[\w.-]{{0,40}})=)([^&#\s\"'<>]+)", re.IGNORECASE
)


def secrets_of_call(credentials: Mapping[str, Any], arguments: Any, sensitive: Container[str]) -> Spellings:
    """
    What must not be logged of a call, wherever it stands.

    That are the account's credentials (`creds` and `token` of the context) and what the caller gave as secret: in
    `sensitive` parameters, and in those and in query parameters whose name says so.
    """
    given = _sensitive_texts(arguments, sensitive, "")
    return Spellings.of([*texts_in(credentials.get("creds")), *texts_in(credentials.get("token")), *given])


def redacted(value: Any, secrets: Spellings, limit_bytes: int, sensitive: Container[str] = frozenset()) -> Any:
    """
    Return what may be logged of a JSON value.

    Left out are fields and query parameters whose name says secret, the `sensitive` paths, the secrets in every
    spelling, and what goes beyond the limit.
    """
    clean = _clean(value, secrets, sensitive, "")
    text = json.dumps(clean, ensure_ascii=False)
    size = len(text.encode("utf-8", "replace"))
    if size <= limit_bytes:
        return clean
    return {"truncated": True, "bytes": size, "beginning": text[: limit_bytes // 8]}


def _clean(value: Any, secrets: Spellings, sensitive: Container[str], path: str) -> Any:
    if isinstance(value, dict):
        return {
            _without(str(key), secrets): REDACTED
            if _is_sensitive(path, key, sensitive)
            else _clean(inner, secrets, sensitive, f"{path}{key}.")
            for key, inner in value.items()
        }
    if isinstance(value, list):
        return [_clean(inner, secrets, sensitive, f"{path.removesuffix('.')}[].") for inner in value]
    return _without(value, secrets) if isinstance(value, str) else value


def _sensitive_texts(value: Any, sensitive: Container[str], path: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if _is_sensitive(path, key, sensitive):
                yield from texts_in(inner)
            else:
                yield from _sensitive_texts(inner, sensitive, f"{path}{key}.")
    elif isinstance(value, list):
        for inner in value:
            yield from _sensitive_texts(inner, sensitive, f"{path.removesuffix('.')}[].")
    elif isinstance(value, str) and "=" in value:
        yield from (unquote_plus(found[2]) for found in _SECRET_QUERY.finditer(value))


def _is_sensitive(path: str, key: object, sensitive: Container[str]) -> bool:
    return f"{path}{key}" in sensitive or _SECRET_NAMES.search(str(key)) is not None


def _without(text: str, secrets: Spellings) -> str:
    text = secrets.removed_from(text)
    return _SECRET_QUERY.sub(rf"\1{REDACTED}", text) if "=" in text else text
