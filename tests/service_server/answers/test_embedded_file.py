"""Files that apps give as base64 inside of JSON."""

import json
from base64 import b64encode, encodebytes, urlsafe_b64encode
from collections.abc import AsyncIterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service_server.answers.embedded_file import embedded_file
from service_server.onward.values import Interrupted

CONTENT = bytes(range(256)) * 3 + b"end"


async def file_of(text: bytes, size: int = 7) -> bytes:
    """The file under `data` in a text that comes in chunks."""

    async def chunks() -> AsyncIterator[bytes]:
        for start in range(0, len(text), size):
            yield text[start : start + size]

    return b"".join([piece async for piece in embedded_file(chunks(), "data")])


@pytest.mark.parametrize("size", [1, 2, 3, 5, 1000])
async def test_the_file_is_what_stands_under_its_key(size: int) -> None:
    """Wherever it stands, in both alphabets, padded or not, in one line or several, and however its chunks are cut."""
    answers: list[tuple[bytes, dict[str, Any]]] = [
        (CONTENT, {"data": b64encode(CONTENT).decode()}),
        (CONTENT, {"size": 3, "data": urlsafe_b64encode(CONTENT).decode().rstrip("="), "attachmentId": "a"}),
        (CONTENT, {"data": encodebytes(CONTENT).decode()}),
        (
            bytes(3),
            {"a": {"data": "no"}, "b": ["data", {"data": ["no"]}], "c": 'data": "no', "d": "data", "data": "AAAA"},
        ),
        (b"", {"data ": "no", '\\"data': "no", "x": None, "data": ""}),
    ]
    for expected, answer in answers:
        for indent in (None, 2):
            assert expected == await file_of(json.dumps(answer, indent=indent).encode(), size)


@given(content=st.binary(max_size=300), size=st.integers(1, 400), escaped=st.booleans())
async def test_any_file_comes_out_as_it_was(content: bytes, size: int, escaped: bool) -> None:
    """Also where an app writes some characters as escapes, as Google does with `=`."""
    text = json.dumps({"size": len(content), "data": b64encode(content).decode()})
    if escaped:
        text = text.replace("=", "\\u003d").replace("/", "\\/")

    assert content == await file_of(text.encode(), size)


@pytest.mark.parametrize(
    "text",
    [
        *(b"", b"null", b"<html>", b'["data", "AAAA"]', b'{"size": 0}', b'{"data": null}'),
        *(b'{"data": {"data": "AAAA"}}', b'{"data": "AAAA', b'{"data": "A"}', b'{"data": "AAAA====AAAA"}'),
        *(b'{"data": "\xff\xff\xff\xff"}', b'{"data": "AA\\u00zzAAAAAAAAAA"}', b'{"data": "AAA\\'),
    ],
)
async def test_an_answer_without_a_file(text: bytes) -> None:
    """It is told as such; nothing is taken for a file that is none."""
    for size in (1, 1000):
        with pytest.raises(Interrupted, match="no file where one was expected"):
            await file_of(text, size)
