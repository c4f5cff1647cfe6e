"""Which option of an argument people are known to mean by what they say as a whole."""

import numpy as np
import pytest

from service_server.predict.known_answers import NOTHING, Answers, KnownAnswersOfAll, answer_texts, shipped_answers
from service_server.predict.predictor import Predictor
from service_server.predict.reader.questions import questions_of
from service_server.predict.reader.reader import WIDTH, Reader
from tests.service_server.predict.catalogue import array, text

pytestmark = pytest.mark.slow

STATUS, NOW = questions_of(
    {
        "properties": {
            "status": {"type": "string", "enum": ["open", "solved", "spam"], "description": "What becomes of it."},
            "now": {"type": "boolean", "description": "Whether it is done at once."},
        }
    }
)
SOLVED, HASTE = np.eye(2, WIDTH, dtype=np.float32)


def known(*rows: tuple[str, str, np.ndarray]) -> KnownAnswersOfAll:
    """Answers to two arguments of one function: each with the vector of the prompts that mean it."""
    arguments, answers, vectors = zip(*rows, strict=True)
    return KnownAnswersOfAll(
        Answers(
            functions=["desk-update"] * len(rows),
            arguments=arguments,
            answers=answers,
            vectors=np.round(np.stack(vectors) * 127).astype(np.int8),
            scales=np.full(len(rows), 1 / 127, np.float32),
            biases=np.zeros(len(rows), np.float32),
        )
    )


def test_what_is_like_a_known_prompt_speaks_for_its_answer() -> None:
    """Options stand in their order, true before false, and nothing at the end; what nobody meant has no odds."""
    own = known(("status", "solved", SOLVED), ("status", NOTHING, HASTE), ("now", "true", HASTE))
    of_function = own.of("desk-update", (STATUS, NOW))

    assert [0, 4, 0, 0] == of_function.odds(SOLVED)[STATUS.path].round(2).tolist()
    assert [0, 0, 0, 2] == of_function.odds(HASTE)[STATUS.path].round(2).tolist()
    assert [4, 0, 0] == of_function.odds(HASTE)[NOW.path].round(2).tolist()


def test_what_takes_words_is_known_to_be_said_or_not() -> None:
    """As likely as not says nothing; a list of words is left to the reader."""
    words, several = questions_of({"properties": {"note": text("A note."), "tags": array("Its tags.")}})
    own = known(("note", NOTHING, HASTE), ("tags", NOTHING, HASTE)).of("desk-update", (words, several))

    assert pytest.approx([1.35]) == own.odds(HASTE)[words.path]
    assert pytest.approx([-1.65]) == own.odds(SOLVED)[words.path]
    assert several.path not in own.odds(HASTE)


def test_nothing_is_known_of_other_functions_and_open_questions() -> None:
    """Nor of an argument that has no options any more, or of an option that is gone."""
    (words,) = questions_of({"properties": {"status": text("What becomes of it.")}})
    own = known(("status", "solved", SOLVED), ("status", "gone", SOLVED))

    assert not own.of("desk-close", (STATUS,))
    assert not own.of("desk-update", (NOW,))
    assert not own.of("desk-update", (words,))
    assert ("open", "solved", "spam", NOTHING) == answer_texts(STATUS)
    assert [0, 4, 0, 0] == own.of("desk-update", (STATUS,)).odds(SOLVED)[STATUS.path].round(2).tolist()


def test_what_is_known_counts_with_the_words(installed_reader: Reader) -> None:
    """It turns an answer that the words leave open, and one for true or false as well."""
    heading, prompt = "desk update: Changes a ticket.", "the ticket 12 is back from the dead, be quick"
    odds = {STATUS.path: np.array([0, 0, 12, 0], np.float32), NOW.path: np.array([0, 12, 0], np.float32)}
    status, now = installed_reader.replies(prompt, heading, (STATUS, NOW), odds)
    unsaid = {STATUS.path: np.array([0, 0, 0, 12], np.float32), NOW.path: np.array([0, 0, 12], np.float32)}
    neither, nor = installed_reader.replies(prompt, heading, (STATUS, NOW), unsaid)

    assert ((2,), False) == (status.options, now.truth)
    assert neither.absent > 0.9
    assert nor.truth is None


def test_words_that_are_known_not_to_be_said_are_not_found(installed_reader: Reader) -> None:
    """However well they fit."""
    (note,) = questions_of({"properties": {"note": text("The note that is added to it.")}})
    heading, prompt = "desk add note: Adds a note to a ticket.", 'add the note "call back" to ticket 12'
    (found,) = installed_reader.replies(prompt, heading, (note,))
    (lost,) = installed_reader.replies(prompt, heading, (note,), {note.path: np.array([15], np.float32)})

    assert "call back" == prompt[found.spans[0].start : found.spans[0].end]
    assert lost.absent > 0.9 > 0.5 > found.absent


@pytest.mark.parametrize(
    ("name", "prompt", "argument", "expected"),
    [
        ("wordpress-moderate-comment", "let the comment 3391 on our blog through", "status", "approved"),
        ("sentry-update-issue", "SHOP-9Q will be gone with the next release", "status", "resolvedInNextRelease"),
        ("zendesk-update-ticket", "ticket 4420 turned out fine, done and dusted", "status", "solved"),
        ("pipedrive-update-deal", "Harbour kiosk slipped through our fingers", "status", "lost"),
    ],
)
def test_options_in_other_words(
    shipped_predictor: Predictor, name: str, prompt: str, argument: str, expected: str
) -> None:
    """What the option is called is said nowhere."""
    assert expected == shipped_predictor.predict_arguments(name, prompt).arguments.get(argument)


def test_what_cannot_be_undone_is_done_as_it_is_said(shipped_predictor: Predictor) -> None:
    """Others may have wanted their money back."""
    found = shipped_predictor.predict_arguments("shopify-cancel-order", "cancel order #1080, she changed her mind")

    assert "refund" not in found.arguments


def test_shipped_answers_are_those_of_shipped_arguments() -> None:
    """Each has a row of its own."""
    own = shipped_answers()

    assert len(own.functions) == len(set(zip(own.functions, own.arguments, own.answers, strict=True)))
    assert len(own.functions) == len(own.vectors) == len(own.scales) == len(own.biases)
