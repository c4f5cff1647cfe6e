"""What people read at a field."""

import pytest

from service_client.models import FieldMeta, Function, FunctionApp, FunctionMeta, Parameters, Source
from servicejs.forms.fields import function_field


def described(description: str, meta: FieldMeta) -> str:
    """What a form says at the one field of a function."""
    function = Function(
        name="desk-create-ticket",
        description="",
        parameters=Parameters(properties={"project": {"type": "string", "description": description}}),
        meta=FunctionMeta(
            app=FunctionApp(name="desk", title="Desk", icon_url=""),
            title="Create a ticket",
            type="mutation",
            fields={"project": meta},
        ),
    )
    (field,) = function_field(function).members
    return field.description


def test_the_sentence_for_programs_is_left_away() -> None:
    """A description names its source function for API callers; a form loads the values itself and does not say so."""
    description = (
        "The project the ticket belongs to. Call desk-list-projects with team for valid values. Ask if unsure."
    )
    source = Source(function="desk-list-projects", value="id", label="name")
    meta = FieldMeta(title="Project", widget="select", source=source)

    assert "The project the ticket belongs to. Ask if unsure." == described(description, meta)


@pytest.mark.parametrize("said", ["The project it belongs to.", ""])
def test_what_is_said_to_people_replaces_the_description(said: str) -> None:
    """Where the service has other words for people, or none, these stand in the form."""
    meta = FieldMeta(title="Project", widget="select", help=said)

    assert said == described("The id of the project it belongs to.", meta)
