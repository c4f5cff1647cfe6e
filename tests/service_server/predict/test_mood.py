"""How a prompt is meant, by the grammar of its main clause."""

import pytest

from service_server.predict.mentions import find_quotations
from service_server.predict.mood import MainClause, Mood, asks_for_explanation, main_clause
from service_server.predict.words import words_of


def clause_of(prompt: str) -> MainClause:
    """The main clause of a prompt."""
    quoted = list(find_quotations(prompt))
    words = [word for word in words_of(prompt) if not any(each.overlaps(word.start, word.end) for each in quoted)]
    return main_clause(prompt, words)


def mood_of(prompt: str) -> Mood:
    """How a prompt is meant."""
    return clause_of(prompt).mood


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
        "let's close ticket 12",
        "Let’s delete the board",
        "stop the timer",
        "the customer left, close ticket 12",
        "gotta Ana invited",
        "need a room for tomorrow",
        "zap up the boards",
        "leave a comment on ticket 7",
        "if you can, close ticket 12",
        "if possible, close ticket 12",
        "whenever ready, close ticket 12",
        "after lunch, close ticket 12",
        "is it possible to close ticket 12",
        "would you be so kind as to close ticket 12",
        "I'd love to delete the board, not the card",
        "I'd love to delete the board but keep the card",
        "tell Ana about ticket 12",
        "check with Ana",
        "do the transition 31",
        "have the ticket closed",
        "have ticket 12 closed",
        "message Will about the outage",
        "message will about the outage",
        "book do not disturb",
        "list have not",
        "post can be seen",
        "invite may to the channel",
        "torch all",
        "flibber it",
        "nuke up the boards",
        "(close ticket 12)",
        "server down... close ticket 12",
        "the server is down - close ticket 12",
        "She asked: is it done? Close ticket 12.",
    ],
)
def test_commands(prompt: str) -> None:
    """What asks to have something done, plainly, politely, or after a reason."""
    assert Mood.COMMAND == mood_of(prompt)


@pytest.mark.parametrize(
    ("begins", "prompt"),
    [
        ("close", "please close ticket 12"),
        ("close", "close ticket 12"),
        ("open", "The login page is broken, open an issue in acme/web"),
        ("add", "my very own bot: add a row to Guests"),
        ("close", "Could you please close ticket 12"),
        ("archive", "I'd like to archive the channel"),
    ],
)
def test_where_a_command_begins(begins: str, prompt: str) -> None:
    """Behind what is only polite, and behind what was said before it."""
    assert prompt.index(begins) == clause_of(prompt).start


@pytest.mark.parametrize("prompt", ["do", "have", "leave", "stop", "when", "need", "if", "but", "tell"])
def test_a_word_alone(prompt: str) -> None:
    """It has a mood, too, and is read without what would follow it."""
    assert mood_of(prompt) in Mood


@pytest.mark.parametrize("word", ["said wait", "says wait", "no", "not yet", "can't", "cant", "don't", "dont"])
def test_a_wish_that_is_taken_back(word: str) -> None:
    """What the speaker would love to do, but doesn't do."""
    assert Mood.STATEMENT == mood_of(f"I'd love to delete the board but Ana {word}")


@pytest.mark.parametrize(
    ("mood", "prompt"),
    [
        (Mood.LABEL, ""),
        (Mood.LABEL, "please"),
        (Mood.LABEL, "such a nice day"),
        (Mood.LABEL, "after lunch"),
        (Mood.LABEL, "two burgers, no onions"),
        (Mood.LABEL, "two burgers, not"),
        (Mood.LABEL, "no more texts"),
        (Mood.LABEL, "lunch with left handers"),
        (Mood.LABEL, "team building on friday"),
        (Mood.LABEL, "the board called Plans"),
        *(
            (Mood.LABEL, f"{word} you can, fresh ticket: printer on fire")
            for word in ("if", "when", "once", "whenever")
        ),
        (Mood.LABEL, "if possible, fresh ticket: printer on fire"),
        (Mood.LABEL, "lunch with Ana, not in my calendar"),
        (Mood.LABEL, "the plan for next week: add a row to Guests"),
        (Mood.LABEL, "torch no boards"),
        (Mood.LABEL, "green ticket, blue ticket"),
        (Mood.WISH, "the ticket should be in Done that was deleted"),
        (Mood.WISH, "notes are shown to the customer"),
        (Mood.WISH, "comments is the new board"),
        (Mood.WISH, "the ticket needs an owner"),
        (Mood.QUESTION, "could you"),
        (Mood.QUESTION, "tell me about ticket 12"),
        (Mood.QUESTION, "let me know about ticket 12"),
        (Mood.QUESTION, "check with me about ticket 12"),
        (Mood.QUESTION, "I want to know the tickets"),
        (Mood.QUESTION, "when can we close it"),
        (Mood.QUESTION, "when is the meeting"),
        (Mood.QUESTION, "do we have tickets"),
        (Mood.QUESTION, "do tickets exist"),
        (Mood.QUESTION, "have tickets been closed"),
        (Mood.QUESTION, "have we closed it"),
        (Mood.QUESTION, "under the new rules do we close tickets"),
        (Mood.QUESTION, "should I do this: delete the board"),
        (Mood.QUESTION, "Is it done? It was closed."),
        (Mood.STATEMENT, "re: close ticket 12"),
        (Mood.STATEMENT, "Fwd: close ticket 12"),
        (Mood.STATEMENT, "RE : delete it"),
        (Mood.STATEMENT, "Ana deleted it: close ticket 12"),
        (Mood.STATEMENT, "the reply was: delete it all"),
        (Mood.STATEMENT, "the client says, close ticket 12"),
        (Mood.STATEMENT, "maybe tomorrow, close ticket 12"),
        (Mood.STATEMENT, "I would love it, close the ticket"),
        (Mood.STATEMENT, "when I can I will close it"),
        (Mood.STATEMENT, "if I can close ticket 12"),
        (Mood.STATEMENT, "if it breaks"),
        (Mood.STATEMENT, "after lunch was served"),
        (Mood.STATEMENT, "I'd love it but no"),
        (Mood.STATEMENT, "update has been made"),
        (Mood.STATEMENT, "closed the ticket"),
        (Mood.STATEMENT, "creating a ticket"),
        (Mood.STATEMENT, "ticket 12 sent"),
        (Mood.STATEMENT, "ticket 12 means trouble"),
        (Mood.STATEMENT, "It was closed. The page should be in Done."),
        (Mood.DENIAL, "not"),
        (Mood.DENIAL, "stop deleting"),
        (Mood.DENIAL, "leave it"),
        (Mood.DENIAL, "stop deleting my emails"),
        (Mood.DENIAL, "quit closing the tickets"),
        (Mood.DENIAL, "do not close the ticket"),
        (Mood.DENIAL, "hold off closing ticket 12"),
        (Mood.DENIAL, "hold on with ticket 12"),
        (Mood.DENIAL, "leave it as it is"),
        (Mood.DENIAL, "the weekly report, not publishing it"),
        (Mood.DENIAL, "the weekly report, not delete"),
        (Mood.DENIAL, "the weekly report, don't publish it"),
        (Mood.DENIAL, "tickets never close"),
        (Mood.DENIAL, "the customer did not close it"),
        (Mood.DENIAL, "Don't close it. Is it done?"),
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


@pytest.mark.parametrize(
    "prompt",
    [
        "How do I delete a board?",
        "um, why was it closed",
        "what is a merge request",
        "what is an issue",
        "what are a team's tasks",
        "explain how it works",
        "how to delete a board",
        "how come it is closed",
        "Can an outside guest be invited to one channel?",
        "can a card have two owners",
        "what would happen if I refunded the order",
        "what happens when I archive a channel",
        "what will happen if the card is declined",
        *(f"how {word} one close a ticket" for word in ("does", "can", "should", "would", "could")),
    ],
)
def test_questions_for_an_explanation(prompt: str) -> None:
    """Openers before the question don't hide it."""
    assert asks_for_explanation(words_of(prompt))


@pytest.mark.parametrize(
    "prompt",
    [
        "how many tickets are open?",
        "what is the balance",
        "show me how it went",
        "can the card be moved",
        "what happens at noon",
        "what will happen tomorrow",
    ],
)
def test_questions_for_data(prompt: str) -> None:
    """Who asks for figures or things wants them looked up."""
    assert not asks_for_explanation(words_of(prompt))
