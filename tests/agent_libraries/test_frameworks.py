"""The examples of agents, with each framework itself and a model that follows a script."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import httpx2
import pytest
from agents import OpenAIChatCompletionsModel, set_tracing_disabled
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from llama_index.core.base.llms.types import ChatMessage, ChatResponse, MessageRole
from llama_index.core.llms import LLMMetadata, MockLLM
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.llms.llm import ToolSelection
from openai import AsyncOpenAI
from pydantic import Field
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from examples.agents import with_langchain, with_llama_index, with_openai_agents, with_pydantic_ai
from service_client.testing import FakeService
from service_client.tools import ProposedCall

REQUEST = "Create a ticket about the ice."
WRONG = {"name": "desk-create-ticket", "arguments": {"colour": "white"}}
RIGHT = {"name": "desk-create-ticket", "arguments": {"title": "Ice"}}
CALLS = (("find_functions", {"prompt": "a ticket about ice"}), ("call_function", WRONG), ("call_function", RIGHT))
"""What every model does: it finds the function, gets its arguments wrong, and mends them."""


def check(service: FakeService, told: Sequence[str], last: str, approved: Sequence[ProposedCall]) -> None:
    """The model was told what it found, what was wrong, and what was made; the user was asked for each call."""
    found, refused, made = told
    assert "desk-create-ticket" in found
    assert "title is required" in refused
    assert '"id":8' in made.replace(" ", "").replace("'", '"')
    assert "Done." == last
    assert [{"colour": "white"}, {"title": "Ice"}] == [each.arguments for each in approved]
    assert [{"title": "Ice"}] == [each.arguments for each in service.calls]


@pytest.fixture
def approved() -> list[ProposedCall]:
    """The calls that the user has approved."""
    return []


@pytest.fixture
def approve(approved: list[ProposedCall]) -> Callable[[ProposedCall], bool]:
    """A user who approves."""
    return lambda proposed: approved.append(proposed) or True


@pytest.fixture(autouse=True)
def predicted(service: FakeService) -> None:
    """What the request means."""
    service.predict("a ticket about ice", "desk-create-ticket", arguments={"title": "Ice"})


class ScriptedChatModel(GenericFakeChatModel):
    """A chat model of LangChain that remembers what it was asked."""

    asked: list[list[BaseMessage]] = Field(default_factory=list)
    bound: list[Any] = Field(default_factory=list)

    def bind_tools(self, tools: Sequence[Any], **options: Any) -> Any:
        """Note what it may call."""
        self.bound.extend(tools)
        return self

    def _generate(self, messages: list[BaseMessage], *args: Any, **options: Any) -> Any:
        self.asked.append(list(messages))
        return super()._generate(messages, *args, **options)


def test_langchain(service: FakeService, approve: Any, approved: list[ProposedCall]) -> None:
    """Its agent calls tools by their JSON Schema, and marks what went wrong as an error."""
    calls = [
        AIMessage("", tool_calls=[{"name": name, "args": arguments, "id": str(number)}])
        for number, (name, arguments) in enumerate(CALLS)
    ]
    model = ScriptedChatModel(messages=iter([*calls, AIMessage("Done.")]))
    last = with_langchain.run(model, service.client(), REQUEST, approve)

    results = [each for each in model.asked[-1] if isinstance(each, ToolMessage)]
    check(service, [str(each.content) for each in results], last, approved)
    assert ["success", "error", "success"] == [each.status for each in results]
    assert ["find_functions", "call_function"] == [each.name for each in model.bound[:2]]


class ScriptedLLM(MockLLM, FunctionCallingLLM):
    """A function-calling model of LlamaIndex that remembers what it was asked."""

    script: list[tuple[str, dict[str, Any]]] = Field(default_factory=list)
    asked: list[list[ChatMessage]] = Field(default_factory=list)
    offered: list[dict[str, Any]] = Field(default_factory=list)

    @property
    def metadata(self) -> LLMMetadata:
        """Say that it calls functions."""
        return LLMMetadata(is_function_calling_model=True)

    def _prepare_chat_with_tools(self, tools: Sequence[Any], *args: Any, **options: Any) -> dict[str, Any]:
        self.offered.extend(each.metadata.to_openai_tool() for each in tools)
        return {"messages": [*(options.get("chat_history") or [])]}

    async def achat(self, messages: Sequence[ChatMessage], **options: Any) -> ChatResponse:
        """Say the next turn, and the last word once the script is over."""
        self.asked.append(list(messages))
        turns = [self.script.pop(0)] if self.script else []
        message = ChatMessage(role=MessageRole.ASSISTANT, content="" if turns else "Done.")
        return ChatResponse(message=message, raw={"turns": turns})

    async def astream_chat_with_tools(self, tools: Sequence[Any], *args: Any, **options: Any) -> Any:
        """Say it in one piece."""
        response = await self.achat(self._prepare_chat_with_tools(tools, *args, **options)["messages"])

        async def stream() -> Any:
            yield response

        return stream()

    def get_tool_calls_from_response(self, response: ChatResponse, **options: Any) -> list[ToolSelection]:
        """The tools of a turn."""
        turns = response.raw["turns"]
        return [ToolSelection(tool_id=str(len(self.asked)), tool_name=each, tool_kwargs=given) for each, given in turns]


@pytest.mark.filterwarnings("default")  # it looks at what Pydantic has deprecated
async def test_llama_index(service: FakeService, approve: Any, approved: list[ProposedCall]) -> None:
    """Its agent is told our schema though it asks for a class of Pydantic."""
    model = ScriptedLLM()
    model.script = list(CALLS)
    last = await with_llama_index.run(model, service.async_client(), REQUEST, approve)

    told = [str(each.content) for each in model.asked[-1] if each.role == MessageRole.TOOL]
    check(service, told, last, approved)
    assert ["prompt"] == model.offered[0]["function"]["parameters"]["required"]


async def test_openai_agents(service: FakeService, approve: Any, approved: list[ProposedCall]) -> None:
    """The SDK asks a chat endpoint, which is scripted."""
    set_tracing_disabled(True)
    asked: list[dict[str, Any]] = []
    script = list(CALLS)

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(json.loads(request.content))
        message: dict[str, Any] = {"role": "assistant", "content": "Done."}
        if script:
            name, arguments = script.pop(0)
            function = {"name": name, "arguments": json.dumps(arguments)}
            calls = [{"id": f"call_{len(script)}", "type": "function", "function": function}]
            message = {"role": "assistant", "content": None, "tool_calls": calls}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return httpx2.Response(
            200, json={"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
        )

    http = httpx2.AsyncClient(transport=httpx2.MockTransport(answer))
    client = AsyncOpenAI(api_key="none", base_url="http://scripted.test", http_client=http)
    model = OpenAIChatCompletionsModel("m", client)
    last = await with_openai_agents.run(model, service.async_client(), REQUEST, approve)

    told = [each["content"] for each in asked[-1]["messages"] if each["role"] == "tool"]
    check(service, told, last, approved)
    assert ["prompt"] == asked[0]["tools"][0]["function"]["parameters"]["required"]


async def test_pydantic_ai(service: FakeService, approve: Any, approved: list[ProposedCall]) -> None:
    """A function stands for the model."""
    script = list(CALLS)
    asked: list[list[ModelMessage]] = []
    schemas: list[Any] = []

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        asked.append(list(messages))
        schemas.extend(each.parameters_json_schema for each in info.function_tools)
        if not script:
            return ModelResponse(parts=[TextPart("Done.")])
        name, arguments = script.pop(0)
        return ModelResponse(parts=[ToolCallPart(name, arguments)])

    last = await with_pydantic_ai.run(FunctionModel(answer), service.async_client(), REQUEST, approve)

    parts = [part for message in asked[-1] for part in message.parts if isinstance(part, ToolReturnPart)]
    check(service, [json.dumps(part.content) for part in parts], last, approved)
    assert ["prompt"] == schemas[0]["required"]
