"""The `lookup` of a function's file: mistakes in it are found where they are."""

from pathlib import Path
from typing import Any

import pytest

from service_server.catalog.load import load_connector
from tests.service_server.catalog.connector_folder import ConnectorFolder, minimal_function, parameter

LOOKUP = {"request": {"get": "/tickets/${args.ticket}"}, "gives": {"queue": "body.queue.id"}}


def looking_up(**keys: Any) -> dict[str, Any]:
    """Return a query whose request needs the queue of a ticket."""
    return {
        **minimal_function(),
        "lookup": LOOKUP,
        "request": {"get": "/queues/${lookup.queue}/fields"},
        "parameters": {"type": "object", "required": ["ticket"], "properties": {"ticket": parameter()}},
        **keys,
    }


def problems_of(content: dict[str, Any], directory: Path) -> list[tuple[str, str]]:
    """What is said of a function, and at which keys."""
    _, problems = load_connector(ConnectorFolder(functions={"find": content}).write(directory))
    return [(problem.key, problem.message) for problem in problems]


def test_a_parameter_that_only_the_look_up_sends(tmp_path: Path) -> None:
    """It is used: the check has nothing to say."""
    assert [] == problems_of(looking_up(), tmp_path)


@pytest.mark.parametrize(
    ("keys", "at", "said"),
    [
        ({"lookup": {**LOOKUP, "gives": {"queu": "body.queue.id"}}}, "request.get", "there is no lookup.queue"),
        ({"lookup": {**LOOKUP, "gives": {**LOOKUP["gives"], "more": "body.more"}}}, "lookup.gives.more", "uses it"),
        ({"lookup": {**LOOKUP, "gives": {"queue": "queue.id"}}}, "lookup.gives.queue", "match"),
        ({"lookup": {**LOOKUP, "gives": {"queue": "body.a b"}}}, "lookup.gives.queue", "dotted path"),
        ({"lookup": {**LOOKUP, "gives": {}}}, "lookup.gives", "less than 1"),
        (
            {"lookup": {**LOOKUP, "request": {"get": "/tickets/${args.tickt}"}}},
            "lookup.request.get",
            "there is no parameter tickt",
        ),
        (
            {"lookup": {**LOOKUP, "request": {"get": "https://elsewhere.example/${args.ticket}"}}},
            "lookup.request.get",
            "can't be reached",
        ),
        ({"type": "mutation"}, "lookup", "only queries"),
    ],
)
def test_mistakes(keys: dict[str, Any], at: str, said: str, tmp_path: Path) -> None:
    """Each is named at its key, with what is wrong."""
    problems = dict(problems_of(looking_up(**keys), tmp_path))

    assert said in problems.get(at, ""), problems


def test_without_a_look_up_there_is_nothing_to_refer_to(tmp_path: Path) -> None:
    """`${lookup.…}` means nothing in a function that looks nothing up."""
    content = looking_up()
    del content["lookup"]

    assert "'lookup' can't be used here" in dict(problems_of(content, tmp_path))["request.get"]
