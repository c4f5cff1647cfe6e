"""The bodies, forms and targets that take the most work for their size, all within the limits of size."""

MEBIBYTE = 1024 * 1024 - 100
BODIES = {
    "unknown keys": b"{" + b",".join(b'"unknown%d":1' % number for number in range(24_000)) + b"}",
    "very many unknown keys": b"{" + b",".join(b'"u%d":1' % number for number in range(MEBIBYTE // 11)) + b"}",
    "long unknown keys": b"{" + b",".join(b'"%s%d":1' % (b"note" * 200, number) for number in range(1200)) + b"}",
    "nested arrays": b'{"more": {"a": [' + b",".join([b"[]"] * 24_000) + b"]}}",
    "very many nested arrays": b'{"more": {"a": [' + b",".join([b"[]"] * (MEBIBYTE // 3 - 10)) + b"]}}",
    "an array of wrong items": b'{"texts": [' + b",".join([b"[]"] * 24_000) + b"]}",
    "a wide object": b'{"more": {' + b",".join(b'"key%d":1' % number for number in range(24_000)) + b"}}",
    "deep": b'{"more": {"a": [' + b",".join([b"[" * 96 + b"]" * 96] * 500) + b"]}}",
    "too deep": b'{"more": {"a": ' + b"[" * (MEBIBYTE // 2 - 20) + b"]" * (MEBIBYTE // 2 - 20) + b"}}",
    "one long text": b'{"note": "' + b"x" * (MEBIBYTE - 20) + b'"}',
    "one long query": b'{"note": "' + b"?token=abcdefgh&x=1" * (MEBIBYTE // 19 - 2) + b'"}',
    "secrets": b'{"more": {"password": [' + b",".join(b'"secret-%d"' % number for number in range(24_000)) + b"]}}",
    "one long secret": b'{"more": {"password": "' + b"x /" * (MEBIBYTE // 3 - 20) + b'"}}',
    "wrong type beside a long text": b'{"texts": [1, 2], "count": "x", "note": "' + b"x" * (MEBIBYTE - 60) + b'"}',
}
_PIECE = "a" * 900
FORMS = {
    "thousand fields": "&".join(f"field{number}={_PIECE}" for number in range(1000)),
    "thousand keys": "&".join(f"more[{_PIECE}{number}]=1" for number in range(1000)),
    "deep keys": "more" + "[a]" * 300_000 + "=1",
    "brackets": "more" + "[" * 500_000 + "=1",
    "thousand texts": "&".join(f"texts={_PIECE}" for number in range(1000)),
    "JSON": "more={%22a%22:[" + ",".join(["[]"] * 300_000) + "]}",
    "JSON in many fields": "&".join("texts=[" + ",".join(["[]"] * 300) + "]" for number in range(1000)),
}
TARGETS = {
    "many parameters": "/functions?" + "&".join(["app=x"] * 9_000),
    "many unknown parameters": "/functions?" + "&".join(["a"] * 30_000),
    "many apps": "/functions?app=" + ",".join(["github"] * 9_000),
    "many unknown apps": "/functions?app=" + ",".join(f"a{number}" for number in range(9_000)),
    "a long cursor": "/functions?cursor=" + "k." + "A" * 60_000,
    "a long path": "/" + "a/" * 30_000,
    "a long name": "/functions/" + "a" * 60_000,
    "percent signs": "/functions?app=" + "%41" * 20_000,
}
