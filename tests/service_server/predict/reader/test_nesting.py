"""What lies in what is told by its words: the table in the base, the branch in the repository."""

import pytest

from service_client.models import Function, FunctionApp, FunctionMeta, Parameters
from service_client.models.meta import FieldMeta, Source
from service_server.predict.reader.filling import Filled
from service_server.predict.reader.nesting import as_nested, nested_of
from service_server.predict.reader.questions import questions_of


def function_with(outer: str, inner: str) -> Function:
    """A function of whose arguments the second is chosen within the first."""
    source = Source(function="app-list", value="id", label="name", depends_on=(outer,))
    shown = FunctionApp(name="app", title="App", icon_url="")
    properties = {name: {"type": "string"} for name in (outer, inner)}
    return Function(
        name="app-delete-record",
        description="Delete a record.",
        parameters=Parameters(properties=properties, required=(outer, inner)),
        type="mutation",
        meta=FunctionMeta(
            app=shown,
            title="Delete",
            type="mutation",
            fields={inner: FieldMeta(title=inner, widget="select", source=source)},
        ),
    )


def filled_in(outer: str, inner: str, prompt: str, **words: str) -> dict[str, str]:
    """What two arguments have in the end, of which the reader took each for some words."""
    function = function_with(outer, inner)
    questions = questions_of({"properties": function.parameters.properties, "required": [outer, inner]})
    found = [
        Filled(question, word, prompt.index(word), prompt.index(word) + len(word), 0.8)
        for question in questions
        if (word := words.get(question.path[0]))
    ]
    return {value.question.path[0]: value.value for value in as_nested(nested_of(function, questions), found, prompt)}


@pytest.mark.parametrize(
    "prompt",
    [
        "Vase 12 of Ceramics in Auction is broken",
        "remove it from Ceramics in the Auction base",
        "in Ceramics of our Auction, delete Vase 12",
    ],
)
def test_what_stands_before_in_lies_within(prompt: str) -> None:
    """Whatever the reader took for the base."""
    expected = {"base": "Auction", "table": "Ceramics"}

    assert expected == filled_in("base", "table", prompt, base="Ceramics", table="Auction")
    assert expected == filled_in("base", "table", prompt, **expected)


@pytest.mark.parametrize(
    "prompt",
    ["from Auction in the Ceramics table", "Auction, Ceramics", "Auction on Ceramics", "Auction from Ceramics"],
)
def test_other_words_leave_it_to_the_reader(prompt: str) -> None:
    """A kind that is said, or no "in" at all."""
    as_read = {"base": "Auction", "table": "Ceramics"}

    assert as_read == filled_in("base", "table", prompt, **as_read)


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("drop the branch old-login from parser", {"repo": "parser"}),
        ("the repositories of parser", {"owner": "parser"}),
        ("what does owner parser have", {"owner": "parser"}),
        ("parser's issues", {"owner": "parser"}),
    ],
)
def test_a_single_name_is_the_repository(prompt: str, expected: dict[str, str]) -> None:
    """Unless it is said that it owns one."""
    assert expected == filled_in("owner", "repo", prompt, owner="parser")


def test_a_single_name_stays_elsewhere() -> None:
    """Nobody knows whether "Auction" is a base or a table."""
    assert {"base": "Auction"} == filled_in("base", "table", "delete the vase from Auction", base="Auction")
