"""The passthrough function that every app has: a free-form request to its API."""

import re
from typing import Any, Final
from urllib.parse import quote, urlsplit, urlunsplit

from attrs import frozen

from service_server.catalog.bodies import json_bytes
from service_server.catalog.expressions import Context, InvalidRequest
from service_server.catalog.format.connector import DeclaredConnector
from service_server.catalog.meta import field_metas
from service_server.catalog.parameters import arguments_validator, published_schema
from service_server.catalog.requests import BODY_METHODS, DOTS, PATH_CHARACTERS
from service_server.catalog.values import FunctionDefinition
from service_server.onward.values import OnwardRequest

PASSTHROUGH: Final = "passthrough-request"

_QUERY_CHARACTERS = PATH_CHARACTERS + "?[]"


@frozen(kw_only=True)
class PassthroughTemplate:
    """The free-form request of an app: method, URL and JSON body are the caller's."""

    methods: frozenset[str]

    def build(self, base_url: str, context: Context) -> OnwardRequest:
        """Return the request to a whole URL, whose host the caller checks, or to a path below the base URL."""
        arguments = context["args"]
        method, url, body = arguments["method"], arguments["url"], arguments.get("body")
        if method not in self.methods:
            raise InvalidRequest("method", f"must be one of {', '.join(sorted(self.methods))}")
        if body is None:
            return OnwardRequest(method, _passthrough_url(base_url, url))
        if method not in BODY_METHODS:
            raise InvalidRequest("body", f"a {method} request has no body; put its values into the query of the url")
        headers = (("content-type", "application/json"),)
        return OnwardRequest(method, _passthrough_url(base_url, url), headers, json_bytes(body))


def passthrough_function(app: DeclaredConnector) -> FunctionDefinition:
    """Return the passthrough function of an app."""
    parameters: dict[str, Any] = {
        "type": "object",
        "required": ["method", "url"],
        "properties": {
            "method": {
                "type": "string",
                "title": "Method",
                "description": "The request's method.",
                "enum": sorted(app.passthrough_methods),
            },
            "url": {
                "type": "string",
                "title": "URL",
                "description": f"A whole URL of {app.title}'s API, or a path relative to its base address.",
            },
            "body": {"type": "object", "title": "Body", "description": "The request's body, sent as JSON."},
        },
    }
    return FunctionDefinition(
        name=f"{app.name}-{PASSTHROUGH}",
        app_name=app.name,
        type="passthrough",
        title=f"{app.title} API request",
        description=f"Send any request to {app.title}'s own API with the connected account's credentials.",
        parameters=published_schema(parameters),
        validator=arguments_validator(parameters),
        fields=field_metas(app.name, parameters),
        request=PassthroughTemplate(methods=app.passthrough_methods),
    )


def _passthrough_url(base_url: str, url: str) -> str:
    if "\\" in url or not url.isprintable() or url != url.strip():
        raise InvalidRequest("url", "has characters that a URL can't hold")
    absolute = re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", url) is not None
    if not absolute and url.startswith("//"):
        raise InvalidRequest("url", "must be a whole URL or a path such as /items")
    try:
        whole = url if absolute else f"{base_url}/{url.removeprefix('/')}"
        scheme, host, path, query, _ = urlsplit(whole)
        encoded = (quote(path, safe=PATH_CHARACTERS), quote(query, safe=_QUERY_CHARACTERS))
    except ValueError as error:
        raise InvalidRequest("url", "is not a URL") from error
    if any(DOTS.match(segment) for segment in path.split("/")):
        raise InvalidRequest("url", "must not have '.' or '..' in its path")
    return urlunsplit((scheme, host, *encoded, ""))
