"""
A language model for tests: a process that speaks the protocol of chat completions and follows simple rules.

The model's name in a request says how it behaves; `GET /requests` tells what it was asked, with the headers. It is no
mock of our sender: what reaches it has gone over a socket.
"""

import json
import re
import sys
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SLOW_SECONDS = 30.0
BUSY_SECONDS = 0.1
HUGE_BYTES = 2 * 1024 * 1024

_REQUEST = re.compile(r"BEGIN REQUEST (\w+)\n(.*)\nEND REQUEST \1", re.DOTALL)
_SEEN: list[dict[str, Any]] = []
_ANSWERING: set[int] = set()


def prompt_of(question: dict[str, Any]) -> str:
    """What the user said, from between the markers."""
    found = _REQUEST.fullmatch(question["messages"][-1]["content"])
    assert found is not None
    return found[2]


def completion(name: str | None, arguments: Any = None, finish_reason: str = "tool_calls") -> dict[str, Any]:
    """A chat completion that calls a tool, or none; arguments that are no text are written as JSON."""
    message: dict[str, Any] = {"role": "assistant", "content": None if name else "none"}
    if name is not None:
        text = arguments if isinstance(arguments, str) else json.dumps(arguments or {})
        message["tool_calls"] = [{"id": "1", "type": "function", "function": {"name": name, "arguments": text}}]
    choice = {"index": 0, "message": message, "finish_reason": finish_reason if name else "stop"}
    return {"id": "x", "object": "chat.completion", "choices": [choice]}


def good(question: dict[str, Any]) -> dict[str, Any]:
    """Choose the tool whose name has most words of the prompt; fill in quoted texts, options, numbers and names."""
    prompt = prompt_of(question)
    tools = [each["function"] for each in question["tools"]]
    fit = {tool["name"]: sum(part in prompt.lower() for part in re.split("[-_]", tool["name"])) for tool in tools}
    best = max(tools, key=lambda tool: fit[tool["name"]])
    if fit[best["name"]] < 2:
        return completion(None)
    arguments: dict[str, Any] = {}
    for name, schema in best["parameters"]["properties"].items():
        if schema.get("enum"):
            found = next((option for option in schema["enum"] if str(option).lower() in prompt.lower()), None)
        elif schema.get("type") == "number":
            number = re.search(r"\b\d+\b", prompt)
            found = int(number[0]) if number else None
        elif "words" in schema.get("description", ""):
            title = schema["description"].partition(".")[0].lower()
            named = re.search(rf"{title} (\w+)", prompt)
            found = named[1] if named else None
        else:
            quoted = re.search(r'"([^"]+)"', prompt)
            found = quoted[1] if quoted else None
        if found is not None:
            arguments[name] = found
    return completion(best["name"], arguments)


def obedient(question: dict[str, Any]) -> dict[str, Any]:
    """Do whatever the prompt says behind CALL: the worst that an injected prompt can make of a model."""
    order = json.loads(prompt_of(question).partition("CALL ")[2].partition("\n")[0])
    return completion(order["name"], order.get("arguments"))


ANSWERS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "good": good,
    "obedient": obedient,
    "none": lambda question: completion(None),
    "wrong-tool": lambda question: completion("delete_everything", {}),
    "bad-arguments": lambda question: completion(question["tools"][0]["function"]["name"], '{"title": '),
    "list-arguments": lambda question: completion(question["tools"][0]["function"]["name"], "[1, 2]"),
    "long-arguments": lambda question: completion(question["tools"][0]["function"]["name"], {"title": "x" * 20_000}),
    "cut-off": lambda question: completion(question["tools"][0]["function"]["name"], {}, "length"),
    "other-shape": lambda question: {"choices": [{"text": "hello"}]},
    "no-choices": lambda question: {"choices": []},
    "a-list": lambda question: [],
    "deep": lambda question: completion(question["tools"][0]["function"]["name"], '{"a": ' * 500 + "1" + "}" * 500),
}


class Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    def do_GET(self) -> None:
        """Tell what was asked; anything else counts as asked, and is not there."""
        if self.path == "/requests":
            self._send(200, json.dumps(_SEEN).encode())
        else:
            _SEEN.append({"method": "GET", "path": self.path, "headers": dict(self.headers), "body": None})
            self._send(404, b"{}")

    def do_POST(self) -> None:
        """Answer a chat completion the way its model does."""
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        _ANSWERING.add(id(self))
        seen = {"method": "POST", "path": self.path, "headers": dict(self.headers), "body": question}
        _SEEN.append({**seen, "at_once": len(_ANSWERING)})
        try:
            self._answer(question)
        finally:
            _ANSWERING.discard(id(self))

    def _answer(self, question: dict[str, Any]) -> None:
        match question["model"]:
            case "slow":
                time.sleep(SLOW_SECONDS)
                self._send(200, json.dumps(completion(None)).encode())
            case "busy":
                time.sleep(BUSY_SECONDS)
                _ANSWERING.discard(id(self))
                self._send(200, json.dumps(completion(None)).encode())
            case "error":
                self._send(500, b'{"error": {"message": "' + self.headers.get("Authorization", "").encode() + b'"}}')
            case "malformed":
                self._send(200, b'{"choices": [')
            case "huge":
                self._send(200, b'{"choices": [], "padding": "' + b"x" * HUGE_BYTES + b'"}')
            case redirect if redirect.startswith("redirect-"):
                _, status, place = redirect.split("-", 2)
                self._send(int(status), b"", Location=place)
            case name:
                self._send(200, json.dumps(ANSWERS[name](question)).encode())

    def _send(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except ConnectionError:  # who asked has gone
            self.close_connection = True

    def log_message(self, format: str, *arguments: object) -> None:
        """Print nothing: the first line of the output is the address."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    sys.stdout.write(json.dumps({"url": f"http://127.0.0.1:{server.server_port}"}) + "\n")
    sys.stdout.flush()
    server.serve_forever()
