"""A function's parameters: what is published, what arguments are checked against, what forms are told."""

from pathlib import Path
from typing import Any

import pytest

from service_client.models import DynamicFields, FieldMeta, Source
from service_server.catalog.meta import field_metas
from service_server.catalog.values import FunctionDefinition
from tests.service_server.catalog.connector_folder import ConnectorFolder, function_with, minimal_function, parameter


def function_with_parameters(tmp_path: Path, required: tuple[str, ...] = (), **properties: Any) -> FunctionDefinition:
    """Return a loaded function with these parameters, in an app with a few source functions."""
    folder = ConnectorFolder()
    names = {name: f"${{args.{name}{'' if name in required else '?'}}}" for name in properties}
    folder.functions["do"] = {
        **minimal_function(),
        "type": "mutation",
        "request": {"post": "/things", "body": names},
        "parameters": {"type": "object", "required": list(required), "properties": properties},
    }
    folder.functions["list-parts"] = {
        **minimal_function(),
        "request": {"get": "/parts", "query": {"of": "${args.of?}", "search": "${args.search?}"}},
        "parameters": {"type": "object", "properties": {"of": parameter(), "search": parameter()}},
    }
    return folder.loaded(tmp_path).functions["acme-do"]


def test_published_parameters(tmp_path: Path) -> None:
    """Clients get the five types with descriptions; arrays have items, objects properties, and no `x-` key is there."""
    function = function_with_parameters(
        tmp_path,
        ("name",),
        name=parameter(format="email", **{"x-sensitive": True, "x-placeholder": "a@b.c"}),
        tags=parameter("array", items={"type": "string"}),
        extra=parameter("object"),
        nested=parameter("object", additionalProperties=True, properties={"a": parameter("number", multipleOf=1)}),
    )

    words = {"title": "Title", "description": "Description."}
    assert {
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": {"type": "string", **words, "format": "email"},
            "tags": {"type": "array", **words, "items": {"type": "string"}},
            "extra": {"type": "object", **words, "properties": {}},
            "nested": {"type": "object", **words, "properties": {"a": {"type": "number", **words, "multipleOf": 1}}},
        },
    } == function.parameters
    assert frozenset({"name"}) == function.sensitive
    assert [] == function_with_parameters(tmp_path / "none", a=parameter()).parameters["required"]


@pytest.mark.parametrize(
    ("arguments", "valid"),
    [
        ({"name": "a@b.c"}, True),
        ({}, False),
        ({"name": "no address"}, False),
        ({"name": "a@b.c", "at": "14:30"}, True),
        ({"name": "a@b.c", "at": "14:30:15"}, True),
        ({"name": "a@b.c", "at": "24:00"}, False),
        ({"name": "a@b.c", "at": "14:30:15Z"}, False),
        ({"name": "a@b.c", "count": 1.5}, False),
        ({"name": "a@b.c", "count": 2.0}, True),
        ({"name": "a@b.c", "unknown": 1}, False),
        ({"name": "a@b.c", "closed": {"a": "x"}}, True),
        ({"name": "a@b.c", "closed": {"a": "x", "b": "y"}}, False),
        ({"name": "a@b.c", "open": {"anything": [1]}}, True),
        ({"name": "a@b.c", "listed": {"a": "x", "b": "y"}}, True),
        ({"name": "a@b.c", "rows": [{"a": "x"}]}, True),
        ({"name": "a@b.c", "rows": [{"b": "x"}]}, False),
    ],
)
def test_arguments_are_checked(arguments: dict[str, Any], valid: bool, tmp_path: Path) -> None:
    """Formats, whole numbers and unknown keys count; objects that list their keys are closed unless they say not."""
    only_a = {"a": parameter()}
    function = function_with_parameters(
        tmp_path,
        ("name",),
        name=parameter(format="email"),
        at=parameter(format="time"),
        count=parameter("number", multipleOf=1),
        closed=parameter("object", properties=only_a),
        open=parameter("object"),
        listed=parameter("object", properties=only_a, additionalProperties=True),
        rows=parameter("array", items={"type": "object", "properties": only_a}),
    )

    assert valid == function.validator.is_valid(arguments)


def test_additional_arguments_where_the_file_allows_them(tmp_path: Path) -> None:
    """A function whose parameters are open takes and spreads arguments that are not listed."""
    folder = function_with(
        type="mutation",
        request={"post": "/things", "body": {"...": "${args}"}},
        parameters={"type": "object", "additionalProperties": True, "properties": {"a": parameter()}},
    )
    function = folder.loaded(tmp_path).functions["acme-find"]

    assert function.allows_additional
    assert function.validator.is_valid({"a": "x", "b": 1})
    assert b'{"a":"x","b":1}' == function.request.build("https://h", {"args": {"a": "x", "b": 1}}).body


def test_field_metas(tmp_path: Path) -> None:
    """Every field has its title and widget under its path, down into objects and arrays of objects."""
    item = {"type": "object", "properties": {"part": parameter(enum=["x", "y"]), "when": parameter(format="date")}}
    function = function_with_parameters(
        tmp_path,
        text=parameter(default="hi", **{"x-multiline": True, "x-placeholder": "Say it"}),
        link=parameter(format="uri"),
        rows=parameter("array", items=item),
        group=parameter("object", properties={"on": parameter("boolean")}),
        free=parameter("object"),
    )

    assert {
        "text": FieldMeta(title="Title", widget="multiline", placeholder="Say it", default="hi"),
        "link": FieldMeta(title="Title", widget="url"),
        "rows": FieldMeta(title="Title", widget="list"),
        "rows[].part": FieldMeta(title="Title", widget="select", options=("x", "y")),
        "rows[].when": FieldMeta(title="Title", widget="date"),
        "group": FieldMeta(title="Title", widget="group"),
        "group.on": FieldMeta(title="Title", widget="checkbox"),
        "free": FieldMeta(title="Title", widget="json"),
    } == function.fields


def test_sources_on_the_wire(tmp_path: Path) -> None:
    """Sources get full names, `${path}` references and what they depend on; the description says it in words."""
    listed = {"function": "list-parts", "value": "id", "label": "name", "search": "search"}
    part = {**listed, "args": {"of": "${args.whole}"}}
    args = {"of": "${args.rows[].part?}", "search": "x"}
    more = parameter("object", **{"x-fields": {"function": "list-parts", "key": "key", "type": "kind", "args": args}})
    function = function_with_parameters(
        tmp_path,
        whole=parameter(description="Any of those that acme-list-parts lists.", **{"x-source": listed}),
        part=parameter(**{"x-source": part}),
        parts=parameter("array", items={"type": "string"}, **{"x-source": part}),
        rows=parameter("array", items={"type": "object", "properties": {"part": parameter(), "more": more}}),
    )

    named = listed | {"function": "acme-list-parts"}
    source = Source(arguments={"of": "${whole}"}, depends_on=("whole",), **named)
    assert source == function.fields["part"].source == function.fields["parts"].source
    assert ("select", "list", "fields") == tuple(
        function.fields[path].widget for path in ("part", "parts", "rows[].more")
    )
    assert function.fields["rows[].more"].dynamic_fields == DynamicFields(
        function="acme-list-parts",
        arguments={"of": "${rows[].part?}", "search": "x"},
        key="key",
        type="kind",
        depends_on=("rows[].part",),
    )
    properties = function.parameters["properties"]
    assert "Description. Call acme-list-parts with of for valid values." == properties["part"]["description"]
    assert "Any of those that acme-list-parts lists." == properties["whole"]["description"]
    published = properties["rows"]["items"]["properties"]["more"]
    assert {} == published["properties"]
    assert "acme-list-parts with of for the fields" in published["description"]


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
