"""What `connector check` says of functions that nobody could fill in, and of prompts that nobody would type."""

import re
from pathlib import Path
from typing import Any

import pytest

from service_server.catalog.check import check
from service_server.catalog.fillable import in_order
from tests.service_server.catalog.connector_folder import ConnectorFolder, function_with, minimal_function, parameter


def folder_with(function: dict[str, Any], **listing: Any) -> ConnectorFolder:
    """Return a connector with a function `change` and the query `list-things`, which has pages."""
    paged = minimal_function() | {"paginate": {"type": "link"}, **listing}
    return ConnectorFolder(functions={"change": function, "list-things": paged})


def mutation(name: str, field: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a mutation that requires one value."""
    return {
        **minimal_function(),
        "type": "mutation",
        "request": {"post": "/things", "body": {"sent": f"${{args.{name}}}"}},
        "parameters": {"type": "object", "required": [name], "properties": {name: field}},
        **more,
    }


def told(folder: ConnectorFolder, directory: Path) -> list[tuple[str, str]]:
    """Return key and beginning of what the check says."""
    return [(problem.key, problem.message[:12]) for problem in check(folder.write(directory))]


IN_A_BOX = {
    "request": {"get": "/boxes/${args.box}/things"},
    "parameters": {"type": "object", "required": ["box"], "properties": {"box": parameter()}},
    "unsearched": "Few.",
}
SOURCE = {"x-source": {"function": "list-things", "value": "id", "label": "name"}}


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("thing_id", parameter()),
        ("thingId", parameter("number")),
        ("thing_ids", parameter("array", items={"type": "string"})),
        ("thing", parameter(description="The id of the thing.")),
        ("thing", parameter(description="The thing, as acme-list-things gives it.")),
        ("thing", parameter(format="uri", description="The URI of the thing.")),
    ],
)
def test_a_required_id_has_choices_or_a_reason(name: str, field: dict[str, Any], tmp_path: Path) -> None:
    """An id that a mutation requires is told, unless it has choices, or says why it has none."""
    reason = {"x-typed-in": "It is printed on the box."}
    key = f"parameters.properties.{name}"

    assert [(key, "is an id, an")] == told(folder_with(mutation(name, field)), tmp_path / "none")
    assert [] == told(folder_with(mutation(name, {**field, **SOURCE}), unsearched="Few."), tmp_path / "choices")
    assert [] == told(folder_with(mutation(name, {**field, **reason})), tmp_path / "reason")


@pytest.mark.parametrize(
    "field",
    [
        parameter(description="What it says."),
        parameter(format="email", description="The key person's address."),
        parameter(enum=["id"], description="The id."),
        parameter("boolean", description="The id is shown."),
    ],
)
def test_what_people_know_needs_no_choices(field: dict[str, Any], tmp_path: Path) -> None:
    """Texts, addresses, constants and truths are filled in by anybody; so is what may be left out."""
    optional = mutation("thing_id", parameter())
    optional["parameters"]["required"] = []
    optional["request"]["body"] = {"sent": "${args.thing_id?}"}

    assert [] == told(folder_with(mutation("thing", field)), tmp_path / "known")
    assert [] == told(folder_with(optional), tmp_path / "optional")


NEEDLESS = {"x-typed-in": "It was so once."}
SEARCHED = {"x-source": {**SOURCE["x-source"], "search": "search"}}
SEARCHING = {
    "request": {"get": "/things", "query": {"q": "${args.search?}"}},
    "parameters": {"type": "object", "properties": {"search": parameter()}},
}
FEW = {"unsearched": "There are few."}


@pytest.mark.parametrize(
    ("name", "field", "listing", "expected"),
    [
        ("data", parameter("object"), {}, ("data", "shows no fie")),
        ("data", parameter("array", items={"type": "object"}), {}, ("data", "shows no fie")),
        ("data", parameter("object", properties={"name": parameter()}), {}, None),
        ("data", parameter("object", **{"x-typed-in": "Its keys are your own."}), {}, None),
        ("thing_id", parameter(**SOURCE, **NEEDLESS), FEW, ("thing_id.x-typed-in", "says why peo")),
        ("text", parameter(**NEEDLESS), {}, ("text.x-typed-in", "says why peo")),
        ("thing_id", parameter(**SOURCE), {}, ("thing_id.x-source", "'list-things")),
        ("thing_id", parameter(**SEARCHED), SEARCHING, None),
        ("thing_id", parameter(**SOURCE), FEW, None),
    ],
)
def test_what_people_can_fill_in(
    name: str, field: dict[str, Any], listing: dict[str, Any], expected: tuple[str, str] | None, tmp_path: Path
) -> None:
    """Objects show fields and choices with pages are searched, or a reason says why not, where it is needed."""
    found = told(folder_with(mutation(name, field), **listing), tmp_path)

    assert ([] if expected is None else [(f"parameters.properties.{expected[0]}", expected[1])]) == found


@pytest.mark.parametrize(
    ("prompt", "raw"),
    [
        ("delete the message 1712345678.123456", "1712345678.123456"),
        ("remove the row recABC123def456", "recABC123def456"),
        ("pay back ch_3MtwBwLkdIwHu7ix", "ch_3MtwBwLkdIwHu7ix"),
        ("what happened on 2026-12-01", "2026-12-01"),
        ("show 93be49ab-0e4f-4d2a-a4b8-8d0c3f5a1b2c", "93be49ab-0e4f-4d2a-a4b8-8d0c3f5a1b2c"),
        ("show order 4711", None),
        ("close WEB-12 and write to ada99@example.com", None),
        ("call +49 30 1234567 about Sheet1", None),
        ("book room 4 on 1 December 2026 at 9:00", None),
        ("watch https://example.com/a/93be49ab0e4f4d2a", None),
    ],
)
def test_prompts_are_said_in_everyday_words(prompt: str, raw: str | None, tmp_path: Path) -> None:
    """Ids and dates as programs write them are told; numbers, keys and addresses that people say are not."""
    problems = check(function_with(examples=[{"prompt": prompt, "arguments": {}}]).write(tmp_path))

    expected = [] if raw is None else [f"nobody says '{raw}'; say it in a name or in everyday words"]
    assert expected == [problem.message for problem in problems]


def test_the_value_of_a_choice_is_no_word_for_it(tmp_path: Path) -> None:
    """What an example sends for a choice isn't said, however short it is, unless it is what the choice shows."""
    field = parameter(**SOURCE)
    example = {"examples": [{"prompt": "change thing a1b2", "arguments": {"thing_id": "a1b2"}}]}
    named = parameter(**{"x-source": {**SOURCE["x-source"], "label": "id"}})

    assert [("examples[0].prompt", "nobody says ")] == told(
        folder_with(mutation("thing_id", field, **example), **FEW), tmp_path / "a"
    )
    assert [] == told(folder_with(mutation("thing_id", named, **example), **FEW), tmp_path / "b")


def test_a_connector_loads_whatever_people_make_of_it(tmp_path: Path) -> None:
    """It is the check that says so: a service goes on serving connectors that were written before."""
    assert [] == folder_with(mutation("thing_id", parameter())).problems(tmp_path)


def test_a_parameter_may_only_narrow_choices(tmp_path: Path) -> None:
    """What no request carries is no mistake where the choices of another parameter depend on it."""
    function = mutation("thing_id", parameter(**{"x-source": {**SOURCE["x-source"], "args": {"box": "${args.box}"}}}))
    things = function["parameters"]["properties"]
    function["parameters"]["properties"] = {"box": parameter(), **things}

    assert [] == told(folder_with(function, **IN_A_BOX), tmp_path)


def test_what_narrows_choices_stands_before_them(tmp_path: Path) -> None:
    """A form shows its fields in the file's order, and what has to be chosen first comes first."""
    field = parameter(**{"x-source": {**SOURCE["x-source"], "args": {"box": "${args.the_box}"}}})
    function = mutation("a_thing", field)
    function["parameters"]["properties"]["the_box"] = parameter()
    (problem,) = check(folder_with(function, **IN_A_BOX).write(tmp_path))
    things = function["parameters"]["properties"]

    assert "parameters.properties.a_thing" == problem.key
    assert problem.message.startswith("has choices that hang on 'the_box', which people have to see first: put that")
    assert ["the_box", "a_thing"] == list(in_order(things))
    assert ["a_thing", "x"] == list(in_order({"a_thing": field, "x": parameter()}))


def test_a_text_that_a_comment_cuts_is_told(tmp_path: Path) -> None:
    """Unlike one in quotes, and a comment that is meant as one."""
    folder = ConnectorFolder(functions={"list-things": minimal_function()}).write(tmp_path)
    file = folder / "functions" / "list-things.yaml"
    described = "description: List the things of a room, such as"
    whole = re.sub(r"^description: .*$", described, file.read_text(), flags=re.MULTILINE)

    file.write_text(whole.replace(described, f"{described} #kitchen or #hall"))
    (problem,) = check(folder)
    assert "ends before '#kitchen or #hall'" in problem.message
    assert ("description", described) == (problem.key, file.read_text().splitlines()[problem.line - 1].split(" #")[0])

    file.write_text(whole.replace(described, f"{described} those without # and so on"))
    assert ["description"] == [each.key for each in check(folder)]
    for right in (f"# All of them.\n{described} rooms", 'description: "List those of #kitchen"', described):
        file.write_text(whole.replace(described, right))
        assert [] == check(folder)
