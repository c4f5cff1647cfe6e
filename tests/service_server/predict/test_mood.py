"""How a prompt is meant, by the grammar of its main clause."""

import pytest

from service_server.predict.mentions import find_quotations
from service_server.predict.mood import Mood, asks_for_explanation, main_clause
from service_server.predict.words import words_of


def mood_of(prompt: str) -> Mood:
    """How a prompt is meant."""
    quoted = list(find_quotations(prompt))
    words = [word for word in words_of(prompt) if not any(each.overlaps(word.start, word.end) for each in quoted)]
    return main_clause(prompt, words).mood


@pytest.mark.parametrize(
    "prompt",
    [
        "Delete the board Marketing",
        "please close ticket 12 in Zendesk",
        "Could you please move the standup to 10?",
        "hey, can you send Ana the invoice",
        "I need to cancel my meeting with the dentist",
        "I'd like to archive the channel old-stuff",
        "The login page is broken, open an issue in acme/web",
        "Ticket 9 is spam. Delete it.",
        "if you have a minute, post the notes in #team",
        "airtable: add a row to Guests",
        "Don't delete the card, archive it",
        "Why don't you invite Ben to the channel",
        "torch the acme/old repo",
        'have "Doors open at 9" posted to #lobby',
        "Bob said that he is done. Close ticket 12.",
    ],
)
def test_commands(prompt: str) -> None:
    """What asks to have something done, plainly, politely, or after a reason."""
    assert Mood.COMMAND == mood_of(prompt)


@pytest.mark.parametrize(
    ("mood", "prompt"),
    [
        (Mood.LABEL, "fresh ticket: printer on fire"),
        (Mood.LABEL, "lunch with Ana tomorrow at noon"),
        (Mood.WISH, "the page Plans should be called Old plans"),
        (Mood.WISH, "WEB-12 goes to In Review"),
        (Mood.QUESTION, "how do I delete a board?"),
        (Mood.QUESTION, "um how would one undo a refund"),
        (Mood.QUESTION, "was the invoice voided?"),
        (Mood.QUESTION, "Can I merge without a review?"),
        (Mood.QUESTION, "with the free plan can we delete messages"),
        (Mood.QUESTION, "should I close the issue, archive it or keep it?"),
        (Mood.STATEMENT, "she deleted the ticket"),
        (Mood.STATEMENT, "Our intern cancelled the subscription last night"),
        (Mood.STATEMENT, "the repository was deleted by mistake"),
        (Mood.STATEMENT, "I would delete the board if it were mine"),
        (Mood.STATEMENT, "if the tests fail, revert the commit"),
        (Mood.STATEMENT, "the boss said, delete everything"),
        (Mood.STATEMENT, "maybe we need another channel"),
        (Mood.STATEMENT, "thinking of closing the shop"),
        (Mood.STATEMENT, "I'd love to purge the queue but they say no"),
        (Mood.DENIAL, "don't delete the Trello board"),
        (Mood.DENIAL, "please never merge that branch"),
        (Mood.DENIAL, "leave ticket 7 alone"),
        (Mood.DENIAL, "keep the meeting, don't cancel it"),
    ],
)
def test_what_is_no_command(mood: Mood, prompt: str) -> None:
    """What asks, tells, supposes, denies, or only names something."""
    assert mood == mood_of(prompt)


@pytest.mark.parametrize("prompt", ["How do I delete a board?", "um, why was it closed", "what is a merge request"])
def test_questions_for_an_explanation(prompt: str) -> None:
    """Openers before the question don't hide it."""
    assert asks_for_explanation(words_of(prompt))


@pytest.mark.parametrize("prompt", ["how many tickets are open?", "what is the balance", "show me how it went"])
def test_questions_for_data(prompt: str) -> None:
    """Who asks for figures or things wants them looked up."""
    assert not asks_for_explanation(words_of(prompt))
