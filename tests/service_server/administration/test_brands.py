"""The brand of an application: what may be one, and that nothing else gets in."""

import base64
import struct
import zlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from service_server.administration.brands import MOST_LOGO_BYTES, logo_of, set_brand
from service_server.administration.failures import AdministrationError
from service_server.store import Applications, Brand
from tests.service_server.actors import OWNER
from tests.service_server.store.databases import opened_copy


def png(width: int = 2, height: int = 2, more: bytes = b"") -> bytes:
    """A PNG image, with something more at its end."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pixels = zlib.compress((b"\0" + b"\x0a\x7d\x5c" * 2) * 2)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"") + more


JPEG = b"\xff\xd8\xff\xe0\x00\x10JFIF" + b"\0" * 10 + b"\xff\xc0\x00\x11\x08\x00\x40\x00\x30\x03" + b"\0" * 9
WEBP = b"RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f\x3f\xc0\x0f\x00" + b"\0" * 8


@pytest.fixture
async def applications(empty_database: Path, tmp_path: Path) -> AsyncIterator[Applications]:
    """The applications of an empty service."""
    async with opened_copy(empty_database, tmp_path) as database:
        yield Applications(database)


@pytest.mark.parametrize(("content", "kind"), [(png(), "png"), (JPEG, "jpeg"), (WEBP, "webp")])
def test_images_are_logos(content: bytes, kind: str) -> None:
    """By what they are, not by what they are called."""
    assert f"data:image/{kind};base64,{base64.b64encode(content).decode()}" == logo_of(content)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', "can hold scripts"),
        (b"<!doctype html><script>alert(1)</script>", "PNG, JPEG or WebP"),
        (b"\xff\xd8\xff", "PNG, JPEG or WebP"),
        (b"\xff\xd8\xff\xe0\xff\xff" + b"\0" * 20, "PNG, JPEG or WebP"),
        (b"\x89PNG\r\n\x1a\n", "PNG, JPEG or WebP"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "PNG, JPEG or WebP"),
        (png(width=30_000, height=30_000), "1024 pixels"),
        (png(width=0), "1024 pixels"),
        (png(more=b"\0" * MOST_LOGO_BYTES), "64 KiB at most"),
    ],
)
def test_what_is_no_logo_is_refused(content: bytes, complaint: str) -> None:
    """What could run something, is cut off, is large or would unpack to something large."""
    with pytest.raises(AdministrationError, match=complaint):
        logo_of(content)


async def test_settings_come_and_go_one_by_one(applications: Applications) -> None:
    """What isn't given stays; what is wrong is told by setting, and then nothing is changed."""
    application = await applications.create("acme-prod", "app_1", ["sealed"], [])
    assert Brand() == await applications.brand(application.id)

    await set_brand(OWNER, applications, application.id, {"name": " Acme ", "accent": "#0A7D5C", "logo": png()})
    with pytest.raises(AdministrationError) as refused:
        await set_brand(OWNER, applications, application.id, {"name": "x" * 201, "accent": "teal", "logo": None})
    assert {"name", "accent"} == refused.value.problems.keys()
    assert Brand(name="Acme", accent="#0a7d5c", logo=logo_of(png())) == await applications.brand(application.id)

    await set_brand(OWNER, applications, application.id, {"name": "", "logo": None})
    assert Brand(accent="#0a7d5c") == await applications.brand(application.id)
