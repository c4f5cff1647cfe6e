"""Functions that take files: what the app is told beside the file, where no description of the app's tells."""

import json
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest

from service_server.catalog.given_files import GivenFile
from service_server.catalog.hooks import InvalidRequest
from tests.connectors.functions import prepared, request
from tests.connectors.vendors.dropbox import CHECK as DROPBOX


async def _no_content() -> AsyncIterator[bytes]:
    yield b""


@pytest.mark.parametrize(
    ("function", "given", "told"),
    [
        ("upload", {}, {"mode": "add", "autorename": True, "mute": False}),
        ("upload", {"existing": "replace"}, {"mode": "overwrite", "autorename": False, "mute": False}),
        ("upload", {"existing": "refuse", "mute": True}, {"mode": "add", "autorename": False, "mute": True}),
        ("download", {}, {}),
    ],
)
def test_dropbox_is_told_in_a_header(function: str, given: dict[str, Any], told: dict[str, Any]) -> None:
    """The header is JSON in plain ASCII, whatever the path; the body is the file, or nothing."""
    file, content = ({"file": "https://example.com/a.txt"}, b"content") if function == "upload" else ({}, b"")
    sent = request(f"dropbox-{function}-file", path="/Größe ✓.pdf", **file, **given)
    header = dict(sent.headers)["Dropbox-API-Arg"]

    assert (f"https://content.dropboxapi.com/2/files/{function}", content) == (sent.url, sent.body)
    assert {"path": "/Größe ✓.pdf", **told} == json.loads(header)
    assert header.isascii()


@pytest.mark.slow
def test_dropbox_knows_the_keys() -> None:
    """What stands in the header are fields of the arguments that the vendor's client declares."""
    try:
        (types,) = DROPBOX.members[0].texts("types/dropbox_types.d.ts").values()
    except FileNotFoundError:
        pytest.skip("the description of dropbox isn't fetched: run python -m tests.connectors.vendors")
    declared = types[types.index("interface CommitInfo {") :].partition("}")[0]

    assert {"path", "mode", "autorename", "mute"} <= set(re.findall(r"^\s*(\w+)\??:", declared, re.MULTILINE))


@pytest.mark.parametrize(
    ("name", "media_type", "ending"),
    [
        ("Lease.PDF", "application/octet-stream", "pdf"),
        ("Lease v1.2 final.docx", "text/plain", "docx"),
        ("scan", "image/png", "png"),
        ("note.", "text/plain; charset=utf-8", "txt"),
    ],
)
def test_docusign_is_told_the_kind(name: str, media_type: str, ending: str) -> None:
    """The kind of a document is that of its name, else that of its media type."""
    given = {"file": GivenFile(name, media_type, 0, _no_content)}

    assert {"name": name, "ending": ending} == prepared("docusign-send-document", given)
    assert {"name": "Our lease", "ending": ending} == prepared(
        "docusign-send-document", {**given, "file_name": "Our lease"}
    )


@pytest.mark.parametrize("name", ["file", "v1.2 final"])
def test_docusign_is_sent_no_unknown_kind(name: str) -> None:
    """One that nobody knows is refused."""
    with pytest.raises(InvalidRequest, match="ending"):
        prepared("docusign-send-document", {"file": GivenFile(name, "application/x-unknown", 0, _no_content)})


@pytest.mark.parametrize(
    ("given", "parent"), [({"name": "a.txt"}, "0"), ({"name": 'the "best".txt', "parent": "4711"}, "4711")]
)
def test_an_upload_to_box_says_where_the_file_goes(given: dict[str, Any], parent: str) -> None:
    """The name and the folder stand in a JSON text before the file; without a folder it goes to the top."""
    sent = request("box-upload-file", file="https://example.com/a.txt", **given)
    attributes = re.search(rb'name="attributes"\r\n\r\n(.*?)\r\n', sent.body)

    assert "https://upload.box.com/api/2.0/files/content" == sent.url
    assert [b"attributes", b"file"] == re.findall(rb'name="(\w+)"', sent.body)
    assert attributes is not None
    assert {"name": given["name"], "parent": {"id": parent}} == json.loads(attributes[1])
