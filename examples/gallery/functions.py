"""Functions whose forms the gallery shows."""

from typing import Any

from service_client.models import DynamicFields, FieldMeta, Function, FunctionApp, FunctionMeta, Parameters, Source

APP = FunctionApp(name="sandbox", title="Tickets", icon_url="https://service.example/icons/sandbox.svg")


def function(
    properties: dict[str, Any],
    required: tuple[str, ...] = (),
    fields: dict[str, FieldMeta] | None = None,
    **meta: Any,
) -> Function:
    """Make a function with the given parameters."""
    described = {"title": "Create ticket", "type": "mutation", **meta}
    return Function(
        name="sandbox-create-ticket",
        description="Create a ticket in a project.",
        type="mutation",
        parameters=Parameters(properties=properties, required=required),
        meta=FunctionMeta(app=APP, fields=fields or {}, **described),
    )


CREATE_TICKET = function(
    {
        "title": {"type": "string", "description": "A short summary."},
        "project_id": {"type": "number", "multipleOf": 1, "description": "Project of the ticket."},
        "component_id": {"type": "string", "description": ""},
        "urgent": {"type": "boolean", "description": "Wakes somebody up."},
        "labels": {"type": "array", "description": "", "items": {"type": "string"}},
        "fields": {"type": "object", "description": "Custom fields of the project.", "properties": {}},
    },
    required=("title", "project_id"),
    fields={
        "project_id": FieldMeta(
            title="Project", widget="select", source=Source(function="sandbox-list-projects", value="id", label="name")
        ),
        "component_id": FieldMeta(
            title="Component",
            widget="select",
            source=Source(
                function="sandbox-list-components",
                arguments={"project": "${project_id}"},
                value="id",
                label="name",
                depends_on=("project_id",),
            ),
        ),
        "fields": FieldMeta(
            title="Custom fields",
            widget="object",
            dynamic_fields=DynamicFields(
                function="sandbox-list-custom-fields",
                arguments={"project": "${project_id}"},
                key="key",
                title="name",
                type="type",
                required="required",
                options="options",
                depends_on=("project_id",),
            ),
        ),
    },
)
