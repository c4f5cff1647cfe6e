"""Bodies as they are relayed, in whatever charset they come."""

import codecs
import json
from typing import Any

import pytest

from service_server.answers.bodies import read_body
from service_server.onward.values import OnwardResponse

TEXT = "Zürich, 5 €"
XML = f"<?xml version='1.0' encoding='%s'?>\n<city>{TEXT}</city>"


def value(body: bytes, content_type: str) -> Any:
    """What a body is relayed as."""
    return read_body(OnwardResponse(200, {"content-type": content_type}, body, "https://app.example")).value


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (TEXT.encode(), "text/plain"),
        (TEXT.encode("cp1252"), 'text/plain; format=flowed; Charset="Windows-1252"'),
        (codecs.BOM_UTF8 + TEXT.encode(), "text/csv"),
        (TEXT.encode("utf-16"), "text/csv"),
        (codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), "text/csv; charset=utf-8"),
        (TEXT.encode("utf-32"), "text/csv"),
        (TEXT.encode("utf-16-le"), "text/csv; charset=UTF-16LE"),
    ],
)
def test_the_charset_of_a_text(body: bytes, content_type: str) -> None:
    """A byte order mark tells it, else the header, and the mark is no part of the text."""
    assert TEXT == value(body, content_type)


@pytest.mark.parametrize(("declared", "charset"), [("windows-1252", "cp1252"), ("ISO-8859-15", "iso8859-15")])
@pytest.mark.parametrize("media_type", ["text/xml", "application/atom+xml"])
def test_the_charset_that_xml_declares(declared: str, charset: str, media_type: str) -> None:
    """It counts where the header names none."""
    written = XML % declared

    assert written == value(written.encode(charset), media_type)
    assert written == value(written.encode(), f"{media_type}; charset=utf-8")


@pytest.mark.parametrize("declared", ["utf-16", "rot13", "no-such", "x" * 300])
def test_a_declaration_that_lies(declared: str) -> None:
    """What declares a charset that it can't be in, or none, is read as UTF-8."""
    written = XML % declared

    assert written == value(written.encode(), "application/xml")


@pytest.mark.parametrize("media_type", ["text/json", "Application/X-JSON; charset=utf-8", "application/json", ""])
def test_json_by_its_older_names(media_type: str) -> None:
    """What says that it is JSON is read as that; what isn't JSON all the same is relayed as the text it is."""
    assert {"city": TEXT} == value(json.dumps({"city": TEXT}).encode(), media_type)
    assert "{city" == value(b"{city", media_type)


def test_json_in_an_older_charset() -> None:
    """It is read by the charset that the header names; with a wrong one or none it is relayed as the text it is."""
    body = json.dumps({"city": TEXT}, ensure_ascii=False).encode("cp1252")

    assert {"city": TEXT} == value(body, "application/json; charset=windows-1252")
    assert {"city": TEXT} == value(json.dumps({"city": TEXT}).encode(), "application/json; charset=windows-1252")
    for content_type in ("application/json", "application/json; charset=utf-8"):
        assert '{"city": "Z\N{REPLACEMENT CHARACTER}rich, 5 \N{REPLACEMENT CHARACTER}"}' == value(body, content_type)
