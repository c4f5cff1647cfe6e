"""Sentences about what can be done, none of which commands it, over the shipped connectors with the installed model."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from service_server.predict.candidate import Candidate
from service_server.predict.predictor import Predictor
from service_server.prediction.prediction import candidates
from tests.service_server.predict.conftest import chosen_name
from tests.service_server.shipped import shipped_catalog

NOW = datetime(2026, 11, 18, 9, 30, tzinfo=UTC)
# Each line is a function that a sentence speaks of, a tab, and the sentence.
SENTENCES = Path(__file__).parent / "said_by_nobody.txt"
MOST_ACCEPTED = 1
LEAST_SHARE_OF_COMMANDS = 0.9

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def functions() -> dict[str, Candidate]:
    """The functions of the shipped connectors, by name."""
    return {candidate.function.name: candidate for candidate in candidates(shipped_catalog())}


def test_what_nobody_commands_is_not_done(shipped_predictor: Predictor, functions: dict[str, Candidate]) -> None:
    """Questions, reports, denials and thoughts lead to nothing that changes anything."""
    sentences = [line.split("\t")[1] for line in SENTENCES.read_text("utf-8").splitlines()]
    accepted = []
    for sentence in sentences:
        name = chosen_name(shipped_predictor, sentence, now=NOW)
        if name is not None and functions[name].function.type != "query":
            accepted.append(f"{sentence}: {name}")

    assert len(sentences) >= 150
    assert len(accepted) <= MOST_ACCEPTED, "\n".join(accepted)


@pytest.mark.parametrize(
    "prompt",
    [
        *("how do I delete a Trello board?", "she deleted the Zendesk ticket 12"),
        *("don't cancel the Stripe subscription of Ana", "has the GitHub issue 12 in acme/web been closed?"),
        *("if the build is red, delete the GitHub release", "my colleague said: void the Stripe invoice in_123"),
        *("we might archive the Slack channel #old one day", "say 'delete acme/web'"),
        *("what happens when I delete a HubSpot contact", "nobody has cancelled the Zoom meeting yet"),
    ],
)
def test_other_people_s_words(shipped_predictor: Predictor, functions: dict[str, Candidate], prompt: str) -> None:
    """What somebody asks, tells, quotes or supposes never finds what can't be undone, nor a change of what it names."""
    name = chosen_name(shipped_predictor, prompt, now=NOW)

    assert name is None or not _is_destructive(functions[name])
    assert name is None or "say" in prompt or functions[name].function.type == "query"


def test_what_is_commanded_is_done(shipped_predictor: Predictor, functions: dict[str, Candidate]) -> None:
    """Of the examples of what can't be undone, most are still understood."""
    examples = [
        (name, prompt)
        for name, candidate in functions.items()
        for prompt, _ in candidate.examples[:1]
        if _is_destructive(candidate)
    ]
    understood = sum(name == chosen_name(shipped_predictor, prompt, now=NOW) for name, prompt in examples)

    assert len(examples) > 50
    assert understood / len(examples) >= LEAST_SHARE_OF_COMMANDS


def _is_destructive(candidate: Candidate) -> bool:
    meta = candidate.function.meta
    return meta is not None and meta.destructive
