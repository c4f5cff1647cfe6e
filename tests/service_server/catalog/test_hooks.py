"""Hooks: pure functions beside a connector's data, checked when they are loaded."""

from pathlib import Path
from typing import Any

import pytest

from service_server.catalog.check import check
from service_server.catalog.hooks import HookFailed, InvalidRequest
from service_server.catalog.problems import Problem
from service_server.catalog.values import FunctionDefinition
from tests.service_server.catalog.connector_folder import ConnectorFolder, function_with, parameter

HOOKS = '''
import base64
from typing import Any

from service_server.catalog.hooks import InvalidRequest

_LONGEST: int = 10


def message(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the text as the app wants it."""
    if len(arguments["text"]) > _LONGEST:
        raise InvalidRequest("text", "is too long for a message")
    arguments["text"] = _encoded(arguments["text"])
    return {"raw": arguments["text"]}


def rows(body: Any) -> list[Any]:
    """Make rows of columns."""
    return [dict(zip(body["names"], row)) for row in body["rows"]]


def _encoded(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode()
'''


def with_hooks(hooks: str = HOOKS, **changes: Any) -> ConnectorFolder:
    """Return a connector with hooks, whose one function prepares its request and reshapes its answer."""
    declared = {
        "prepare": "message",
        "reshape": "rows",
        "request": {"get": "/things", "query": {"raw": "${prepared.raw}", "more": "${prepared.more?}"}},
        "parameters": {"type": "object", "required": ["text"], "properties": {"text": parameter()}},
    }
    folder = function_with(**declared | changes)
    folder.hooks = hooks
    return folder


def loaded(folder: ConnectorFolder, directory: Path) -> FunctionDefinition:
    """Load the connector's one function."""
    return folder.loaded(directory).functions["acme-find"]


def problems_of(folder: ConnectorFolder, directory: Path) -> list[Problem]:
    """Return what `connector check` says about a folder."""
    return check(folder.write(directory))


def test_what_is_prepared_goes_into_the_request(tmp_path: Path) -> None:
    """`prepare` makes values for the templates and may refuse an argument; the arguments stay as they are."""
    build = loaded(with_hooks(), tmp_path).request.build
    arguments = {"text": "ä"}

    assert "https://h/things?raw=w6Q%3D" == build("https://h", {"args": arguments}).url
    assert {"text": "ä"} == arguments
    with pytest.raises(InvalidRequest, match="too long") as refused:
        build("https://h", {"args": {"text": "x" * 11}})
    assert "text" == refused.value.field


WITH_BEFORE = """
def added(arguments, before):
    return {"all": [*before.get("names", []), arguments["text"]]}
"""


def adding() -> ConnectorFolder:
    """Return a connector whose one function adds a name to those that a request before it gives."""
    folder = with_hooks(
        WITH_BEFORE,
        type="mutation",
        prepare="added",
        before=[{"request": {"get": "/things"}, "gives": {"names": "body.names?"}}],
        request={"put": "/things", "body": {"names": "${prepared.all}"}},
    )
    del folder.functions["find"]["reshape"]
    return folder


def test_a_hook_sees_what_requests_before_gave(tmp_path: Path) -> None:
    """A list of the app's is read, and sent with one entry more: the app itself would replace it."""
    assert [] == problems_of(adding(), tmp_path / "checked")
    build = loaded(adding(), tmp_path / "loaded").request.build
    args = {"text": "b"}

    assert b'{"names":["a","b"]}' == build("https://h", {"args": args, "before": {"names": ["a"]}}).body
    assert b'{"names":["b"]}' == build("https://h", {"args": args, "before": {}}).body


def test_a_hook_that_waits_for_what_nothing_gives(tmp_path: Path) -> None:
    """Without requests before, and in the reading of an answer, there is no second argument."""
    folder = adding()
    del folder.functions["find"]["before"]
    reading = with_hooks(HOOKS.replace("rows(body: Any)", "rows(body: Any, before: Any)"))
    problems = [*problems_of(folder, tmp_path / "a"), *problems_of(reading, tmp_path / "b")]

    assert [("prepare", "added"), ("reshape", "rows")] == [
        (each.key, each.message.split("'")[1]) for each in problems if "and there are none" in each.message
    ]


def test_answers_are_reshaped_before_the_pick(tmp_path: Path) -> None:
    """`output` picks from what `reshape` made of the body, and the app's own body stays as it is."""
    body = {"names": ["id"], "rows": [[1], [2]]}

    assert [1, 2] == loaded(with_hooks(output="[].id"), tmp_path).pick(body)
    assert {"names": ["id"], "rows": [[1], [2]]} == body


@pytest.mark.parametrize(
    ("hook", "reason"),
    [
        ("def message(arguments):\n    return {'raw': arguments['missing']}\n", "raised KeyError in line 2"),
        ("def message(arguments):\n    return 'text'\n", "returned a str and not a dict"),
        ("def message(arguments):\n    pass\n", "returned nothing and not a dict"),
    ],
)
def test_a_hook_that_fails_while_preparing(hook: str, reason: str, tmp_path: Path) -> None:
    """A defect is told by its kind and line, never by words that may hold an argument."""
    function = loaded(with_hooks(f"{hook}def rows(body):\n    return body\n"), tmp_path)

    with pytest.raises(HookFailed) as failed:
        function.request.build("https://h", {"args": {"text": "secret"}})
    assert f"message: {reason}" == str(failed.value)


@pytest.mark.parametrize("answer", [None, [], {"names": 5, "rows": [[1]]}])
def test_a_hook_that_fails_while_reshaping(answer: Any, tmp_path: Path) -> None:
    """An answer of another form than the hook expects is a defect that its caller can tell from an answer."""
    with pytest.raises(HookFailed, match="rows: raised TypeError in line"):
        loaded(with_hooks(), tmp_path).pick(answer)


RESHAPE = "def rows(body):\n    return body\n"


@pytest.mark.parametrize(
    ("hooks", "line", "said"),
    [
        ("import os\n" + RESHAPE, 1, "'os' can't be imported"),
        ("from urllib.request import urlopen\n" + RESHAPE, 1, "'urllib.request' can't be imported"),
        ("from . import other\n" + RESHAPE, 1, "'.' can't be imported"),
        ("from service_server.catalog.hooks import read_hooks\n" + RESHAPE, 1, "can't be imported"),
        ("def rows(body):\n    import socket\n    return body\n", 2, "'socket' can't be imported"),
        ("def rows(body):\n    return open(body)\n", 2, "'open' can't be used"),
        ("def rows(body):\n    return eval(body)\n", 2, "'eval' can't be used"),
        ("def rows(body):\n    return body.__class__\n", 2, "'__class__' can't be used"),
        ("LIMIT = 5\n" + RESHAPE, 1, "starts with an underscore: _LIMIT"),
        ("class Row:\n    pass\n" + RESHAPE, 1, "only imports, functions and constants"),
        ("async def rows(body):\n    return body\n", 1, "only imports, functions and constants"),
        ("def rows(body, more, most):\n    return body\n", 1, "a hook takes one argument"),
        ("def rows(body, more=1):\n    return body\n", 1, "a hook takes one argument"),
        ("def rows(*bodies):\n    return bodies\n", 1, "a hook takes one argument"),
        ("def rows(body):\n    yield body\n", 1, "yields nothing"),
        ("def rows(body):\n    return body\nbroken(\n", 3, "is not Python"),
        ("_LIMIT = 1 / 0\n" + RESHAPE, 1, "can't be run: ZeroDivisionError"),
    ],
)
def test_what_is_wrong_with_hooks_is_found(hooks: str, line: int, said: str, tmp_path: Path) -> None:
    """A hook computes and does nothing else, and the file holds nothing but hooks and what they share."""
    folder = with_hooks(hooks, request={"get": "/things", "query": {"text": "${args.text}"}})
    del folder.functions["find"]["prepare"]

    (problem,) = problems_of(folder, tmp_path)

    assert ("hooks.py", line) == (problem.file.name, problem.line), problem
    assert said in problem.message


def test_hooks_are_named_as_they_are(tmp_path: Path) -> None:
    """A function that names no hook of the file is told the nearest one, once for each mistake."""
    (problem,) = problems_of(with_hooks(reshape="row"), tmp_path / "a")
    assert ("reshape", "there is no function 'row' in hooks.py; did you mean 'rows'?") == (problem.key, problem.message)

    folder = with_hooks()
    folder.hooks = None
    assert ["prepare", "reshape"] == [problem.key for problem in problems_of(folder, tmp_path / "b")]


SENT = {"get": "/things", "query": {"text": "${args.text}"}}


@pytest.mark.parametrize(
    ("hooks", "changes", "key", "said"),
    [
        (HOOKS + "\n\ndef spare(body):\n    return body\n", {}, "spare", "no function uses it"),
        (HOOKS, {"request": SENT}, "prepare", ""),
        (HOOKS, {"type": "mutation"}, "reshape", ""),
        (RESHAPE, {"prepare": None}, "request.query.more", "'prepared' can't be used here; these can: args, vars"),
    ],
)
def test_hooks_for_nothing_are_found(hooks: str, changes: dict[str, Any], key: str, said: str, tmp_path: Path) -> None:
    """One that no function uses, whose values no request does, of a mutation's answer; or a value without a hook."""
    folder = with_hooks(hooks, **changes)
    if "prepare" in changes:
        del folder.functions["find"]["prepare"]
    problem, *others = problems_of(folder, tmp_path)

    assert (key, True) == (problem.key, said in problem.message)
    assert [] == [each for each in others if said not in each.message]
