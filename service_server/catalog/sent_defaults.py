"""Defaults that a request sends itself, where an app insists on a value that nobody has to give."""

from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from service_server.catalog.expressions import Context, references
from service_server.catalog.requests import Request
from service_server.catalog.values import RequestBuilder
from service_server.onward.values import OnwardRequest


@frozen
class RequestWithDefaults:
    """A request whose templates and hook find a parameter's default where nobody gave a value."""

    template: RequestBuilder
    defaults: Mapping[str, Any] = field(repr=False)

    def build(self, base_url: str, context: Context) -> OnwardRequest:
        """Return the request, without credentials; raise `InvalidRequest` where the values don't make one."""
        return self.template.build(base_url, {**context, "args": {**self.defaults, **context["args"]}})


def sent_defaults(request: Request, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the defaults of what is not required and yet always sent: `${args.name}` without a `?`."""
    insisted = {
        reference.keys[0]
        for _, reference in references(request.templates)
        if reference.root == "args" and reference.keys and not reference.optional
    }
    return {
        name: schema["default"]
        for name, schema in parameters["properties"].items()
        if "default" in schema and name in insisted.difference(parameters.get("required", ()))
    }


def with_defaults_required(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters as a request finds their values: none that has a default is absent."""
    there = [name for name, schema in parameters["properties"].items() if "default" in schema]
    return {**parameters, "required": [*parameters.get("required", ()), *there]}
