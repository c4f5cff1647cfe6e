"""The passthrough function that every app has: a free-form request to its API."""

from typing import Any, Final

from service_server.catalog.meta import field_metas
from service_server.catalog.parameters import arguments_validator, published_schema
from service_server.catalog.requests import PassthroughTemplate
from service_server.catalog.values import FunctionDefinition

PASSTHROUGH: Final = "passthrough-request"


def passthrough_function(app_name: str, app_title: str, methods: frozenset[str]) -> FunctionDefinition:
    """Return the passthrough function of an app."""
    parameters: dict[str, Any] = {
        "type": "object",
        "required": ["method", "url"],
        "properties": {
            "method": {
                "type": "string",
                "title": "Method",
                "description": "The request's method.",
                "enum": sorted(methods),
            },
            "url": {
                "type": "string",
                "title": "URL",
                "description": f"A whole URL of {app_title}'s API, or a path relative to its base address.",
            },
            "body": {
                "type": "object",
                "title": "Body",
                "description": "The request's body, sent as JSON.",
            },
        },
    }
    return FunctionDefinition(
        name=f"{app_name}-{PASSTHROUGH}",
        app_name=app_name,
        type="passthrough",
        title=f"{app_title} API request",
        description=f"Send any request to {app_title}'s own API with the connected account's credentials.",
        parameters=published_schema(parameters),
        validator=arguments_validator(parameters),
        fields=field_metas(app_name, parameters),
        request=PassthroughTemplate(methods=methods),
    )
