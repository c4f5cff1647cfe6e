"""What a form says at its fields: people choose by name what programs give by its id."""

from typing import Any

import pytest

from service_server.catalog.meta import field_metas
from tests.service_server.catalog.connector_folder import parameter

SOURCE = {"x-source": {"function": "list", "value": "id", "label": "name"}}


def help_of(field: dict[str, Any]) -> str | None:
    """What a form says at a field in place of its description."""
    return field_metas("acme", {"type": "object", "properties": {"a": field}})["a"].help


@pytest.mark.parametrize(
    ("description", "title", "said"),
    [
        ("The id of the task that it is a part of.", "Parent", "The task that it is a part of."),
        ("The ids of all labels that it shall have.", "Labels", "All labels that it shall have."),
        ("The number of the organization.", "Organization", ""),
        (
            "The id (gid) or e-mail address of the person who does it; me for you.",
            "By",
            "The person who does it; me for you.",
        ),
        ("The id of the channel, such as C01; the id of a person writes to them.", "Channel", ""),
        ("The id of the folder it is in; acme-get-file gives it.", "From", "The folder it is in."),
        ("The project it belongs to.", "Project", None),
    ],
)
def test_ids_are_left_out_where_people_choose(description: str, title: str, said: str | None) -> None:
    """What is left is said, nothing if that is the title again; a description without an id stays."""
    assert said == help_of(parameter(**{"description": description, "title": title, **SOURCE}))


def test_who_types_an_id_in_is_told_of_it() -> None:
    """Where there are no choices, the description is as its author wrote it."""
    assert help_of(parameter(description="The id of the task.")) is None


def test_fixed_values_are_shown_in_words() -> None:
    """A value with a label shows that; one without is shown as it is; without labels nothing changes."""
    metas = field_metas(
        "acme",
        {
            "type": "object",
            "properties": {
                "a": parameter("number", **{"enum": [1, 2], "x-labels": {"1": "Urgent"}}),
                "b": parameter(enum=["low", "high"]),
            },
        },
    )

    assert ({"value": 1, "label": "Urgent"}, {"value": 2, "label": "2"}) == metas["a"].options
    assert ("low", "high") == metas["b"].options


def test_fields_from_the_app_speak_for_themselves() -> None:
    """What an object's keys are made of is for programs; forms show the fields."""
    field = parameter("object", description='By ids: {"a1": 3}.', **{"x-fields": {"function": "list", "key": "id"}})

    assert "" == help_of(field)
