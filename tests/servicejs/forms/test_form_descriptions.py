"""What people read at a field."""

from service_client.models import FieldMeta, Function, FunctionApp, FunctionMeta, Parameters, Source
from servicejs.forms.fields import function_field


def test_the_sentence_for_programs_is_left_away() -> None:
    """A description names its source function for API callers; a form loads the values itself and does not say so."""
    description = (
        "The project the ticket belongs to. Call desk-list-projects with team for valid values. Ask if unsure."
    )
    source = Source(function="desk-list-projects", value="id", label="name")
    function = Function(
        name="desk-create-ticket",
        description="",
        parameters=Parameters(properties={"project": {"type": "string", "description": description}}),
        meta=FunctionMeta(
            app=FunctionApp(name="desk", title="Desk", icon_url=""),
            title="Create a ticket",
            type="mutation",
            fields={"project": FieldMeta(title="Project", widget="select", source=source)},
        ),
    )
    (field,) = function_field(function).members

    assert "The project the ticket belongs to. Ask if unsure." == field.description
