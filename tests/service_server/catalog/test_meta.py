"""What a form says at its fields: people choose by name what programs give by its id."""

from typing import Any

import pytest

from service_server.catalog.meta import field_metas
from tests.service_server.catalog.connector_folder import parameter


def chosen(title: str, description: str) -> dict[str, Any]:
    """Return a field with choices."""
    source = {"function": "list", "value": "id", "label": "name"}
    return parameter(title=title, description=description, **{"x-source": source})


BY_KEYS = {"x-fields": {"function": "list", "key": "id"}}


@pytest.mark.parametrize(
    ("field", "said"),
    [
        (chosen("Parent", "The id of the task that it is a part of."), "The task that it is a part of."),
        (chosen("Labels", "The ids of all labels that it shall have."), "All labels that it shall have."),
        (chosen("Organization", "The number of the organization."), ""),
        (chosen("By", "The id (gid) or e-mail address of the person who does it; me."), "The person who does it; me."),
        (chosen("Channel", "The id of the channel, such as C01; the id of a person writes to them."), ""),
        (chosen("From", "The id of the folder it is in; acme-get-file gives it."), "The folder it is in."),
        (chosen("Project", "The project it belongs to."), None),
        # who types an id in is told of it, and fields from the app speak for themselves
        (parameter(description="The id of the task."), None),
        (parameter("object", description='By ids: {"a1": 3}.', **BY_KEYS), ""),
    ],
)
def test_ids_are_left_out_where_people_choose(field: dict[str, Any], said: str | None) -> None:
    """What is left is said, nothing if that is the title again; a description without an id stays."""
    assert said == field_metas("acme", {"type": "object", "properties": {"a": field}})["a"].help


def test_fixed_values_are_shown_in_words() -> None:
    """A value with a label shows that; one without is shown as it is; without labels nothing changes."""
    urgent = parameter("number", **{"enum": [1, 2], "x-labels": {"1": "Urgent"}})
    properties = {"a": urgent, "b": parameter(enum=["low", "high"])}
    metas = field_metas("acme", {"type": "object", "properties": properties})

    assert ({"value": 1, "label": "Urgent"}, {"value": 2, "label": "2"}) == metas["a"].options
    assert ("low", "high") == metas["b"].options
