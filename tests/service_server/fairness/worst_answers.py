"""The answers that take the most work for their size, all within the limit of size; each is made when it is needed."""

import json
from collections.abc import Callable

MEGABYTES = 9_000_000
MANY = MEGABYTES // 3


def _ordinary() -> bytes:
    item = {
        "id": 1234,
        "name": "An item of a list",
        "email": "somebody@example.com",
        "tags": ["a", "b"],
        "owner": {"login": "x", "active": True, "score": 1.5, "parent": None},
        "text": "lorem ipsum dolor sit amet " * 2,
    }
    one = json.dumps(item).encode()
    return b"[" + b",".join([one] * (MEGABYTES // (len(one) + 1))) + b"]"


def _wide() -> bytes:
    return b"{" + b",".join(b'"k%d":1' % number for number in range(MEGABYTES // 12)) + b"}"


JSON_ANSWERS: dict[str, Callable[[], bytes]] = {
    "empty lists": lambda: b"[" + b",".join([b"[]"] * MANY) + b"]",
    "empty objects": lambda: b"[" + b",".join([b"{}"] * MANY) + b"]",
    "numbers": lambda: b"[" + b",".join([b"1"] * (MEGABYTES // 2)) + b"]",
    "ordinary objects": _ordinary,
    "a wide object": _wide,
    "deep": lambda: b"[" + b",".join([b"[" * 99 + b"]" * 99] * (MEGABYTES // 200)) + b"]",
    "too deep": lambda: b"[" * (MEGABYTES // 2) + b"]" * (MEGABYTES // 2),
    "one long string": lambda: b'"' + b"hostile-app-key-012345678 " * (MEGABYTES // 26) + b'"',
    "one long string of secrets": lambda: b'"' + b"hostile-app-key-0123456789" * (MEGABYTES // 26) + b'"',
    "one long query": lambda: b'"' + b"?token=abc&x=1" * (MEGABYTES // 14) + b'"',
    "escapes": lambda: b'"' + rb"\u00e9" * (MEGABYTES // 6) + b'"',
    "almost JSON": lambda: b"[" + b",".join([b"[]"] * MANY),
    "a number of megabytes": lambda: b"1" * MEGABYTES,
}
OTHER_ANSWERS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "text": ("text/html; charset=utf-8", lambda: b"<p>lorem ipsum &amp; dolor</p>" * (MEGABYTES // 30)),
    "text that is none": ("text/plain", lambda: b"\xff" * MEGABYTES),
    "text in many bytes": ("text/plain; charset=gb18030", lambda: b"\x81\x30\x81\x30" * (MEGABYTES // 4)),
    "text of one character": ("text/plain; charset=iso2022_jp", lambda: b"\x1b$B0!" * (MEGABYTES // 5)),
    "binary": ("application/octet-stream", lambda: bytes(range(256)) * (MEGABYTES // 256)),
    "of no type": ("", lambda: b"\xff" * MEGABYTES),
}
