"""Functions that take files: what the app is told beside the file, where no description of the app's tells."""

import json
from typing import Any

import pytest

from service_server.catalog.given_files import GivenFile
from service_server.catalog.hooks import InvalidRequest, PreparedRequest
from tests.connectors.building import connector_of, request_of
from tests.connectors.vendors.dropbox import CHECK as DROPBOX


async def _no_content() -> Any:
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
    """The header is JSON in plain ASCII, whatever the path; the client knows each of its keys; the body is the file."""
    connector = connector_of("dropbox")
    arguments = {"path": "/Größe ✓.pdf", **given}
    if function == "upload":
        arguments["file"] = "https://example.com/a.txt"
    request = request_of(connector, connector.functions[f"dropbox-{function}-file"], arguments)
    header = dict(request.headers)["Dropbox-API-Arg"]

    assert f"https://content.dropboxapi.com/2/files/{function}" == request.url
    assert {"path": "/Größe ✓.pdf", **told} == json.loads(header)
    assert header.isascii()
    assert (b"content" if function == "upload" else b"") == request.body


@pytest.mark.slow
def test_dropbox_knows_the_keys() -> None:
    """What stands in the header are fields of the arguments that the vendor's client declares."""
    try:
        (types,) = DROPBOX.members[0].texts("types/dropbox_types.d.ts").values()
    except FileNotFoundError:
        pytest.skip("the description of dropbox isn't fetched: run python -m tests.connectors.vendors")
    declared = types[types.index("interface CommitInfo {") :].partition("}")[0]

    assert set() == {"path", "mode", "autorename", "mute"} - {
        line.strip().partition(":")[0].rstrip("?") for line in declared.splitlines()
    }


@pytest.mark.parametrize(
    ("name", "media_type", "ending"),
    [
        ("Lease.PDF", "application/octet-stream", "pdf"),
        ("Lease v1.2 final.docx", "text/plain", "docx"),
        ("scan", "image/png", "png"),
        ("note.", "text/plain; charset=utf-8", "txt"),
        ("file", "application/octet-stream", None),
        ("v1.2 final", "application/x-unknown", None),
    ],
)
def test_docusign_is_told_the_kind(name: str, media_type: str, ending: str | None) -> None:
    """The kind of a document is that of its name, else that of its media type; one that nobody knows is refused."""
    request = connector_of("docusign").functions["docusign-send-document"].request
    assert isinstance(request, PreparedRequest)
    prepare = request.prepare
    arguments = {"file": GivenFile(name, media_type, 0, _no_content)}
    if ending is None:
        with pytest.raises(InvalidRequest, match="ending"):
            prepare(arguments)
        return

    assert {"name": name, "ending": ending} == prepare(arguments)
    assert {"name": "Our lease", "ending": ending} == prepare({**arguments, "file_name": "Our lease"})
