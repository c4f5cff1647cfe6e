"""Functions that send another request where a parameter is given, and outputs that refer to arguments."""

from pathlib import Path
from typing import Any

import pytest

from service_server.catalog.output import compile_output
from tests.service_server.catalog.connector_folder import ConnectorFolder, function_with, parameter

BASE = "https://api.acme.example"
INSTEAD = {
    "given": "search",
    "request": {"get": "/things/search", "query": {"q": "${args.search}"}},
    "output": "found[].thing",
}


def listing(**instead: Any) -> ConnectorFolder:
    """Return a connector with a query that searches elsewhere than it lists."""
    return function_with(
        paginate={"type": "cursor", "send": "query.after", "next": "body.next"},
        output="things",
        instead={**INSTEAD, **instead},
        parameters={"type": "object", "properties": {"search": parameter()}},
    )


def test_the_other_request_is_sent_where_its_parameter_is_given(tmp_path: Path) -> None:
    """Request, paging and output are those of `instead`; the function stays the one that people see."""
    function = listing().loaded(tmp_path).functions["acme-find"]
    other = function.given({"search": "a b"})
    context = {"args": {"search": "a b"}, "vars": {}}

    assert "https://api.acme.example/things" == function.given({}).request.build(BASE, {"args": {}, "vars": {}}).url
    assert "https://api.acme.example/things/search?q=a+b" == other.request.build(BASE, context).url.replace("%20", "+")
    assert [1] == other.pick({"found": [{"thing": 1}]})
    assert [2] == function.pick({"things": [2]})
    assert function.pagination is not None
    assert other.pagination is None
    assert (function.name, function.parameters) == (other.name, other.parameters)
    for empty in ("", None):  # as a search box sends it
        assert function is function.given({"search": empty})


@pytest.mark.parametrize(
    ("instead", "key"),
    [
        ({"given": "serach"}, "instead.given"),
        ({"request": {"get": "/things", "query": {"q": "${args.other?}"}}}, "instead.request.query.q"),
        ({"output": "found["}, "instead.output"),
        ({"output": "found[?id == ${args.nothing}]"}, "instead.output"),
        ({"prepare": "nothing"}, "instead.prepare"),
        ({"paginate": "nothing"}, "instead.paginate"),
    ],
)
def test_mistakes_in_it_are_found_where_they_are(instead: dict[str, Any], key: str, tmp_path: Path) -> None:
    """Each key is checked as the function's own ones are, and named below `instead`."""
    assert key in {problem.key for problem in listing(**instead).problems(tmp_path)}


def test_mistakes_that_nobody_would_see(tmp_path: Path) -> None:
    """Pages only of what is found, of which callers know once and for all; misspelt arguments, which pick nothing."""
    folder = listing(paginate={"type": "link"})
    folder.functions["find"]["output"] = "things[?id == ${args.nothing}]"
    del folder.functions["find"]["paginate"]
    problems = {problem.key: problem.message for problem in folder.problems(tmp_path)}

    assert {"instead.paginate", "output"} == problems.keys()
    assert "there is no parameter 'nothing'" == problems["output"]


@pytest.mark.parametrize("name", ["Leads", 'a"b', "`x` || 'y'", "\\", "${args.table}", "ü\n", "]"])
def test_an_output_refers_to_arguments(name: str) -> None:
    """Whatever an argument holds is a text to compare with, and never an expression."""
    body = {"tables": [{"id": "t1", "name": "other", "fields": [1]}, {"id": "t2", "name": name, "fields": [2]}]}
    picker = compile_output("tables[?id == ${args.table} || name == ${args.table}] | [0].fields")

    assert [2] == picker.given({"table": name})(body)
    assert [1] == picker.given({"table": "t1"})(body)
    assert picker.given({})(body) is None
