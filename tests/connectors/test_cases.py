"""
What functions of shipped connectors make of arguments and answers, where no description of the app can tell.

Each file of `cases` is named as a connector and has cases: a `call` of a function with arguments and what comes of it,
or an `answer` to a function and what it `gives` by JMESPath, called with the arguments `given`. Of a call may be said
what it `sends` as its body, what stands where in the `body` by JMESPath, the `method`, the `query` (null isn't there),
the `url` without it, what is asked `before`, and the field at which it is `refused_at`.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import jmespath
import pytest
import yaml

from tests.connectors.functions import body, function_of, prior, query, read, refused_at, request

_LOADER = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
CASES = [
    pytest.param(file.stem, case, id=f"{file.stem}-{next(iter(case.get('call', case.get('answer'))))}")
    for file in sorted(Path(__file__).with_name("cases").glob("*.yaml"))
    for case in yaml.load(file.read_text("utf-8"), _LOADER)  # noqa: S506, the safe one, written in C
]
# What is found in the place of each expectation, by the function's name, its arguments, and what is expected.
FOUND: dict[str, Callable[[str, dict[str, Any], Any], Any]] = {
    "sends": lambda name, given, _: body(name, **given),
    "body": lambda name, given, expected: found_in(body(name, **given), expected),
    "query": lambda name, given, expected: {key: query(name, **given).get(key) for key in expected},
    "method": lambda name, given, _: request(name, **given).method,
    "url": lambda name, given, _: request(name, **given).url.partition("?")[0],
    "before": lambda name, given, _: f"{prior(name, **given).method} {prior(name, **given).url}".partition("?")[0],
    "refused_at": lambda name, given, _: refused_at(name, **given),
}


def found_in(value: Any, paths: Iterable[str]) -> dict[str, Any]:
    """Return what stands at some paths in a value."""
    return {path: jmespath.search(path, value) for path in paths}


@pytest.mark.parametrize(("app", "case"), [each for each in CASES if "call" in each.values[1]])
def test_a_call(app: str, case: dict[str, Any]) -> None:
    """Values are wrapped as the app wants them, conditions stand in its own language, and nothing else is sent."""
    ((function, given),) = case["call"].items()
    name = f"{app}-{function}"
    expected = {kind: each for kind, each in case.items() if kind != "call"}
    if "refused_at" not in expected:
        assert [] == [error.message for error in function_of(name).validator.iter_errors(given)]
        assert "+" not in request(name, **given).url  # which not every app reads as a blank

    assert expected == {kind: FOUND[kind](name, given, each) for kind, each in expected.items()}


@pytest.mark.parametrize(("app", "case"), [each for each in CASES if "answer" in each.values[1]])
def test_an_answer(app: str, case: dict[str, Any]) -> None:
    """Rows are picked out of the answer, with a name to choose by; fields have a type that forms know, and options."""
    ((function, answer),) = case["answer"].items()

    assert case["gives"] == found_in(read(f"{app}-{function}", answer, **case.get("given", {})), case["gives"])
