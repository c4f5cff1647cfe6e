"""The answers that take the most work for their size, all within the limit of size."""

import json

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


JSON_ANSWERS = {
    "empty lists": b"[" + b",".join([b"[]"] * MANY) + b"]",
    "empty objects": b"[" + b",".join([b"{}"] * MANY) + b"]",
    "numbers": b"[" + b",".join([b"1"] * (MEGABYTES // 2)) + b"]",
    "ordinary objects": _ordinary(),
    "a wide object": _wide(),
    "deep": b"[" + b",".join([b"[" * 99 + b"]" * 99] * (MEGABYTES // 200)) + b"]",
    "too deep": b"[" * (MEGABYTES // 2) + b"]" * (MEGABYTES // 2),
    "one long string": b'"' + b"hostile-app-key-012345678 " * (MEGABYTES // 26) + b'"',
    "one long string of secrets": b'"' + b"hostile-app-key-0123456789" * (MEGABYTES // 26) + b'"',
    "one long query": b'"' + b"?token=abc&x=1" * (MEGABYTES // 14) + b'"',
    "escapes": b'"' + rb"\u00e9" * (MEGABYTES // 6) + b'"',
    "almost JSON": b"[" + b",".join([b"[]"] * MANY),
    "a number of megabytes": b"1" * MEGABYTES,
}
OTHER_ANSWERS = {
    "text": ("text/html; charset=utf-8", b"<p>lorem ipsum &amp; dolor</p>" * (MEGABYTES // 30)),
    "text that is none": ("text/plain", b"\xff" * MEGABYTES),
    "text in many bytes": ("text/plain; charset=gb18030", b"\x81\x30\x81\x30" * (MEGABYTES // 4)),
    "text of one character": ("text/plain; charset=iso2022_jp", b"\x1b$B0!" * (MEGABYTES // 5)),
    "binary": ("application/octet-stream", bytes(range(256)) * (MEGABYTES // 256)),
    "of no type": ("", b"\xff" * MEGABYTES),
}
