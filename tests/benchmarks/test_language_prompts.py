"""The prompts in other languages, and how answers to them are judged."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from benchmarks.languages import ENGLISH, EVERYDAY, PROMPTS, Prompt, judge, prompts, same, shares_by_kind
from tests.service_server.shipped import shipped_catalog

MOST_FUNCTIONS = 8
PROMPT = Prompt("de", "…", ("a-send", "b-send"), True, {"text": ("Hallo",), "to": ("Ann", None), "amount": (1200.5,)})


def test_each_language_has_the_same_functions() -> None:
    """A hundred prompts a language, two for each of fifty functions, and ten for nothing; no prompt twice."""
    suite = prompts()
    asked = {
        language: Counter(each.functions[0] for each in suite if each.language == language and each.functions)
        for language in {each.language for each in suite}
    }

    assert {"de", "en", "es", "fr", "ja", "pt"} == set(asked)
    assert 50 == len(asked[ENGLISH])
    for language, functions in asked.items():
        assert dict.fromkeys(asked[ENGLISH], 1 if language == ENGLISH else 2) == functions
        assert 10 == sum(each.language == language and not each.functions for each in suite)
    assert len(suite) == len({each.prompt.casefold() for each in suite})


def test_half_of_the_functions_are_asked_for_without_an_app() -> None:
    """As many in each language, and in English in the same share."""
    without = Counter(each.language for each in prompts() if each.functions and not each.names_app)

    assert {"de": 26, "es": 26, "fr": 26, "ja": 26, "pt": 26, "en": 13} == without


def test_half_of_the_everyday_prompts_are_kept() -> None:
    """41 requests in five languages, 21 of them kept from those who write rules; none is in the other suite."""
    suite = prompts(EVERYDAY)

    assert {("de", 41), ("es", 41), ("fr", 41), ("ja", 41), ("pt", 41)} == set(
        Counter(p.language for p in suite).items()
    )
    assert {5 * 21} == {sum(each.kept for each in suite)}
    assert {each.prompt for each in suite}.isdisjoint(each.prompt for each in prompts())


@pytest.mark.parametrize("path", [PROMPTS, EVERYDAY], ids=["prompts", "everyday"])
def test_what_is_right_is_valid(path: Path) -> None:
    """Functions exist, and every value that counts as right is one that its argument takes."""
    catalogue = shipped_catalog()
    for each in prompts(path):
        assert len(each.functions) <= MOST_FUNCTIONS
        definitions = [catalogue.function(name) for name in each.functions]
        assert None not in definitions, each
        for definition in definitions[:1]:
            properties = definition.parameters.get("properties", {})
            for name, values in each.arguments.items():
                assert name in properties, each
                validator = Draft202012Validator(properties[name], validate_formats=True)
                assert all(value is None or validator.is_valid(value) for value in values), each


@pytest.mark.parametrize(
    ("given", "wanted", "expected"),
    [
        ("hallo", "Hallo.", True),
        ("2026-11-20T14:00:00Z", "2026-11-20T14:00:00+00:00", True),
        ("2026-11-20", "2026-11-21", False),
        (["a@b.de"], ["A@b.de"], True),
        (["a@b.de", "c@d.de"], ["a@b.de"], False),
        (12.0, 12, True),
        (1, True, False),
        (None, "x", False),
    ],
)
def test_same_values(given: Any, wanted: Any, expected: bool) -> None:
    """What is written in another way is the same, what says something else is not."""
    assert expected == same(given, wanted)


def test_an_answer_is_judged() -> None:
    """The function, the arguments and both together; another app's function serves, but makes no whole call."""
    arguments = {"text": "Hallo", "amount": 1200.5}
    filled = {"functions": [{"name": "a-send", "arguments": arguments}]}

    def chosen(name: str) -> dict[str, Any]:
        prediction = {"alternatives": [{"name": "a-list"}]}
        return {"functions": [{"name": name, "arguments": arguments, "prediction": prediction}]}

    right = dict.fromkeys(("function", "first_five", "arguments", "words", "numbers", "whole_call"), 1.0)
    assert right == judge(PROMPT, chosen("a-send"), filled).shares
    assert {**right, "whole_call": 0.0} == judge(PROMPT, chosen("b-send"), filled).shares
    refused = {"functions": [], "prediction": {"alternatives": [{"name": "b-send"}]}}
    assert {**right, "function": 0.0, "whole_call": 0.0} == judge(PROMPT, refused, filled).shares
    assert {"refused": 1.0} == judge(Prompt("de", "…", ()), refused, filled).shares


def test_kinds_of_values() -> None:
    """Words, numbers and dates are counted apart, and what may be left out is not."""
    wanted = {"text": ("a",), "amount": (2,), "due": ("2026-12-01",), "list": ("x", None)}

    assert {"words": 1, "numbers": 0, "dates": 1} == shares_by_kind(wanted, {"text": "a", "due": "2026-12-01"})
