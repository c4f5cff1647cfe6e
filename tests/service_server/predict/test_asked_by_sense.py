"""Whether a prompt can ask for a function: by its form, or by its sense where the form is another one."""

from datetime import UTC, datetime

import pytest

from service_server.predict.candidate import Candidate
from service_server.predict.confidence import shipped_confidence
from service_server.predict.fitness import is_commanded, may_be_asked_for
from service_server.predict.profiles import profile_of
from service_server.predict.ranking import Ranking
from service_server.predict.reading import read
from service_server.predict.selection import Scored
from tests.service_server.predict.catalogue import candidate

NOW = datetime(2026, 11, 18, 9, 30, tzinfo=UTC)
LIST = candidate("sandbox-list-tickets", "query", "List tickets", "List the tickets.")
CREATE = candidate("sandbox-create-ticket", "mutation", "Create a ticket", "Create a ticket.")
DELETE = candidate("sandbox-delete-ticket", "mutation", "Delete a ticket", "Delete a ticket for good.")
SURELY, HARDLY = 6.0, -6.0


@pytest.mark.parametrize("prompt", ["I filed one yesterday", "how do tickets work", "don't create one"])
def test_other_forms_ask_for_a_change_only_by_their_sense(prompt: str) -> None:
    """A report, a question or a denial asks for it only where the model is sure that something is to be done."""
    reading = read(prompt, NOW)

    assert not is_commanded(profile_of(CREATE), reading)
    assert not may_be_asked_for(profile_of(CREATE), reading, HARDLY)
    assert may_be_asked_for(profile_of(CREATE), reading, SURELY)


@pytest.mark.parametrize("prompt", ["ana deleted ticket 7", "should I delete ticket 7?", "don't delete ticket 7"])
def test_what_cannot_be_undone_needs_the_form_of_a_request(prompt: str) -> None:
    """However sure the model is of the sense."""
    assert not may_be_asked_for(profile_of(DELETE), read(prompt, NOW), SURELY)


def test_what_cannot_be_undone_may_be_said_in_other_words() -> None:
    """A request with another verb asks for it by its sense, and then has to be surer."""
    reading = read("make ticket 7 vanish", NOW)
    ranking = Ranking([LIST, CREATE, DELETE])
    match = ranking.match(2, 1.0, ranking.asked(reading), ranking.apps.named_in(reading))

    assert not is_commanded(profile_of(DELETE), reading)
    assert not may_be_asked_for(profile_of(DELETE), reading, HARDLY)
    assert may_be_asked_for(profile_of(DELETE), reading, SURELY)
    assert not match.commanded
    assert Scored(name=match.name, confidence=0.0, match=match).threshold == 0.85
    assert shipped_confidence().destructive_threshold < 0.8


@pytest.mark.parametrize(
    ("of", "prompt"), [(LIST, "which tickets are there"), (CREATE, "open a ticket"), (DELETE, "delete ticket 7")]
)
def test_what_is_commanded_needs_no_more(of: Candidate, prompt: str) -> None:
    """Nor does a question for what only reads."""
    assert is_commanded(profile_of(of), read(prompt, NOW))
    assert may_be_asked_for(profile_of(of), read(prompt, NOW), HARDLY)


@pytest.mark.parametrize(
    ("prompt", "mood", "verb"),
    [("PAY-218 was closed", "statement", None), ("close PAY-218", "command", "close"), ("pay 218", "command", None)],
)
def test_a_code_is_no_verb(prompt: str, mood: str, verb: str | None) -> None:
    """Issues of the project PAY pay nothing."""
    reading = read(prompt, NOW)

    assert (mood, verb) == (reading.mood, reading.asked and reading.asked.word)
