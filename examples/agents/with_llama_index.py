"""An agent of LlamaIndex. Needs `service-client[llama-index]` and the package of a model's vendor."""

from collections.abc import Callable
from typing import Any

from llama_index.core.agent.workflow import FunctionAgent

from examples.agents.approval import ask_user
from service_client import AsyncClient
from service_client.tools import AsyncTools, ProposedCall
from service_client.tools.llama_index import llama_index_tools


async def run(model: Any, client: AsyncClient, request: str, approve: Callable[[ProposedCall], bool] = ask_user) -> str:
    """Have a model do what a user asks for; `model` is a function-calling LLM of LlamaIndex."""
    agent = FunctionAgent(
        tools=llama_index_tools(AsyncTools(client, approve=approve)), llm=model, allow_parallel_tool_calls=False
    )
    return str(await agent.run(request))
