"""Whether a function does what a prompt asks: its verb, what that is about, and that a change is commanded."""

from datetime import UTC, datetime

import pytest
from attrs import evolve

from service_client.models import FunctionType
from service_server.predict.fitness import (
    aimed_object,
    asks_for_raw_request,
    is_commanded,
    lacking_values,
    may_be_asked_for,
    verb_fit,
)
from service_server.predict.mood import Mood
from service_server.predict.profiles import Profile, profile_of
from service_server.predict.reading import Reading, read
from tests.service_server.predict.catalogue import candidate, text

NOW = datetime(2026, 11, 25, 12, tzinfo=UTC)


def reading(prompt: str) -> Reading:
    """A prompt that has been read."""
    return read(prompt, NOW)


def profile(action: str, kind: FunctionType = "mutation", required: int = 0, *, destructive: bool = False) -> Profile:
    """A function of the ticket app."""
    names = [f"field{number}" for number in range(required)]
    fields = {name: text() for name in names}
    title = action.replace("-", " ").capitalize()
    found = profile_of(candidate(f"sandbox-{action}", kind, title, "", fields, tuple(names)))
    return evolve(found, destructive=found.destructive or destructive)


@pytest.mark.parametrize(
    ("expected", "action", "prompt"),
    [
        (True, "create-ticket", "create a ticket"),
        (True, "create-ticket", "new ticket: printer broken"),
        (True, "close-ticket", "ticket 12 should be in Done"),
        (False, "close-ticket", "how do I close a ticket?"),
        (False, "close-ticket", "she closed the ticket"),
        (False, "create-ticket", "don't create a ticket"),
        (True, "delete-ticket", "delete the ticket 12"),
        (False, "delete-ticket", "ticket 12 should be deleted"),
        (False, "delete-ticket", "unwanted ticket: printer broken"),
        (False, "delete-ticket", "create a ticket"),
        (False, "delete-ticket", "take ticket 12 off the board for good but don't erase it"),
        (False, "delete-ticket", "get rid of ticket 12 on the board without deleting it"),
        (True, "remove-ticket", "take ticket 12 off the board without deleting it"),
        (True, "delete-ticket", "delete ticket 12 but don't delete the board"),
        (False, "delete-contact", "take Ana out of the onboarding series"),
        (True, "delete-contact", "take the contact Ana out of the list"),
        (True, "delete-contact", "take Ana out of sandbox"),
        (True, "remove-from-list", "take Ana off the list Leads"),
        (True, "remove-member-from-card", "kick Bob off the card Sink"),
        # What gives all of it back doesn't serve for a part.
        (True, "refund-order", "refund order 12"),
        (False, "refund-order", "refund half of order 12"),
        (False, "refund-order", "refund $20 of order 12"),
        (False, "delete-issue", "bring WEB-12 back out of the trash"),
        (False, "archive-ticket", "get ticket 12 out of our archive"),
        (False, "create-release", "delete release 12"),
        (False, "delete-branch", "delete the branch main, but only once the tests are green"),
        (False, "delete-branch", "delete the branch main as soon as it's merged"),
        # What is asked for later isn't done now; a day may tell which meeting is meant.
        (False, "cancel-subscription", "cancel Maria's subscription at the end of the month"),
        (False, "cancel-subscription", "cancel the subscription when her trial ends"),
        (False, "delete-repository", "delete the repository acme/web next week"),
        (False, "delete-project", "delete the project in 30 days"),
        (True, "delete-meeting", "delete the meeting with Bob next Monday"),
        (True, "delete-invoice", "delete the invoice that is due next week"),
        (True, "create-release", "release 12 is ready, delete nothing but make it"),
        (True, "unshare-file", "remove the file 12 from ana"),
        (True, "archive-ticket", "archive ticket 12 that came back from the customer"),
    ],
)
def test_a_change_has_to_be_commanded(expected: bool, action: str, prompt: str) -> None:
    """Or wished for; one that can't be undone is only done where it is commanded, by a verb that means it."""
    assert expected == is_commanded(profile(action), reading(prompt))


@pytest.mark.parametrize("prompt", ["how many tickets are there?", "don't list the tickets", "tickets", "she left"])
def test_a_query_may_always_be_asked_for(prompt: str) -> None:
    """It changes nothing."""
    assert is_commanded(profile("list-tickets", "query"), reading(prompt))


def test_what_is_not_to_be_erased_stays_whatever_the_sense() -> None:
    """However much a prompt sounds like a request."""
    spared = reading("pull ticket 12 off the board but don't delete it")

    assert not may_be_asked_for(profile("delete-ticket"), spared, asking=9.0)
    assert may_be_asked_for(profile("remove-ticket"), spared, asking=9.0)


@pytest.mark.parametrize(
    "prompt", ["please wait for me before you close ticket 12", "would you close ticket 12 if you were me?"]
)
def test_what_is_to_wait_or_only_asked_for_advice(prompt: str) -> None:
    """Whatever its sense, it changes nothing; what only reads may be asked for."""
    assert not may_be_asked_for(profile("close-ticket"), reading(prompt), 9.0)
    assert may_be_asked_for(profile("get-ticket", "query"), reading(prompt), 9.0)


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("delete him from the project, ticket and all", True),
        ("call off the ticket 12", True),
        ("the ticket ends now, not at the end of the month. delete it", True),
        ("throw all out and delete the ticket", True),
        ("take Ana off the ticket", False),
        ("take printer on fire off the list", True),
        ("throw out that broken printer from the lottery", True),
        ("take Ana out of the onboarding series", False),
    ],
)
def test_what_goes_as_a_whole(prompt: str, expected: bool) -> None:
    """Behind a comma, a particle of the verb, or another order, it isn't only what something is taken from."""
    assert expected == is_commanded(profile("delete-ticket", destructive=True), reading(prompt))


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("archive the ticket", False),
        ("the ticket 12 is to be archived", False),
        ("unarchive the ticket", True),
        ("get the ticket back out of the archive", True),
        ("the ticket shouldn't be in the archive any more", True),
    ],
)
def test_what_undoes_something_is_asked_for_in_its_words(prompt: str, expected: bool) -> None:
    """What is to be archived isn't taken out of the archive."""
    assert expected == may_be_asked_for(profile("unarchive-ticket"), reading(prompt), 9.0)


def test_what_comes_out_of_the_trash_of_an_app() -> None:
    """Its trash is no verb."""
    assert not is_commanded(profile("delete-ticket"), reading("fish ticket 12 out of the Box trash"))


@pytest.mark.parametrize(
    ("action", "prompt"),
    [
        ("invite-user", "kick ana@example.com out of the room"),
        ("add-label", "take the label it-help off ticket 12"),
        ("approve-change", "take back my approval of change 9"),
        ("unassign-ticket", "unarchive ticket 12"),
        ("archive-ticket", "unarchive ticket 12"),
        ("associate-records", "the two have nothing in common, so untie them"),
        ("subscribe-contact", "stop the series for Bo, he has answered"),
        ("delete-ticket", "ticket 198 was no spam, undelete it"),
        ("delete-contact", "take Ana off the list"),
        ("delete-contact", "take off Ana from the list"),
        ("close-ticket", "un-close ticket 12"),
        ("delete-post", "unpublish the post Christmas hours"),
        ("merge-contacts", "split Jon Baird back into two contacts"),
        ("create-refund", "take the refund for order 12 back, he shall pay after all"),
        ("buy-number", "give our number +44 20 7946 0123 back"),
        ("send-message", "as soon as everyone is there, send a message to Ana"),
        ("delete-file", "I deleted the file Budget, fetch it from the recycle bin"),
        ("unassign-ticket", "delete ticket 12, I made it by accident"),
        ("publish-form", "close the form Summer party"),
        ("publish-page", "take the page About us offline"),
        ("add-member", "ana@example.com has unsubscribed, put that down"),
        ("subscribe-contact", "ana@example.com wants off the list Offers"),
        ("update-ticket", "ticket 12 is almost done, says Birgit"),
        ("archive-channel", "Bela, please archive #old yourself"),
        ("unassign-ticket", "take down my rant about ticket 12"),
        ("unban-user", "chuck @olaf out of the room, he may come back"),
    ],
)
def test_the_opposite_is_not_asked_for(action: str, prompt: str) -> None:
    """Whatever its sense: nobody is invited who is to go, and nothing is deleted that is to come back."""
    assert not may_be_asked_for(profile(action), reading(prompt), 9.0)


@pytest.mark.parametrize(
    ("action", "prompt"),
    [
        ("invite-user", "invite ana@example.com and kick nobody out of the room"),
        ("unassign-ticket", "unassign ticket 12"),
        ("untag-ticket", "delete the tag urgent from ticket 12"),
        ("publish-form", "publish the form Close to you"),
        ("update-ticket", "ticket 12 is almost done, say so there"),
        ("restore-ticket", "ticket 198 was no spam, undelete it"),
        ("approve-change", "approve change 9, and take your time"),
        ("delete-message", "unsend the message to Ana"),
        ("void-invoice", "unpaid invoice 12: void it"),
        ("remove-guests", "take Rolf off the Tuesday call"),
        ("delete-message", "unsay the wrong price"),
        ("delete-file", "the file Script is long out of date, bin it"),
        ("merge-contacts", "merge the two contacts called Split"),
        ("send-message", "once you can, send a message to Ana"),
        ("delete-ticket", "delete ticket 12, I'll restore it from the backup if need be"),
    ],
)
def test_what_only_sounds_like_the_opposite(action: str, prompt: str) -> None:
    """What comes first is what is asked for."""
    assert may_be_asked_for(profile(action), reading(prompt), 9.0)


@pytest.mark.parametrize(
    ("expected", "prompt"),
    [
        (False, "Kasia, take ticket 12 please"),
        (False, "Owen, can you close ticket 12 today"),
        (False, "close ticket 12, or no, leave it"),
        (False, "close ticket 12... wait, forget it"),
        (False, "close ticket 12 - never mind!"),
        (False, "tell Eva as soon as ticket 12 is there"),
        (False, "call the customer of ticket 12"),
        (False, "every time Ana signs, close a ticket"),
        (False, "whenever a build fails, close ticket 12"),
        (False, "when the invoice is paid, close ticket 12"),
        (False, "ticket 12 came with two lamps too few, they say"),
        (False, "Ana, can you put that ticket on the list"),
        (True, "Sorry, can you close ticket 12"),
        (False, "close ticket 12 when Friday comes"),
        (False, "close ticket 12 as soon as Ana's train is there"),
        (True, "when you have a minute, close ticket 12"),
        (False, "ring Dr. Park back about ticket 12"),
        (True, "call ticket 12 closed"),
        (True, "Great, close ticket 12"),
        (True, "Tomorrow, remind me to close ticket 12"),
        (True, "Roof, list Insurer, close ticket 12"),
        (True, "Yoga, close it"),
        (True, "leave it and close ticket 12"),
    ],
)
def test_what_nobody_here_is_to_do(expected: bool, prompt: str) -> None:
    """Somebody else is called by name, or it is taken back, or has to wait for another."""
    assert expected == may_be_asked_for(profile("close-ticket"), reading(prompt), 9.0)


def test_an_app_may_be_called_by_its_name() -> None:
    """It is the app that is to do it."""
    own = evolve(profile("close-ticket"), app_words=frozenset({"jira"}))
    assert may_be_asked_for(profile("make-call"), reading("call +34 600 111 222"), 9.0)

    assert may_be_asked_for(own, reading("Jira, close ticket 12"), 9.0)
    assert not may_be_asked_for(own, reading("Mira, close ticket 12"), 9.0)


@pytest.mark.parametrize(
    ("expected", "prompt"),
    [
        (False, "publish invoice 12 once the goods have arrived"),
        (False, "publish invoice 12 as soon as forty people have paid"),
        (True, "publish invoice 12 at once"),
    ],
)
def test_what_nobody_can_wait_for_is_too_early(expected: bool, prompt: str) -> None:
    """A function that takes no words of somebody's own can't have been told them."""
    assert expected == may_be_asked_for(profile("publish-invoice"), reading(prompt), 9.0)


def test_a_text_may_say_when() -> None:
    """Then it is part of what is sent."""
    told = reading("tell Ana to come once the goods have arrived")

    assert may_be_asked_for(evolve(profile("send-message"), writes=True), told, 9.0)


@pytest.mark.parametrize(
    ("expected", "prompt"),
    [
        (False, "delete the repository acme/web"),
        (True, "delete the branch main of the repository acme/web"),
        (True, "delete old-main in the repository acme/web, please"),
        (True, "scrap old-main from the repository acme/web"),
    ],
)
def test_no_part_goes_for_the_whole(expected: bool, prompt: str) -> None:
    """A branch isn't deleted where its repository is to go."""
    branch = evolve(profile("delete-branch", destructive=True), within=frozenset({"repositori"}))

    assert expected == may_be_asked_for(branch, reading(prompt), 9.0)


def test_a_merge_request_that_is_named_merges_nothing() -> None:
    """The words of what something is called ask for nothing, however near the function is by its sense."""
    named, commanded = reading("merge request 12 has my blessing"), reading("merge merge request 12")

    assert not may_be_asked_for(profile("merge-request"), named, asking=9.0)
    assert may_be_asked_for(profile("merge-request"), commanded, asking=9.0)
    assert may_be_asked_for(profile("approve-merge-request"), named, asking=9.0)
    assert may_be_asked_for(profile("merge-request"), reading("accept merge request 12, squash it"), asking=9.0)


def test_a_denied_verb_is_not_asked_for_in_any_mood() -> None:
    """Also where the sentence as a whole is read as a command."""
    denied = reading("close ticket 12")
    assert denied.asked is not None
    denied = evolve(denied, mood=Mood.COMMAND, asked=evolve(denied.asked, negated=True))

    assert not is_commanded(profile("close-ticket"), denied)
    assert 0.0 == verb_fit(profile("close-ticket"), denied)


@pytest.mark.parametrize(
    ("expected", "action", "kind", "prompt"),
    [
        (1.0, "create-ticket", "mutation", "create a ticket"),
        (0.8, "send-message", "mutation", "create a message"),
        (0.4, "update-ticket", "mutation", "create a ticket"),
        (0.0, "create-ticket", "mutation", "show the ticket"),
        (1.0, "list-tickets", "query", "show the tickets"),
        (0.0, "list-tickets", "query", "create a ticket"),
        (1.0, "delete-ticket", "mutation", "delete the ticket"),
        (0.4, "close-ticket", "mutation", "delete the ticket"),
        (0.0, "delete-ticket", "mutation", "update the ticket"),
        (0.0, "delete-ticket", "mutation", "close the ticket"),
        (1.0, "cancel-event", "mutation", "end the event"),
        (None, "list-tickets", "query", "tickets of the week"),
        (0.6, "create-ticket", "mutation", "tickets of the week"),
    ],
)
def test_how_well_a_verb_serves(expected: float | None, action: str, kind: FunctionType, prompt: str) -> None:
    """1 for the same kind of verb, less for a near one, nothing for another; a query needs none."""
    assert expected == verb_fit(profile(action, kind), reading(prompt))


@pytest.mark.parametrize(
    ("expected", "kind", "prompt"),
    [
        (0.9, "query", "show the weather"),
        (0.0, "query", "create the weather"),
        (0.6, "mutation", "create the weather"),
        (0.0, "mutation", "show the weather"),
    ],
)
def test_a_function_without_a_verb_of_its_own(expected: float, kind: FunctionType, prompt: str) -> None:
    """Its type says whether it reads or changes, with a little doubt."""
    assert expected == verb_fit(evolve(profile("weather", kind), verb=None), reading(prompt))


@pytest.mark.parametrize(
    ("expected", "action", "prompt"),
    [
        (1.0, "merge-pull-request", "merge pull request 12"),
        (1.0, "merge-pull-request", "merge pull request 12 like this"),
        (1.0, "merge-pull-request", "squash and merge pull request 12"),
        (0.0, "merge-pull-request", "don't merge pull request 12"),
        (0.0, "merge-pull-request", "a merge request"),
        (0.6, "approve-merge-request", "a merge request"),
        (0.0, "merge-merge-request", "merge request 12 has my blessing"),
        (0.6, "refund-charge", "charge for ann refunded"),
        (0.0, "refund-charge", "nothing of the kind"),
        (0.0, "refund-charge", ""),
    ],
)
def test_a_verb_that_is_in_no_class(expected: float, action: str, prompt: str) -> None:
    """The first word of the function's name asks for it, if it stands there as a verb; its object does a little."""
    assert expected == verb_fit(profile(action), reading(prompt))


def test_an_object_alone_never_asks_to_destroy() -> None:
    """Where the function can't be undone, its own word must be said."""
    assert 0.0 == verb_fit(profile("refund-charge", destructive=True), reading("charge for ann refunded"))
    assert 0.6 == verb_fit(profile("create-refund", destructive=True), reading("refund pi_3NfA2, she paid twice"))


@pytest.mark.parametrize(
    ("expected", "required", "prompt"),
    [
        (0, 0, "get ticket 12"),
        (0, 1, "get ticket 12"),
        (1, 2, "get ticket 12"),
        (2, 2, "get the ticket"),
        (0, 1, "1 2"),
    ],
)
def test_how_many_values_a_prompt_lacks(expected: int, required: int, prompt: str) -> None:
    """Of the required arguments; never less than none."""
    assert expected == lacking_values(profile("get-ticket", "query", required), reading(prompt))


@pytest.mark.parametrize(
    ("expected", "prompt"),
    [
        (True, "send a raw request"),
        (True, "a custom API request, please"),
        (True, "make an arbitrary request"),
        (True, "passthrough request to the app"),
        (False, "send a request"),
        (False, "send raw data"),
    ],
)
def test_a_raw_request_is_asked_for_by_name(expected: bool, prompt: str) -> None:
    """Both words are there."""
    assert expected == asks_for_raw_request(reading(prompt))


OBJECTS = frozenset({"ticket", "comment", "issu", "project", "invit", "assign"})


@pytest.mark.parametrize(
    ("expected", "prompt"),
    [
        ("comment", "remove the comment from the ticket"),
        ("comment", "remove the ticket comment"),
        ("comment", "Remove The Ticket Comment"),
        ("ticket", "remove the ticket Comment"),
        ("ticket", "remove all of the tickets in the project"),
        ("ticket", "remove the ticket of the project"),
        ("comment", "comment on ticket 7"),
        ("invit", "invite Ann to the project"),
        (None, "message about the ticket"),
        ("issu", "please can you close this issue"),
        (None, "remove it from the ticket"),
        (None, "turn the lights off"),
        (None, ""),
        ("ticket", "tickets of the week"),
        ("assigne", "remove the assignee"),
    ],
)
def test_what_the_verb_is_about(expected: str | None, prompt: str) -> None:
    """The last known object right behind it, and nothing behind the next preposition; by its own stem."""
    assert expected == aimed_object(reading(prompt), OBJECTS)
