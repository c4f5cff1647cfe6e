"""An agent of Pydantic AI. Needs `service-client[pydantic-ai]` and the package of a model's vendor."""

from collections.abc import Callable
from typing import Any

from pydantic_ai import Agent

from examples.agents.approval import ask_user
from service_client import AsyncClient
from service_client.tools import AsyncTools, ProposedCall
from service_client.tools.pydantic_ai import pydantic_ai_tools


async def run(model: Any, client: AsyncClient, request: str, approve: Callable[[ProposedCall], bool] = ask_user) -> str:
    """Have a model do what a user asks for; `model` is one of Pydantic AI's, or a name such as "anthropic:claude…"."""
    agent = Agent(model, tools=pydantic_ai_tools(AsyncTools(client, approve=approve)))
    result = await agent.run(request)
    return str(result.output)
