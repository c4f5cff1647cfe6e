"""
What the tools of an agent take of a model's context: all functions as tools, beside `find_functions` and its answers.

Asked of a running service at `/mcp` as any agent does. Bytes are those of compact JSON (tools with name, title,
description, input and output schema, and annotations; an answer's text); a token is taken for four of them, since each
model counts otherwise. The prompts are the connectors' own examples, the first with arguments of each app:
`find_functions` is called once for each, and what a model writes to find and call is added. What the apps answer is
left out on both sides.

With `--data DIR` (see `predict`) the prompts of its suite `everyday` are asked, too, for a chooser by a script: it
takes the first function where `fits` says so, else none. `service-server predict`, which the suites are measured with,
is asked the same: `as_predicted` is the share of prompts for which the function, its arguments and what is missing of
them are the same in both.
`./dev bench agent_context [--limit 3] [--prompts N] [--data DIR] [--model-dir DIR]`.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx

from service_server.settings import default_model_directory
from tests.service_server.processes import UNLIMITED, service
from tests.service_server.shipped import shipped_catalog

BYTES_OF_A_TOKEN = 4
GOALS = {"times_smaller": 100, "as_predicted": 1.0}
_VERSION = "2026-07-28"
_META = {
    "io.modelcontextprotocol/protocolVersion": _VERSION,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "benchmark", "version": "1"},
}


def main() -> int:
    """Measure, and print as the last line one JSON object."""
    parser = argparse.ArgumentParser(prog="agent_context", description=__doc__)
    parser.add_argument("--limit", type=int, default=3, help="how many functions find_functions gives")
    parser.add_argument("--prompts", type=int, help="how many prompts of the connectors' own; all without it")
    parser.add_argument("--data", type=Path, help="a folder with dev/everyday")
    parser.add_argument("--model-dir", type=Path, default=default_model_directory())
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        service(Path(folder), "--model-dir", str(options.model_dir), env=UNLIMITED) as running,
        running.api("agent", Accept="application/json, text/event-stream") as api,
    ):
        all_tools = tools(api, "?tools=functions")
        two_tools = tools(api, "")
        asked = examples()[: options.prompts]
        answers, calls = [], []
        for name, prompt, arguments in asked:
            answers.append(len(said(api, "find_functions", {"prompt": prompt, "limit": options.limit}).encode()))
            calls.append(size({"prompt": prompt}) + size({"name": name, "arguments": arguments}))
        suite = None if options.data is None else options.data / "dev" / "everyday"
        shares = {} if suite is None else chosen(api, suite, options.limit, predicted(suite, options.model_dir))
    everything = sum(map(size, all_tools))
    two = sum(map(size, two_tools))
    one_thing = two + statistics.mean(answers) + statistics.mean(calls)
    figures = {
        "functions": len(all_tools),
        "all_as_tools_bytes": everything,
        "all_as_tools_tokens": tokens(everything),
        "two_tools_bytes": two,
        "two_tools_tokens": tokens(two),
        "answer_bytes_mean": round(statistics.mean(answers)),
        "answer_bytes_most": max(answers),
        "one_thing_done_tokens": tokens(one_thing),
        "ten_things_done_tokens": tokens(two + 10 * (one_thing - two)),
        "times_smaller": round(everything / two),
        "times_smaller_one_thing_done": round(everything / one_thing),
        "prompts": len(asked),
        **shares,
    }
    print("| | bytes | tokens |\n|---|---|---|")
    print(f"| {len(all_tools)} functions as tools | {everything:,} | {tokens(everything):,} |")
    print(f"| `find_functions` and `call_function` | {two:,} | {tokens(two):,} |")
    print(f"| … and one thing found and called | {one_thing:,.0f} | {tokens(one_thing):,} |")
    for suite, share in shares.items():
        print(f"{suite}: {share:.0%}")
    met = all(figures[name] >= goal for name, goal in GOALS.items() if name in figures)
    print(json.dumps({"name": "agent_context", "figures": figures, "goals": GOALS, "met": met}))
    return 0 if met else 1


def examples() -> list[tuple[str, str, dict[str, Any]]]:
    """The first example with arguments of each shipped app: the function, the prompt, the arguments."""
    catalog = shipped_catalog()
    chosen = []
    for app in catalog.app_names:
        functions = catalog.connectors[app].functions.values()
        of_app = [(each.name, *example) for each in functions for example in each.examples if example[1]]
        chosen += of_app[:1]
    return chosen


def predicted(suite: Path, model: Path) -> dict[str, tuple[Any, ...]]:
    """What the prediction says of each prompt: a function, its arguments and what is missing of them, or nothing."""
    now = datetime.now(UTC).isoformat()
    cases = "".join(json.dumps(each | {"now": now}) + "\n" for each in map(json.loads, (suite / "cases.jsonl").open()))
    program = str(Path(sys.executable).parent / "service-server")
    command = [program, "predict", "--arguments", "--model-dir", str(model)]
    done = subprocess.run(command, input=cases, stdout=subprocess.PIPE, text=True, check=True)
    answers = {each["id"]: each["functions"][:1] for each in map(json.loads, done.stdout.splitlines())}
    return {
        name: tuple((each["name"], each["arguments"], sorted(each["prediction"]["missing"])) for each in functions)
        for name, functions in answers.items()
    }


def chosen(api: httpx.Client, suite: Path, limit: int, predictions: dict[str, tuple[Any, ...]]) -> dict[str, float]:
    """
    The shares of prompts of which the chooser takes the right function, and of which it is among those given.

    `as_predicted` is the share for which it takes what the prediction says.
    """
    cases = [json.loads(line) for line in (suite / "cases.jsonl").read_text().splitlines()]
    gold = {each["id"]: each for each in map(json.loads, (suite / "gold.jsonl").read_text().splitlines())}
    rights: dict[str, list[bool]] = {}
    for case in cases:
        wanted = gold[case["id"]]["functions"]
        found = json.loads(said(api, "find_functions", {"prompt": case["prompt"], "limit": limit}))
        names = [each["name"] for each in found["functions"]]
        taken = names[:1] if found["fits"] else []
        right = taken == [] if not wanted else bool(taken) and taken[0] in wanted
        rights.setdefault(f"{case['suite']}_chosen", []).append(right)
        first = found["functions"][:1] if found["fits"] else []
        taken_whole = tuple((each["name"], each["arguments"], sorted(each.get("missing", ()))) for each in first)
        same = taken_whole == predictions[case["id"]]
        rights.setdefault("as_predicted", []).append(same)
        if not same:
            print(f"{case['id']}: {taken_whole}, predicted {predictions[case['id']]}", file=sys.stderr)
        if wanted:
            rights.setdefault(f"{case['suite']}_given", []).append(not set(wanted).isdisjoint(names))
    return {name: round(sum(each) / len(each), 3) for name, each in sorted(rights.items())}


def tools(api: httpx.Client, query: str) -> list[dict[str, Any]]:
    """All tools of an address, page by page."""
    listed: list[dict[str, Any]] = []
    cursor: dict[str, Any] = {}
    while True:
        page = asked_of(api, query, "tools/list", cursor)
        listed += page["tools"]
        if not page.get("nextCursor"):
            return listed
        cursor = {"cursor": page["nextCursor"]}


def said(api: httpx.Client, tool: str, arguments: dict[str, Any]) -> str:
    """The text that a tool gives."""
    result = asked_of(api, "", "tools/call", {"name": tool, "arguments": arguments})
    assert not result.get("isError"), result
    return str(result["content"][0]["text"])


def asked_of(api: httpx.Client, query: str, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """The result of one message."""
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**parameters, "_meta": _META}}
    headers = {"Mcp-Protocol-Version": _VERSION, "Mcp-Method": method}
    if "name" in parameters:
        headers["Mcp-Name"] = parameters["name"]
    answer = api.post(f"/mcp{query}", json=message, headers=headers, timeout=120)
    text = answer.raise_for_status().text
    if answer.headers["content-type"].startswith("text/event-stream"):  # as it is after some seconds of waiting
        text = [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: ")][-1]
    result: dict[str, Any] = json.loads(text)["result"]
    return result


def size(value: Any) -> int:
    """Bytes of a value as compact JSON."""
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def tokens(size_bytes: float) -> int:
    """About how many tokens so many bytes are."""
    return round(size_bytes / BYTES_OF_A_TOKEN)


if __name__ == "__main__":
    sys.exit(main())
