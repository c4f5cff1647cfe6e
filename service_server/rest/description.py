"""`/openapi.json`: the description of the API, generated from the handlers."""

import asyncio
import copy
from typing import Any

from litestar import Litestar, Request, get
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, Reference, SecurityScheme

from service_client.models import CONVERTER, ErrorEnvelope
from service_server.rest.admin_access import SCHEME
from service_server.rest.gateway import ADMIN, OPERATORS_ELSEWHERE, SERVICE_VERSION
from service_server.rest.parameters import APP_NAME
from service_server.rest.wire import WireResponse

_HEADERS = {"AppKey": "App-Key", "Hash": "Hash", "UserId": "User-ID"}
_CALL_PATH = "/functions/{function_name}"


def openapi_config() -> OpenAPIConfig:
    """What the description says about the API as a whole."""
    schemes: dict[str, SecurityScheme | Reference] = {
        name: SecurityScheme(type="apiKey", name=header, security_scheme_in="header")
        for name, header in _HEADERS.items()
    }
    schemes["SessionToken"] = SecurityScheme(type="http", scheme="bearer")
    schemes[SCHEME] = SecurityScheme(type="http", scheme="bearer", description="A key of the admin API.")
    return OpenAPIConfig(
        title="Integration Functions Service",
        version=SERVICE_VERSION,
        description="Connect users' accounts in third-party apps and run single functions there on their behalf.",
        components=Components(security_schemes=schemes),
        security=[{name: [] for name in _HEADERS}, {"SessionToken": []}],
        path="/openapi",
        render_plugins=[],
        use_handler_docstrings=True,
    )


class Description:
    """The OpenAPI document of an application, made when it is first asked for: most processes are never asked."""

    def __init__(self, app: Litestar) -> None:
        self._app = app
        self._making: asyncio.Task[dict[str, Any]] | None = None

    async def document(self) -> dict[str, Any]:
        """Return it; making it takes a tenth of a second, in a thread, for all who ask meanwhile."""
        if self._making is None:
            self._making = asyncio.create_task(asyncio.to_thread(describe, self._app), name="description")
        return await asyncio.shield(self._making)


def describe(app: Litestar) -> dict[str, Any]:
    """The OpenAPI document of an application, with the error body and the second path of passthrough calls."""
    document: dict[str, Any] = copy.deepcopy(app.openapi_schema.to_schema())
    document["components"] = _any_of(document["components"])
    document["components"]["schemas"]["ErrorEnvelope"] = _ERROR_SCHEMA
    error = {
        "description": "Not executed: the error envelope.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorEnvelope"}}},
    }
    for path in document["paths"].values():
        for operation in path.values():
            operation["responses"].pop("400", None)
            operation["responses"]["default"] = error
            for parameter in operation.get("parameters", ()):
                parameter["schema"] = _without_null(parameter["schema"])
    call = copy.deepcopy(document["paths"][_CALL_PATH]["post"])
    call["operationId"] = "CallPassthrough"
    call["summary"] = "Call an app's passthrough function"
    call["parameters"] = [
        {"name": "app_name", "in": "path", "required": True, "schema": APP_NAME},
        *(parameter for parameter in call["parameters"] if parameter["in"] != "path"),
    ]
    document["paths"]["/{app_name}-passthrough-request"] = {"post": call}
    return document


def _any_of(schemas: Any) -> Any:
    """A known word that is also a text fits both sides of a union, so that `oneOf` would refuse it."""
    if isinstance(schemas, dict):
        return {("anyOf" if name == "oneOf" else name): _any_of(value) for name, value in schemas.items()}
    return [_any_of(each) for each in schemas] if isinstance(schemas, list) else schemas


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """What may be given: an optional parameter is left out, there is no way to write null."""
    if "oneOf" in schema:
        (given,) = (choice for choice in schema["oneOf"] if choice != {"type": "null"})
        return {**given, **{keyword: value for keyword, value in schema.items() if keyword != "oneOf"}}
    if isinstance(schema.get("type"), list):
        (name,) = (name for name in schema["type"] if name != "null")
        return {**schema, "type": name, "enum": [value for value in schema["enum"] if value is not None]}
    return schema


@get("/openapi.json", include_in_schema=False)
async def get_description(request: Request[Any, Any, Any]) -> WireResponse:
    """The OpenAPI 3.1 document; where operators have an address of their own, only that one tells of the admin API."""
    description: Description = request.app.state.description
    document = await description.document()
    if OPERATORS_ELSEWHERE in request.scope["state"]:
        paths = {path: methods for path, methods in document["paths"].items() if not path.startswith(ADMIN)}
        return WireResponse({**document, "paths": paths})
    return WireResponse(document)


_DETAIL_SCHEMA = {
    "type": "object",
    "required": ["field", "code", "message", "action"],
    "properties": {
        "field": {"type": ["string", "null"]},
        "code": {"type": "string"},
        "message": {"type": "string"},
        "action": {"type": ["string", "null"]},
    },
}
_ERROR_SCHEMA = {
    "type": "object",
    "required": sorted(CONVERTER.unstructure(ErrorEnvelope(error=""))),
    "properties": {
        "error": {"type": "string"},
        "error_details": {"type": "array", "items": _DETAIL_SCHEMA},
        "request_id": {"type": "string"},
    },
}

DESCRIPTION_ROUTES = [get_description]
