"""An agent of OpenAI's Agents SDK. Needs `service-client[openai-agents]` and `OPENAI_API_KEY`."""

from collections.abc import Callable
from typing import Any

from agents import Agent, Runner

from examples.agents.approval import ask_user
from service_client import AsyncClient
from service_client.tools import AsyncTools, ProposedCall
from service_client.tools.openai_agents import openai_agents_tools


async def run(model: Any, client: AsyncClient, request: str, approve: Callable[[ProposedCall], bool] = ask_user) -> str:
    """Have a model do what a user asks for; `model` is the name of one, or a model of the SDK."""
    agent = Agent(name="Assistant", model=model, tools=list(openai_agents_tools(AsyncTools(client, approve=approve))))
    result = await Runner.run(agent, request)
    return str(result.final_output)
