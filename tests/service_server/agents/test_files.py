"""Files over `/mcp`: what a model may write where a function takes one, and how what a function gives is read."""

import base64
from collections.abc import Iterator

import httpx
import pytest
from mcp import types
from mcp.shared.exceptions import MCPError

from service_server.agents.resources import LARGEST_FILE
from tests.service_server.agents.agents import ERAS, agent, call, text_of
from tests.service_server.depot import CONTENT, DepotWorld

pytestmark = pytest.mark.slow

IMAGE = bytes(range(256)) * (LARGEST_FILE // 256)


@pytest.fixture
def user(request: pytest.FixtureRequest) -> str:
    """A user of the test's own."""
    return f"agent's {request.node.name}"


@pytest.fixture
def api(depot: DepotWorld, user: str) -> Iterator[httpx.Client]:
    """The API as the agent's host uses it."""
    depot.reset()
    with depot.connected(user) as api:
        yield api


async def test_a_file_goes_in_by_its_id_and_comes_out_as_a_link(
    depot: DepotWorld, user: str, api: httpx.Client
) -> None:
    """The host uploads and the model names the id; what a function gives is a resource that its client reads."""
    kept = depot.upload(api)
    depot.app.given = IMAGE
    async with agent(depot.running, user) as client:
        taken = await call(client, "depot-raw", {"file": kept})
        given = await call(client, "depot-get", {"as_file": True, "name": "plan.png"})
        (link,) = [each for each in given.content if isinstance(each, types.ResourceLink)]
        (blob,) = (await client.read_resource(link.uri)).contents
        plain = await call(client, "depot-get", {})
        handed_on = await call(client, "depot-raw", {"file": given.structured_content["output"]["id"]})
        (template,) = (await client.list_resource_templates()).resource_templates

    assert [False, False] == [each.is_error for each in (taken, handed_on)]
    assert [CONTENT, IMAGE] == [each.body for each in depot.app.received if each.path.startswith("/raw")]
    assert ("plan.png", "image/png", len(IMAGE)) == (link.name, link.mime_type, link.size)
    assert given.structured_content["output"]["id"] in (link.description or "")
    assert isinstance(blob, types.BlobResourceContents)
    assert IMAGE == base64.b64decode(blob.blob)
    assert [types.TextContent] == [type(each) for each in plain.content]
    assert str(link.uri).startswith(template.uri_template.partition("{")[0])


async def test_the_schema_says_what_to_write(depot: DepotWorld, user: str, api: httpx.Client) -> None:
    """A model reads at the parameter that it takes the id of an uploaded file or an address."""
    async with agent(depot.running, user, "?tools=functions&apps=depot") as client:
        tools = {tool.name: tool.input_schema["properties"] for tool in (await client.list_tools()).tools}
        wrong = await client.call_tool("depot-raw", {"file": "report.pdf"})

    said = "id of an uploaded file (file_…) or an https address"
    assert said in tools["depot-raw"]["file"]["description"]
    assert said in tools["depot-several"]["files"]["items"]["description"]
    assert said not in tools["depot-get"]["name"]["description"]
    assert wrong.is_error
    assert "file" in text_of(wrong)


def kept(api: httpx.Client, content: bytes) -> str:
    """The id of a new file that says it is a text."""
    answer = api.post("/files", content=content, headers={"Content-Type": "text/plain"})
    return str(answer.json()["id"])


def missing(depot: DepotWorld, api: httpx.Client) -> list[str]:
    """Ids of no file: one that is gone, another user's, and made up ones."""
    gone = depot.upload(api)
    api.delete(f"/files/{gone}")
    with depot.running.api("somebody else") as other:
        return [gone, depot.upload(other), "file_1", "../accounts"]


@pytest.mark.parametrize("mode", ERAS)
async def test_texts_and_what_can_not_be_read(depot: DepotWorld, user: str, api: httpx.Client, mode: str) -> None:
    """A text is read as one; a file that is gone, another user's or too large for a message is told."""
    uri = "integration-functions://files/{}".format
    large = kept(api, bytes(LARGEST_FILE + 1))
    async with agent(depot.running, user, mode=mode) as client:
        read = [
            (await client.read_resource(uri(kept(api, content)))).contents[0]
            for content in ("grüß".encode(), b"\n" * LARGEST_FILE, b"\xff", bytes(LARGEST_FILE))
        ]
        for each in missing(depot, api):
            with pytest.raises(MCPError, match="There is no such file"):
                await client.read_resource(uri(each))
        with pytest.raises(MCPError, match=f"GET {depot.running.url}/files/{large} gives it"):
            await client.read_resource(uri(large))

    assert ["grüß", "\n" * LARGEST_FILE] == [each.text for each in read[:2]]
    assert [types.BlobResourceContents] * 2 == [type(each) for each in read[2:]]
