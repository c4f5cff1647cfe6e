"""What an agent may read besides calling functions: the user's accounts, and the calls executed recently."""

from typing import Any

from mcp import types

from service_client.models import CONVERTER, Code
from service_server.agents.agent import Agent
from service_server.errors import failure, refused, shortened
from service_server.json_texts.json_text import JsonText
from service_server.store import Account
from service_server.store.call_filter import CallFilter

_ROOT = "integration-functions://"
ACCOUNTS, CALLS = f"{_ROOT}accounts", f"{_ROOT}calls"
MOST_ACCOUNTS = 100
"""Accounts that the list names one by one; the resource of all accounts has every one."""

MOST_CALLS = 20
_JSON = "application/json"


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
        if uri == ACCOUNTS:
            return _content(uri, accounts)
        for each in accounts:
            if uri == f"{ACCOUNTS}/{each['id']}":
                return _content(uri, each)
        raise failure(404, Code.NOT_FOUND, f"There is no resource {shortened(uri)}.")

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
            if caller.scope is None or caller.scope.allows(each.function_name, each.function_type)
        ]

    def _title(self, account: Account) -> str:
        connector = self._agent.service.catalog.connector(account.app_name)
        return account.app_name if connector is None else connector.title

    def _told(self, account: Account) -> dict[str, Any]:
        public: dict[str, Any] = CONVERTER.unstructure(account.public())
        return {"app": account.app_name, "app_title": self._title(account), **public}


def _content(uri: str, value: Any) -> types.ReadResourceResult:
    text = JsonText.of(value).text.decode()
    return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, mime_type=_JSON, text=text)])
