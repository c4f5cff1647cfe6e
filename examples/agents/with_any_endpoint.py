"""
An agent without a library: any endpoint that speaks OpenAI's chat completions, such as Ollama, vLLM or OpenRouter.

Run it beside the demo:
`python -m examples.agents.with_any_endpoint --demo-file DATA_DIR/demo.json --endpoint http://127.0.0.1:11434/v1
--model qwen3 "create a ticket about the broken printer"`. A key of the endpoint is read from `MODEL_KEY`.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from examples.agents.approval import ask_user
from service_client import Client, ServiceClientError
from service_client.tools import OPENAI_CHAT, ProposedCall, Tools

MOST_TURNS = 20
PROMPT = (
    "You do things in the user's apps with tools. Find a function, then call it. Ids come from other functions: never "
    "make them up. Give the user links to connect an account as they are. Say in the end what you did."
)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Have a model do one thing in the user's apps.")
    parser.add_argument("request")
    parser.add_argument("--demo-file", type=Path, required=True, help="demo.json of a running demo")
    parser.add_argument("--endpoint", required=True, help="the address before /chat/completions")
    parser.add_argument("--model", required=True)
    options = parser.parse_args()
    demo = json.loads(options.demo_file.read_text())
    headers = {"Authorization": f"Bearer {os.environ['MODEL_KEY']}"} if "MODEL_KEY" in os.environ else {}
    with (
        Client(demo["base_url"], app_key=demo["app_key"], secret=demo["app_secret"], user_id=demo["user_id"]) as client,
        httpx.Client(base_url=options.endpoint, headers=headers, timeout=300) as endpoint,
    ):
        try:
            print(run(endpoint, options.model, client, options.request))
        except (httpx.HTTPError, ServiceClientError) as error:
            sys.exit(f"{type(error).__name__}: {error}")


def run(
    endpoint: httpx.Client,
    model: str,
    client: Client,
    request: str,
    approve: Callable[[ProposedCall], bool] = ask_user,
) -> str:
    """Have the model do what a user asks for, and return its last words."""
    tools = Tools(client, approve=approve)
    messages: list[dict[str, Any]] = [{"role": "system", "content": PROMPT}, {"role": "user", "content": request}]
    for _ in range(MOST_TURNS):
        asked = {"model": model, "messages": messages, "tools": tools.definitions(OPENAI_CHAT)}
        response = endpoint.post("chat/completions", json=asked).raise_for_status().json()
        message = response["choices"][0]["message"]
        results = tools.answer(OPENAI_CHAT, response)
        if not results:
            return str(message["content"])
        messages += [message, *results]
    return f"The model was still calling tools after {MOST_TURNS} turns."


if __name__ == "__main__":
    main()
