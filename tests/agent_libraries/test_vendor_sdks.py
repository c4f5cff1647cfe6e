"""A conversation through each vendor's own SDK: a call of a tool, the user's yes, its result, the last word."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import boto3
import httpx2
import pytest
from anthropic import Anthropic
from botocore.config import Config
from botocore.stub import ANY, Stubber
from google import genai
from google.genai import types
from openai import OpenAI as OpenAIClient

from service_client.testing import FakeService
from service_client.tools import ANTHROPIC, BEDROCK, GEMINI, OPENAI, OPENAI_CHAT, Tools

MODEL = "scripted"
TICKET = {"title": "Ice"}
USAGE = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}


class Script:
    """Answers the requests of an SDK in turn, and keeps what they said."""

    def __init__(self, *answers: dict[str, Any]) -> None:
        self.asked: list[dict[str, Any]] = []
        self._answers = list(answers)
        self.http = httpx2.Client(transport=httpx2.MockTransport(self._answer))

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(json.loads(request.content))
        return httpx2.Response(200, json=self._answers.pop(0))


def ticket_tools(service: FakeService) -> Tools:
    """All functions of the service, with a user who approves."""
    functions = service.client().functions.list(include="meta")
    return Tools(service.client(), functions, approve=lambda proposed: proposed.arguments == TICKET)


def conversation(ask: Callable[[list[Any]], Any], reply: Callable[[Any], Any], answer: Callable[[Any], Any]) -> Any:
    """Go on until the model calls no tool any more; its last response."""
    messages: list[Any] = []
    while True:
        response = ask(messages)
        results = answer(response)
        if not results:
            return response
        messages += [*reply(response), *results]


def made(service: FakeService) -> bool:
    """Whether the ticket was created, once."""
    return [("desk-create-ticket", TICKET)] == [(each.function, each.arguments) for each in service.calls]


def test_openai_responses(service: FakeService) -> None:
    """Function calls are items of the output, and so is what comes of them."""
    base = {"id": "r", "object": "response", "created_at": 1, "model": MODEL, "parallel_tool_calls": True}
    base |= {"tool_choice": "auto", "tools": []}
    called = {
        "type": "function_call",
        "id": "f",
        "call_id": "call_1",
        "name": "desk-create-ticket",
        "status": "completed",
    }
    said = {"type": "output_text", "text": "Done.", "annotations": []}
    last = {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [said]}
    script = Script(
        {**base, "output": [{**called, "arguments": json.dumps(TICKET)}]},
        {**base, "output": [last]},
    )
    client = OpenAIClient(api_key="none", base_url="http://scripted.test", http_client=script.http)
    tools = ticket_tools(service)
    response = conversation(
        lambda messages: client.responses.create(
            model=MODEL, input=[{"role": "user", "content": "ice!"}, *messages], tools=tools.definitions(OPENAI)
        ),
        lambda response: response.output,
        lambda response: tools.answer(OPENAI, response),
    )

    assert "Done." == response.output_text
    assert made(service)
    assert tools.definitions(OPENAI) == script.asked[0]["tools"]
    output = script.asked[1]["input"][-1]
    assert ("function_call_output", "call_1") == (output["type"], output["call_id"])
    assert 8 == json.loads(output["output"])["output"]["id"]


def test_openai_chat(service: FakeService) -> None:
    """Function calls stand in the assistant's message; each result is a message of its own."""
    base = {"id": "c", "object": "chat.completion", "created": 1, "model": MODEL, "usage": USAGE}
    function = {"name": "desk-create-ticket", "arguments": json.dumps(TICKET)}
    calls = [{"id": "call_1", "type": "function", "function": function}]
    script = Script(
        {**base, "choices": [choice({"role": "assistant", "content": None, "tool_calls": calls}, "tool_calls")]},
        {**base, "choices": [choice({"role": "assistant", "content": "Done."}, "stop")]},
    )
    client = OpenAIClient(api_key="none", base_url="http://scripted.test", http_client=script.http)
    tools = ticket_tools(service)
    response = conversation(
        lambda messages: client.chat.completions.create(
            model=MODEL, messages=[{"role": "user", "content": "ice!"}, *messages], tools=tools.definitions(OPENAI_CHAT)
        ),
        lambda response: [response.choices[0].message],
        lambda response: tools.answer(OPENAI_CHAT, response),
    )

    assert "Done." == response.choices[0].message.content
    assert made(service)
    result = script.asked[1]["messages"][-1]
    assert ("tool", "call_1") == (result["role"], result["tool_call_id"])
    assert 8 == json.loads(result["content"])["output"]["id"]


def choice(message: dict[str, Any], reason: str) -> dict[str, Any]:
    """The only choice of a completion."""
    return {"index": 0, "message": message, "finish_reason": reason}


def test_anthropic(service: FakeService) -> None:
    """Uses of tools are blocks of the content, and their results those of one message of the user's."""
    usage = {"input_tokens": 1, "output_tokens": 1}
    base = {"id": "m", "type": "message", "role": "assistant", "model": MODEL, "usage": usage, "stop_sequence": None}
    use = {"type": "tool_use", "id": "toolu_1", "name": "desk-create-ticket", "input": TICKET}
    declined = {**use, "id": "toolu_2", "input": {"title": "Snow"}}
    script = Script(
        {**base, "content": [{"type": "text", "text": "Well."}, use, declined], "stop_reason": "tool_use"},
        {**base, "content": [{"type": "text", "text": "Done."}], "stop_reason": "end_turn"},
    )
    client = Anthropic(api_key="none", base_url="http://scripted.test", http_client=script.http)
    tools = ticket_tools(service)
    response = conversation(
        lambda messages: client.messages.create(
            model=MODEL,
            max_tokens=100,
            messages=[{"role": "user", "content": "ice!"}, *messages],
            tools=tools.definitions(ANTHROPIC),
        ),
        lambda response: [{"role": "assistant", "content": response.content}],
        lambda response: tools.answer(ANTHROPIC, response),
    )

    assert "Done." == response.content[0].text
    assert made(service)
    results = script.asked[1]["messages"][-1]["content"]
    assert [("toolu_1", False), ("toolu_2", True)] == [(each["tool_use_id"], each["is_error"]) for each in results]


def test_gemini(service: FakeService) -> None:
    """Function calls are parts of the content; the SDK writes the definitions as they stand on the wire."""
    called = {"functionCall": {"id": "1", "name": "desk-create-ticket", "args": TICKET}}
    script = Script(
        {"candidates": [{"content": {"role": "model", "parts": [called]}, "finishReason": "STOP"}]},
        {"candidates": [{"content": {"role": "model", "parts": [{"text": "Done."}]}, "finishReason": "STOP"}]},
    )
    options = types.HttpOptions(base_url="http://scripted.test", httpx_client=script.http)
    client = genai.Client(api_key="none", http_options=options)
    tools = ticket_tools(service)
    response = conversation(
        lambda messages: client.models.generate_content(
            model=MODEL,
            contents=[{"role": "user", "parts": [{"text": "ice!"}]}, *messages],
            config={"tools": tools.definitions(GEMINI)},
        ),
        lambda response: [response.candidates[0].content],
        lambda response: tools.answer(GEMINI, response),
    )

    assert "Done." == response.text
    assert made(service)
    declared = types.Tool.model_validate(script.asked[0]["tools"][0])
    assert types.Tool.model_validate(tools.definitions(GEMINI)[0]) == declared
    given = script.asked[1]["contents"][-1]["parts"][0]["functionResponse"]
    assert ("1", "desk-create-ticket") == (given["id"], given["name"])
    assert 8 == given["response"]["output"]["output"]["id"]


def test_bedrock(service: FakeService) -> None:
    """Botocore checks both what is asked and what is answered by its model of Converse."""
    client = boto3.client(
        "bedrock-runtime",
        region_name="us-east-1",
        aws_access_key_id="none",
        aws_secret_access_key="none",
        config=Config(retries={"total_max_attempts": 1}),
    )
    use = {"toolUseId": "tooluse_1", "name": "desk-create-ticket", "input": TICKET}
    base = {"usage": {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2}, "metrics": {"latencyMs": 1}}
    asked = {"modelId": MODEL, "messages": ANY, "toolConfig": ANY}
    tools = ticket_tools(service)
    sent: list[Any] = []

    def ask(messages: list[Any]) -> Any:
        sent.append(list(messages))
        return client.converse(
            modelId=MODEL,
            messages=[{"role": "user", "content": [{"text": "ice!"}]}, *messages],
            toolConfig={"tools": tools.definitions(BEDROCK)},
        )

    with Stubber(client) as stub:
        for stop, content in (("tool_use", [{"toolUse": use}]), ("end_turn", [{"text": "Done."}])):
            message = {"role": "assistant", "content": content}
            stub.add_response("converse", {**base, "output": {"message": message}, "stopReason": stop}, asked)
        response = conversation(
            ask, lambda response: [response["output"]["message"]], lambda response: tools.answer(BEDROCK, response)
        )

    assert "Done." == response["output"]["message"]["content"][0]["text"]
    assert made(service)
    result = sent[1][-1]["content"][0]["toolResult"]
    assert ("tooluse_1", "success") == (result["toolUseId"], result["status"])


def test_the_code_of_the_documentation_runs(service: FakeService, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page's loop, and its way with tools of one's own beside ours."""
    page = (Path(__file__).parents[2] / "docs" / "agents.md").read_text()
    loop, own_tools = re.findall(r"```python\n(.*?)```", page[page.index("## Tools for your own model") :], re.DOTALL)[
        :2
    ]
    usage = {"input_tokens": 1, "output_tokens": 1}
    base = {"id": "m", "type": "message", "role": "assistant", "model": MODEL, "usage": usage, "stop_sequence": None}
    create = {"name": "desk-create-ticket", "arguments": TICKET}
    use = {"type": "tool_use", "id": "toolu_1", "name": "call_function", "input": create}
    own = {"type": "tool_use", "id": "toolu_2", "name": "thermometer", "input": {}}
    script = Script(
        {**base, "content": [use], "stop_reason": "tool_use"},
        {**base, "content": [{"type": "text", "text": "Done."}], "stop_reason": "end_turn"},
    )
    monkeypatch.setattr("builtins.input", lambda prompt: "yes")
    names: dict[str, Any] = {"client": service.client(), "MODEL": MODEL}
    names["anthropic"] = Anthropic(api_key="none", base_url="http://scripted.test", http_client=script.http)
    exec(compile(loop, "docs/agents.md", "exec"), names)  # noqa: S102  our own page

    assert made(service)
    assert "Done." == names["response"].content[0].text
    names["response"] = {"content": [own, use]}
    exec(compile(own_tools, "docs/agents.md", "exec"), names)  # noqa: S102
    results = names["messages"][-1]["content"]
    assert {"temperature": 21} == json.loads(results[0]["content"])
    assert 8 == json.loads(results[1]["content"])["output"]["id"]
