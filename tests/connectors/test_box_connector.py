"""Uploads to Box, as the connector sends them."""

import json
import re
from typing import Any

import pytest

from tests.connectors.building import connector_of, request_of


@pytest.mark.parametrize(
    ("given", "parent"), [({"name": "a.txt"}, "0"), ({"name": 'the "best".txt', "parent": "4711"}, "4711")]
)
def test_an_upload_says_where_the_file_goes(given: dict[str, Any], parent: str) -> None:
    """The name and the folder stand in a JSON text before the file; without a folder it goes to the top."""
    connector = connector_of("box")
    arguments = {"file": "https://example.com/a.txt", **given}
    request = request_of(connector, connector.functions["box-upload-file"], arguments)
    names = re.findall(rb'name="(\w+)"', request.body)
    attributes = re.search(rb'name="attributes"\r\n\r\n(.*?)\r\n', request.body)

    assert "https://upload.box.com/api/2.0/files/content" == request.url
    assert [b"attributes", b"file"] == names
    assert attributes is not None
    assert {"name": given["name"], "parent": {"id": parent}} == json.loads(attributes[1])
