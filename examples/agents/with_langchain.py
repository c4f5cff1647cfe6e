"""An agent of LangChain. Needs `service-client[langchain]`, `langchain`, and the package of a model's vendor."""

from collections.abc import Callable
from typing import Any

from langchain.agents import create_agent

from examples.agents.approval import ask_user
from service_client import Client
from service_client.tools import ProposedCall, Tools
from service_client.tools.langchain import langchain_tools


def run(model: Any, client: Client, request: str, approve: Callable[[ProposedCall], bool] = ask_user) -> str:
    """Have a model do what a user asks for; `model` is a chat model of LangChain, or a name such as "openai:gpt-5"."""
    agent = create_agent(model, langchain_tools(Tools(client, approve=approve)))
    state = agent.invoke({"messages": [{"role": "user", "content": request}]})
    return str(state["messages"][-1].text)
