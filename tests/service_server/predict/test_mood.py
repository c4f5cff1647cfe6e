"""How a prompt is meant, by the grammar of its main clause."""

import pytest

from service_server.predict.mentions import find_quotations
from service_server.predict.mood import MainClause, Mood, main_clause
from service_server.predict.questions_of_how import asks_for_explanation
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
        *("Delete the board Marketing", "please close ticket 12 in Zendesk"),
        *("Could you please move the standup to 10?", "hey, can you send Ana the invoice"),
        *("I need to cancel my meeting with the dentist", "I'd like to archive the channel old-stuff"),
        *("The login page is broken, open an issue in acme/web", "Ticket 9 is spam. Delete it."),
        *("if you have a minute, post the notes in #team", "airtable: add a row to Guests"),
        *("Don't delete the card, archive it", "Why don't you invite Ben to the channel", "torch the acme/old repo"),
        *('have "Doors open at 9" posted to #lobby', "Bob said that he is done. Close ticket 12."),
        *("let's close ticket 12", "Let’s delete the board", "stop the timer", "the customer left, close ticket 12"),
        *("gotta Ana invited", "need a room for tomorrow", "zap up the boards", "leave a comment on ticket 7"),
        *("if you can, close ticket 12", "if possible, close ticket 12", "whenever ready, close ticket 12"),
        *("after lunch, close ticket 12", "is it possible to close ticket 12"),
        *("would you be so kind as to close ticket 12", "I'd love to delete the board, not the card"),
        *("I'd love to delete the board but keep the card", "tell Ana about ticket 12", "check with Ana"),
        *("do the transition 31", "have the ticket closed", "have ticket 12 closed", "message Will about the outage"),
        *("message will about the outage", "book do not disturb", "list have not", "post can be seen"),
        *("invite may to the channel", "torch all", "flibber it", "nuke up the boards", "(close ticket 12)"),
        *("server down... close ticket 12", "the server is down - close ticket 12"),
        *("the lead Test must be deleted", "it can go now", "this board may be archived, thanks"),
        *("the ticket 12 and its notes have to be closed for tax", "in the sheet Eggs remove the tab Ducks, it's old"),
        *("I would be most grateful if you could close ticket 12", "It exists a ticket 12, please to close it"),
        *("that thread Rules can go in the trash", "the list Ideas may be put away", "The board Test please delete"),
        *("it'd be great if you would close ticket 12", "the board was a test, do away with it"),
        *("let #general know that we close at six", "suspend payments of sub_8 and don't bill it"),
        *("no pings in Slack for an hour", "no notifications until noon"),
        *("do not disturb in Teams for an hour", "don't disturb me until noon", "please do not disturb"),
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


NO_COMMANDS = {
    Mood.LABEL: [
        *("", "please", "such a nice day", "after lunch", "two burgers, no onions", "two burgers, not"),
        *("no more texts", "lunch with left handers", "team building on friday", "the board called Plans"),
        *("if you can, fresh ticket: printer on fire", "when you can, fresh ticket: printer on fire"),
        *("once you can, fresh ticket: printer on fire", "whenever you can, fresh ticket: printer on fire"),
        *("if possible, fresh ticket: printer on fire", "lunch with Ana, not in my calendar"),
        *("the plan for next week: add a row to Guests", "torch no boards", "green ticket, blue ticket"),
        *("fresh ticket: printer on fire", "lunch with Ana tomorrow at noon"),
    ],
    Mood.WISH: [
        *("the ticket should be in Done that was deleted", "notes are shown to the customer"),
        *("comments is the new board", "the ticket needs an owner", "the page Plans should be called Old plans"),
        *("WEB-12 goes to In Review", "merge request 12 goes to Ana", "the ticket 12 should be deleted"),
        *("the board must go to Ana", "ticket 4420 is solved", "the deal Boat for Hire is now lost"),
    ],
    Mood.QUESTION: [
        *("could you", "tell me about ticket 12", "let me know about ticket 12", "check with me about ticket 12"),
        *("I want to know the tickets", "when can we close it", "when is the meeting", "do we have tickets"),
        *("do tickets exist", "have tickets been closed", "have we closed it"),
        *("under the new rules do we close tickets", "should I do this: delete the board"),
        *("Is it done? It was closed.", "how do I delete a board?", "um how would one undo a refund"),
        *("was the invoice voided?", "Can I merge without a review?", "with the free plan can we delete messages"),
        "should I close the issue, archive it or keep it?",
    ],
    Mood.STATEMENT: [
        *("order 2210 came with two lamps too few", "order #12 was late"),
        *("re: close ticket 12", "Fwd: close ticket 12", "RE : delete it", "Ana deleted it: close ticket 12"),
        *("the reply was: delete it all", "the client says, close ticket 12", "maybe tomorrow, close ticket 12"),
        *("I would love it, close the ticket", "when I can I will close it", "if I can close ticket 12"),
        *("if it breaks", "after lunch was served", "I'd love it but no", "update has been made", "closed the ticket"),
        *("creating a ticket", "ticket 12 sent", "ticket 12 means trouble"),
        *("It was closed. The page should be in Done.", "she deleted the ticket", "WEB-88 drives me crazy"),
        *("Our intern cancelled the subscription last night", "the repository was deleted by mistake"),
        *("I would delete the board if it were mine", "if the tests fail, revert the commit"),
        *("the boss said, delete everything", "maybe we need another channel", "thinking of closing the shop"),
        *("I'd love to purge the queue but they say no", "Ove will move the card Speech himself"),
        *("the invoice can be voided within a day", "a board must be closed", "the board must be closed by Ana"),
        *("Farid takes over ticket 12 when he is back", "Mia solved ticket 12 before lunch"),
        *("Ana says the lead must be deleted", "they must never be deleted", "let me think"),
        *("the board can be closed once it's empty", "the board must have been closed"),
        *("I've sent the draft to Ana, you can relax", "the footer is fixed since noon", "ticket 12 was solved"),
    ],
    Mood.DENIAL: [
        *("not", "stop deleting", "leave it", "stop deleting my emails", "quit closing the tickets"),
        *("do not close the ticket", "hold off closing ticket 12", "hold on with ticket 12", "leave it as it is"),
        *("the weekly report, not publishing it", "the weekly report, not delete"),
        *("the weekly report, don't publish it", "tickets never close", "the customer did not close it"),
        *("Don't close it. Is it done?", "don't delete the Trello board", "please never merge that branch"),
        "no pings, just a ticket",
        *("leave ticket 7 alone", "keep the meeting, don't cancel it"),
    ],
}


@pytest.mark.parametrize(
    ("mood", "prompt"), [(mood, prompt) for mood, prompts in NO_COMMANDS.items() for prompt in prompts]
)
def test_what_is_no_command(mood: Mood, prompt: str) -> None:
    """What asks, tells, supposes, denies, or only names something."""
    assert mood == mood_of(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        *("How do I delete a board?", "um, why was it closed", "what is a merge request", "what is an issue"),
        *("what are a team's tasks", "explain how it works", "how to delete a board", "how come it is closed"),
        *("Can an outside guest be invited to one channel?", "can a card have two owners"),
        *("what would happen if I refunded the order", "what happens when I archive a channel"),
        *("what will happen if the card is declined", "how does one close a ticket", "how can one close a ticket"),
        *("what's the difference between a label and a tag", "is a bucket the same as a database"),
        *("is there a way to hide closed tickets", "how many boards does it allow", "how many fit in a meeting"),
        *("how many people can share a board for free", "how big may a file be", "what does a text cost"),
        *("how should one close a ticket", "how would one close a ticket", "how could one close a ticket"),
    ],
)
def test_questions_for_an_explanation(prompt: str) -> None:
    """Openers before the question don't hide it."""
    assert asks_for_explanation(words_of(prompt))


@pytest.mark.parametrize(
    "prompt",
    [
        *("how many tickets are open?", "what is the balance", "show me how it went", "can the card be moved"),
        *("how many tickets can I see", "what does the subscription cost"),
        *("what happens at noon", "what will happen tomorrow", "is there a ticket of Ana's"),
    ],
)
def test_questions_for_data(prompt: str) -> None:
    """Who asks for figures or things wants them looked up."""
    assert not asks_for_explanation(words_of(prompt))
