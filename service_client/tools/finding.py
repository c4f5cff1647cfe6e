"""Finding functions for a model, by the service's own prediction."""

from typing import Any

from attrs import frozen

from service_client.errors import ServiceClientError
from service_client.models import App, Function
from service_client.tools.calls import ToolCall, ToolResult
from service_client.tools.offers import MOST_FOUND, Finding
from service_client.tools.refusals import failed
from service_client.tools.schemas import tool_schema
from service_client.tools.stepping import Step, Steps


@frozen
class Search:
    """A search for functions, ready to be sent."""

    call: ToolCall
    prompt: str


def found(search: Search, offer: Finding) -> Steps[ToolResult]:
    """Find the functions that fit a search, with the arguments that it gives for the first, and the user's accounts."""
    try:
        best: Function | None = yield lambda client: client.functions.predict(
            search.prompt,
            arguments=True,
            app=",".join(offer.apps) or None,
            type=offer.type,
            connected_only=offer.connected_only,
            include="meta",
        )
    except ServiceClientError as error:
        return failed(search.call, error)
    if best is None:
        told: dict[str, Any] = {
            "fits": False,
            "functions": [],
            "what_to_do": "Put it in other words, or ask the user what they mean.",
        }
        return ToolResult(call=search.call, content=told)
    prediction = best.prediction
    first: dict[str, Any] = {**_told(best), "arguments": best.arguments or {}}
    if prediction is not None and prediction.missing:
        first["missing"] = list(prediction.missing)
    if prediction is not None and prediction.choices:
        first["choices"] = {
            name: [{"value": each.value, "label": each.label} for each in choices]
            for name, choices in prediction.choices.items()
        }
    near = prediction.alternatives if prediction is not None else ()
    functions = [best]
    for other in near[: min(offer.most, MOST_FOUND) - 1]:
        try:
            function: Function = yield _getting(other.name)
        except ServiceClientError:  # it was taken away in the meantime
            continue
        functions.append(function)
    accounts: dict[str, Any] = {}
    for name in dict.fromkeys(each.app_name for each in functions):
        try:
            app: App = yield _app(name)
        except ServiceClientError:
            continue
        accounts[name] = accounts_in(app)
    return ToolResult(
        call=search.call,
        content={"fits": True, "functions": [first, *map(_told, functions[1:])], "connected_accounts": accounts},
    )


def _getting(name: str) -> Step:
    return lambda client: client.functions.get(name, include="meta")


def _app(name: str) -> Step:
    return lambda client: client.apps.get(name)


def _told(function: Function) -> dict[str, Any]:
    told: dict[str, Any] = {
        "name": function.name,
        "description": function.description,
        "type": function.type,
        "parameters": tool_schema(function),
    }
    if function.meta is not None and function.meta.destructive:
        told["destructive"] = True
    return told


def accounts_in(app: App) -> list[dict[str, Any]]:
    """Return the user's accounts in an app, as a model is told about them."""
    return [{"id": each.id, "display_name": each.display_name, "state": each.state} for each in app.connected_accounts]
