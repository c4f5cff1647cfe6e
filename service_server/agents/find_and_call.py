"""Two tools for all functions: one finds those that a request in the user's words asks for, the other calls one."""

from typing import Any

import jsonschema_rs
from mcp import types

from service_client.models import CONVERTER, Code
from service_server.agents.agent import Agent
from service_server.agents.asking import Conversation
from service_server.agents.calling import Wanted, call_function
from service_server.agents.function_tools import account_in
from service_server.agents.tool_results import structured
from service_server.agents.tool_schemas import ACCOUNT, tool_schema
from service_server.errors import ServiceError, failure, refused, shortened
from service_server.invoke.check_arguments import invalid, problems_of
from service_server.prediction.prediction import LONGEST_PROMPT
from service_server.rest.function_texts import public_function
from service_server.rest.functions import asker_of, checked_prompt, with_arguments

FIND, CALL = "find_functions", "call_function"
MOST_FUNCTIONS = 5
_USUAL_FUNCTIONS = 3

_FIND_INPUT = {
    "type": "object",
    "properties": {
        "prompt": {
            "type": "string",
            "maxLength": LONGEST_PROMPT,
            "description": "One thing to do, in the user's own words, with the values they named. Ask once for each "
            "of several things.",
        },
        "limit": {
            "type": "integer",
            "minimum": 1,
            "maximum": MOST_FUNCTIONS,
            "description": f"How many functions to give at most ({_USUAL_FUNCTIONS} if left out).",
        },
    },
    "required": ["prompt"],
}
_CALL_INPUT = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "The function's name, as find_functions gave it."},
        "arguments": {
            "type": "object",
            "description": "The function's arguments, by its schema; for the next page also next_page.",
        },
        ACCOUNT: {"type": "integer", "description": "Only where several accounts of the app are connected."},
        "idempotency_key": {
            "type": "string",
            "description": "A text of your own: with the same one a call is made once, and repeats get its result.",
        },
    },
    "required": ["name"],
}
_FIND_OUTPUT = {
    "type": "object",
    "properties": {
        "fits": {"type": "boolean", "description": "Whether the first function is what was asked for."},
        "functions": {"type": "array", "items": {"type": "object"}},
        "connected_accounts": {"type": "array", "items": {"type": "object"}},
    },
}
_CALL_OUTPUT = {
    "type": "object",
    "properties": {
        "network_code": {"type": "string", "description": "The HTTP status of the app's answer."},
        "output": {"description": "What the app answered."},
        "next_page": {"type": "string", "description": "Where there is more; empty on the last page."},
        "outcome": {"type": "object", "description": "What came of it, for the user: title, link, facts."},
        "error": {"type": "string", "description": "Why nothing was sent."},
    },
}
_VALIDATORS = {FIND: jsonschema_rs.validator_for(_FIND_INPUT), CALL: jsonschema_rs.validator_for(_CALL_INPUT)}
_INPUTS: dict[str, dict[str, Any]] = {FIND: _FIND_INPUT, CALL: _CALL_INPUT}


class FindAndCall:
    """The two tools."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    async def page(self, cursor: str | None) -> types.ListToolsResult:
        """Both, on the only page."""
        if cursor is not None:
            raise refused(Code.BAD_CURSOR, "There is only one page of tools.")
        reads = self._agent.offer.is_read_only
        find = types.Tool(
            name=FIND,
            title="Find functions",
            description="Find the functions that do what the user wants in their apps, best first: name, what it does, "
            "JSON Schema of its arguments, and the arguments that the prompt gives. Calls nothing that changes data.",
            input_schema=_FIND_INPUT,
            output_schema=_FIND_OUTPUT,
            annotations=types.ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=True),
        )
        call = types.Tool(
            name=CALL,
            title="Call a function",
            description="Call a function that find_functions gave, in the user's account."
            + ("" if reads else " What changes data is done at once, and some of it for good."),
            input_schema=_CALL_INPUT,
            output_schema=_CALL_OUTPUT,
            annotations=types.ToolAnnotations(
                read_only_hint=reads, destructive_hint=not reads, idempotent_hint=reads, open_world_hint=True
            ),
        )
        return types.ListToolsResult(tools=[find, call])

    async def call(self, name: str, arguments: dict[str, Any], conversation: Conversation) -> types.CallToolResult:
        """Carry out one of the two."""
        if name not in _INPUTS:
            raise failure(
                404, Code.UNKNOWN_FUNCTION, f"There is no tool named {shortened(name)}; there are {FIND} and {CALL}."
            )
        given = {key: value for key, value in arguments.items() if value is not None}
        if problems := problems_of(_INPUTS[name], _VALIDATORS[name], given):
            raise invalid(problems)
        if name == FIND:
            return await self._find(checked_prompt(given["prompt"]), int(given.get("limit", _USUAL_FUNCTIONS)))
        wanted = Wanted(
            name=given["name"],
            arguments=given.get("arguments", {}),
            connected_account_id=account_in(given.get(ACCOUNT)),
            key=given.get("idempotency_key"),
        )
        return await call_function(self._agent, wanted, conversation)

    async def _find(self, prompt: str, limit: int) -> types.CallToolResult:
        agent, prediction = self._agent, self._agent.service.prediction
        accounts = await agent.accounts()
        connected = {each.app_name for each in accounts}
        among = None if agent.is_unlimited else frozenset(await agent.names())
        found = await prediction.function(prompt, among=among, connected=connected, with_arguments=True)
        near: list[tuple[str, float]] = []
        if found is None:
            ranking = await prediction.ranking(prompt, among=among, connected=connected)
            near += [(each.name, each.confidence) for each in ranking.functions]
        else:
            near.append((found.function.name, found.function.confidence))
            near += [(each.name, each.confidence) for each in found.function.alternatives]
        functions: list[dict[str, Any]] = []
        for name, confidence in near[:limit]:
            told = self._told(name, confidence)
            if told is None:  # it was removed in the meantime
                continue
            if found is not None and found.arguments is not None and name == found.function.name:
                told |= await self._arguments(name, found.arguments)
            functions.append(told)
        apps = {each["name"].partition("-")[0] for each in functions}
        return structured(
            {
                "fits": found is not None and bool(functions),
                "functions": functions,
                "connected_accounts": [
                    {"app": each.app_name, "id": each.id, "display_name": each.display_name, "state": each.state}
                    for each in accounts
                    if each.app_name in apps
                ],
            }
        )

    def _told(self, name: str, confidence: float) -> dict[str, Any] | None:
        service = self._agent.service
        function = service.catalog.function(name)
        if function is None:
            return None
        return {
            "name": name,
            "title": function.title,
            "app": service.catalog.connectors[function.app_name].title,
            "description": function.description,
            "type": function.type,
            "destructive": function.destructive,
            "confidence": round(confidence, 2),
            "parameters": tool_schema(function),
        }

    async def _arguments(self, name: str, predicted: Any) -> dict[str, Any]:
        """What the prompt says about the arguments; names in it became ids where the user's account knows them."""
        agent = self._agent
        try:
            function = public_function(agent.service, name, include_meta=False)
        except ServiceError:  # it was removed in the meantime
            return {}
        asker = asker_of(agent.caller, None, agent.request_id)
        with agent.calls_at_once.place(agent.caller):
            filled = await with_arguments(agent.service, asker, function, predicted, None)
        told: dict[str, Any] = {"arguments": dict(filled.arguments or {})}
        if filled.prediction is not None and filled.prediction.missing:
            told["missing"] = list(filled.prediction.missing)
        if filled.prediction is not None and filled.prediction.choices:
            told["choices"] = CONVERTER.unstructure(filled.prediction.choices)
        return told
