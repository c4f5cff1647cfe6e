"""An agent's side of `/mcp`: the official Python client, in both eras of the protocol."""

import contextlib
import json
import subprocess
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import anyio
import httpx2
from attrs import field, frozen
from mcp import Client, types
from mcp.client.streamable_http import streamable_http_client

from tests.service_server.processes import RunningService

ERAS = ("2026-07-28", "legacy")


@frozen
class User:
    """Whoever sits in front of the agent: what they were asked, and what they reply."""

    reply: Callable[[Any], str] = lambda asked: "accept"
    asked: list[Any] = field(factory=list)

    async def __call__(self, context: Any, params: Any) -> types.ElicitResult:
        """Reply to a question."""
        self.asked.append(params)
        action: Any = self.reply(params)
        return types.ElicitResult(action=action, content={} if action == "accept" else None)


@contextlib.asynccontextmanager
async def agent(
    service: RunningService,
    user_id: str,
    query: str = "",
    *,
    mode: str = ERAS[0],
    user: User | None = None,
    headers: dict[str, str] | None = None,
) -> AsyncIterator[Client]:
    """The client of an agent, with the user's headers unless others are given."""
    given = service.headers(user_id) if headers is None else headers
    async with httpx2.AsyncClient(headers=given, timeout=60, trust_env=False) as http:
        transport = streamable_http_client(f"{service.url}/mcp{query}", http_client=http)
        async with Client(transport, mode=mode, elicitation_callback=user, cache=None) as client:
            yield client


def text_of(result: types.CallToolResult) -> str:
    """The text that a model reads."""
    assert isinstance(result.content[0], types.TextContent)
    return result.content[0].text


async def call(client: Client, name: str, arguments: dict[str, Any], **more: Any) -> types.CallToolResult:
    """Call a function by `call_function`."""
    return await client.call_tool("call_function", {"name": name, "arguments": arguments, **more})


async def give_up(client: Client, arguments: dict[str, Any]) -> str | None:
    """Call a function, and cancel that once the first progress is told; what was told."""
    told: list[str | None] = []
    scope = anyio.CancelScope()

    async def note(progress: float, total: float | None, message: str | None) -> None:
        told.append(message)
        scope.cancel()

    with scope:
        await client.call_tool("call_function", arguments, progress_callback=note)
    (message,) = told
    return message


async def resource(client: Client, uri: str) -> Any:
    """The value of a resource."""
    content = (await client.read_resource(uri)).contents[0]
    assert isinstance(content, types.TextResourceContents)
    return json.loads(content.text)


def node_client(program: str, service: RunningService, user_id: str, *calls: dict[str, Any], **more: Any) -> Any:
    """What a client from npm says of the tools, and of these calls; `program` is its file beside this one."""
    task = {"url": f"{service.url}/mcp{more.pop('query', '')}", "headers": service.headers(user_id), "calls": calls}
    command: list[str | Path] = ["node", Path(__file__).with_name(program), json.dumps({**task, **more})]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def of_function(name: str, arguments: dict[str, Any] | None = None) -> dict[str, Any]:
    """A call of `call_function` for such a client."""
    return {"name": "call_function", "arguments": {"name": name, "arguments": arguments or {}}}
