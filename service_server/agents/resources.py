"""What an agent may read besides calling functions: the user's accounts, the calls executed recently, and files."""

import re
from base64 import b64encode
from typing import Any

from mcp import types

from service_client.models import CONVERTER, Code
from service_server.agents.agent import Agent
from service_server.agents.tool_results import FILES, file_uri
from service_server.errors import failure, refused, shortened
from service_server.files import Owner
from service_server.json_texts.json_text import JsonText
from service_server.store import Account
from service_server.store.call_filter import CallFilter

_ROOT = "integration-functions://"
ACCOUNTS, CALLS = f"{_ROOT}accounts", f"{_ROOT}calls"
MOST_ACCOUNTS = 100
"""Accounts that the list names one by one; the resource of all accounts has every one."""

MOST_CALLS = 20
LARGEST_FILE = 384 * 2**10
"""Bytes of a file that are read as a resource, since clients take messages of 1 MiB; the service gives larger ones."""

_JSON = "application/json"
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


class Resources:
    """Lists and reads the resources; none holds a secret."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    async def page(self, cursor: str | None) -> types.ListResourcesResult:
        """All of them, on the only page."""
        if cursor is not None:
            raise refused(Code.BAD_CURSOR, "There is only one page of resources.")
        accounts = await self._agent.accounts()
        resources = [
            types.Resource(
                uri=ACCOUNTS,
                name="accounts",
                title="Connected accounts",
                description="All accounts that the user has connected.",
                mime_type=_JSON,
            ),
            types.Resource(
                uri=CALLS,
                name="calls",
                title="Latest calls",
                description=f"The {MOST_CALLS} calls executed last, newest first: what became of one that was "
                "cancelled or cut off.",
                mime_type=_JSON,
            ),
        ]
        for each in accounts[:MOST_ACCOUNTS]:
            title = f"{each.display_name} in {self._title(each)}"
            name = f"{each.app_name}-{each.id}"
            resources.append(types.Resource(uri=f"{ACCOUNTS}/{each.id}", name=name, title=title, mime_type=_JSON))
        return types.ListResourcesResult(resources=resources)

    async def read(self, uri: str) -> types.ReadResourceResult:
        """The value of one resource."""
        if uri == CALLS:
            return _content(uri, await self._calls())
        accounts = [self._told(each) for each in await self._agent.accounts()]
        if uri.startswith(f"{FILES}/"):
            return await self._file(uri)
        if uri == ACCOUNTS:
            return _content(uri, accounts)
        for each in accounts:
            if uri == f"{ACCOUNTS}/{each['id']}":
                return _content(uri, each)
        raise failure(404, Code.NOT_FOUND, f"There is no resource {shortened(uri)}.")

    def templates(self) -> types.ListResourceTemplatesResult:
        """The addresses of files, which are told where functions give them."""
        template = types.ResourceTemplate(
            uri_template=file_uri("{id}"),
            name="file",
            title="A file",
            description="What a function gave as a file, or the user uploaded; it is kept for an hour.",
        )
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def _file(self, uri: str) -> types.ReadResourceResult:
        """What a file holds, as long as it is small enough for a message."""
        caller = self._agent.caller
        owner, file_id = Owner(caller.application.id, caller.user_id), uri.removeprefix(f"{FILES}/")
        kept = await self._agent.service.files.find(owner, file_id)
        if kept is None:
            raise failure(404, Code.UNKNOWN_FILE, "There is no such file: its hour is over, or it never was there.")
        if kept.size > LARGEST_FILE:
            where = f"{self._agent.service.settings.public_url}/files/{kept.id}"
            message = f"The file has {kept.size} bytes, and a resource {LARGEST_FILE} at most. GET {where} gives it."
            raise failure(413, Code.BODY_TOO_LARGE, message)
        content = b"".join([chunk async for chunk in kept.chunks()])
        text = _text(content) if kept.media_type.startswith("text/") else None
        if text is not None:
            contents = types.TextResourceContents(uri=uri, mime_type=kept.media_type, text=text)
            return types.ReadResourceResult(contents=[contents])
        blob = types.BlobResourceContents(uri=uri, mime_type=kept.media_type, blob=b64encode(content).decode())
        return types.ReadResourceResult(contents=[blob])

    async def _calls(self) -> list[dict[str, Any]]:
        caller = self._agent.caller
        matching = CallFilter(application_id=caller.application.id, user_id=caller.user_id)
        calls = (await self._agent.service.calls.calls(limit=MOST_CALLS, matching=matching)).entries
        return [
            {
                "function": each.function_name,
                "connected_account_id": each.account_id,
                "outcome": each.outcome,
                "network_code": each.network_code,
                "started_at": each.started_at,
            }
            for each in calls
            if caller.may_call(each.function_name, each.function_type)
        ]

    def _title(self, account: Account) -> str:
        connector = self._agent.service.catalog.connector(account.app_name)
        return account.app_name if connector is None else connector.title

    def _told(self, account: Account) -> dict[str, Any]:
        public: dict[str, Any] = CONVERTER.unstructure(account.public())
        return {"app": account.app_name, "app_title": self._title(account), **public}


def _text(content: bytes) -> str | None:
    """Return a text as such, None for bytes that are none, or whose characters would be long in a message."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return None
    return None if _CONTROL.search(text) else text


def _content(uri: str, value: Any) -> types.ReadResourceResult:
    text = JsonText.of(value).text.decode()
    return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, mime_type=_JSON, text=text)])
