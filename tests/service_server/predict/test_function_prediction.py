"""Which function a prompt asks for, and when none is offered."""

from typing import Any

import pytest
from attrs import evolve

from service_client.models import FunctionApp, FunctionMeta
from service_server.predict.known_requests import shipped_requests
from service_server.predict.predictor import Predictor
from service_server.predict.reader.reader import Reader
from tests.service_server.predict.catalogue import CATALOGUE, candidate, text
from tests.service_server.predict.conftest import chosen, chosen_name


@pytest.fixture(scope="module", params=["model", "words"])
def predictor(request: pytest.FixtureRequest) -> Predictor:
    """The prediction as production has it, and as it is where no model is installed."""
    if request.param == "words":
        return Predictor(CATALOGUE)
    return Predictor(CATALOGUE, reader=request.getfixturevalue("installed_reader"), requests=shipped_requests())


# A well-known app that a request is only about, or one in quotation marks, does not keep it from being understood.
ASKED_FOR = {
    "sandbox-list-projects": ["Show me all projects"],
    "sandbox-list-tickets": [
        "list the tickets",
        "show me the open tickets",
        "What tickets are there?",
        "Show the first 5 closed tickets",
    ],
    "sandbox-get-ticket": ["Get ticket 42"],
    "sandbox-create-ticket": [
        *('Create a ticket titled "Printer is broken" with high priority', "create ticket: the login button is dead"),
        *("Could you please open a private ticket called Crash on start?", 'New ticket "VPN" priority=urgent'),
        *("Create a ticket about the Zendesk outage", 'Create a ticket titled "GitHub is slow"'),
    ],
    "sandbox-update-ticket": ["Change the priority of ticket 12 to low", "make ticket 12 urgent"],
    "sandbox-close-ticket": ["Close ticket 17", "Let's close ticket 17"],
    "sandbox-delete-ticket": ["delete the ticket 17", "remove ticket number 9", "Get rid of ticket 9"],
    "sandbox-add-comment": [
        *("Add a comment to ticket 7 saying we are looking into it", "comment on ticket 7: fixed in the next release"),
        'comment "Thanks, fixed" on the ticket 7',
    ],
    "github-create-issue": ["File a bug in acme/web on GitHub: login button is dead"],
    "github-list-issues": ["Which closed issues does acme/web have on GitHub?"],
    "github-get-issue": ["get issue 12 of acme/web"],
    "github-merge-pull-request": ["Merge pull request 12 of acme/web with squash"],
    "github-create-repository": ["Create a private repo called notes"],
    "github-delete-repository": ["Delete the repository acme/old"],
    "github-search-repositories": ["find repositories about vector databases"],
    "teamchat-send-message": [
        'Post "deploy finished" in #releases',
        "Tell the #ops channel that the server is back up",
    ],
    "teamchat-schedule-message": ["Schedule a message to #general tomorrow at 9am: standup is cancelled"],
    "teamchat-list-users": ["List the people in team chat"],
    "teamchat-search-messages": ['search messages for "budget 2025"'],
    "teamchat-archive-channel": ["Archive the channel C024BE91L"],
    "agenda-create-event": [
        "Put a meeting called Budget review on my calendar on Friday at 3pm",
        'Add an event "Lunch with Sam" tomorrow at noon',
    ],
    "agenda-list-events": ["What events do I have tomorrow?"],
    "agenda-delete-event": ["Cancel the meeting abc123"],
    "sandbox-passthrough-request": ["Send a raw API request to Sandbox Tickets"],
}


@pytest.mark.parametrize(("name", "prompt"), [(name, prompt) for name, those in ASKED_FOR.items() for prompt in those])
def test_request_finds_its_function(predictor: Predictor, name: str, prompt: str) -> None:
    """A plain request finds the function that does what it asks."""
    assert name == chosen_name(predictor, prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        *("", "   ", "?!", "🙂", "hello", "Hello, how are you?", "Thanks, that's all", "tell me a joke"),
        *("What's the weather on Mars?", "What is the capital of France?", "Create a poem about autumn", "把灯关掉"),
        *("Order a pizza margherita", "Book a flight from Rome to Oslo next Tuesday", "Set a timer for 5 minutes"),
        *("turn off the lights", "open the pod bay doors", "I lost my train ticket", "buy a ticket to the concert"),
        *("show me the money", "Merge the two lists"),
        # A verb that any function may have says nothing about which one is meant.
        *("list", "add", "create", "delete", "update it", "please do it", "show everything", "Delete everything"),
        # A request for a well-known app that the catalogue lacks is not carried out in another app.
        *("Create a card on my Trello board", "create a ticket in Zendesk", "Add a Jira issue for the checkout bug"),
        *("List the Asana projects", "Delete the Linear issue 12"),
        # A question what something is or how it is done asks for no operation.
        *("What is a ticket?", "How do I write a good issue?", "Explain how tickets work"),
    ],
)
def test_what_nothing_does_finds_nothing(predictor: Predictor, prompt: str) -> None:
    """It is answered with nothing, not with the least bad function."""
    assert chosen(predictor, prompt) is None


def test_named_app_excludes_the_others(predictor: Predictor) -> None:
    """A named app of the catalogue limits the choice to its functions."""
    prediction = chosen(predictor, "Create an issue on GitHub and call it a ticket")

    assert prediction is not None
    assert {"github"} == {name.partition("-")[0] for name in (prediction.name, *_names(prediction.alternatives))}


NEVER = {
    # To delete, show or close something is not to create one.
    "create": [
        *("delete the ticket 17", "remove the issue in acme/web", "Please remove the comment from ticket 5"),
        *("show ticket 17", "close ticket 17", "Don't create a ticket"),
    ],
    # What deletes is offered only to a prompt that plainly asks to delete that very thing.
    "delete": [
        *("Create a ticket about deleting old files", "show the ticket 17", "ticket 17", "Don't delete ticket 17"),
        *("never delete the repository acme/old", "delete everything in acme/web", "delete acme/web"),
        *('Create a ticket titled "delete the repository"', "Please remove the comment from ticket 5"),
        *("delete bob@example.org", "How do I delete a ticket?"),
    ],
    # What a prompt asks not to do is not done.
    "merge": ["Don't merge pull request 12 of acme/web", "never merge pull request 12"],
    # The free-form function is not offered to those who do not ask for it by name.
    "passthrough": ["Send a ticket request to the sandbox tickets app", "request the tickets"],
}


@pytest.mark.parametrize(("never", "prompt"), [(never, prompt) for never, those in NEVER.items() for prompt in those])
def test_what_is_not_asked_for_is_not_offered(predictor: Predictor, never: str, prompt: str) -> None:
    """Another function may be, or none."""
    assert never not in (chosen_name(predictor, prompt) or "")


def test_flagged_function_counts_as_destructive() -> None:
    """A function that its connector flags as destructive needs its own verb, not one like it."""
    purge = candidate("sandbox-add-purge-job", "mutation", "Add a purge job", "Erases data.", {"scope": text()})
    app = FunctionApp(name="sandbox", title="Sandbox Tickets", icon_url="")
    meta = FunctionMeta(app=app, title="Add a purge job", type="mutation", destructive=True)
    flagged = evolve(purge, function=evolve(purge.function, meta=meta))

    assert chosen(Predictor([purge]), "create a purge job") is not None
    assert chosen(Predictor([flagged]), "create a purge job") is None
    assert chosen(Predictor([flagged]), "add a purge job") is not None


def test_choice_is_limited_to_the_given_names(predictor: Predictor) -> None:
    """Only the functions the caller allows are offered, as answer and as alternatives."""
    allowed = {"sandbox-update-ticket", "sandbox-add-comment"}
    prediction = chosen(predictor, "Change ticket 12 to low priority", among=allowed)

    assert prediction is not None
    assert allowed >= {prediction.name, *_names(prediction.alternatives)}
    assert chosen(predictor, "Create a ticket", among=frozenset()) is None


def test_confidence_orders_the_alternatives(predictor: Predictor) -> None:
    """There are at most four alternatives, none the answer itself, none likelier than what stands before it."""
    for prompt in ("Create a ticket", "list the issues of acme/web", "show me the open tickets", "send a message"):
        prediction = chosen(predictor, prompt)

        assert prediction is not None
        figures = [prediction.confidence, *(alternative.confidence for alternative in prediction.alternatives)]
        assert sorted(figures, reverse=True) == figures
        assert 1 >= figures[0] > figures[-1] >= 0
        assert 4 >= len(prediction.alternatives)
        assert prediction.name not in _names(prediction.alternatives)


def test_clearer_prompt_has_more_confidence(predictor: Predictor) -> None:
    """A prompt that names the app as well is surer than one that only nearly matches."""
    clear = chosen(predictor, "Create an issue on GitHub in acme/web")
    vague = chosen(predictor, "merge acme/web")

    assert clear is not None
    assert vague is None or clear.confidence > vague.confidence


def test_example_prompts_are_learnt() -> None:
    """The words of a connector's example prompts find its function, though its own texts lack them."""
    plain = candidate("sandbox-create-absence", "mutation", "Create an absence", "", {"note": text()})
    taught = evolve(plain, examples=(("create a holiday for next week", {}),))

    assert chosen(Predictor([plain]), "create a holiday") is None
    assert chosen(Predictor([taught]), "create a holiday for an absence") is not None


@pytest.mark.parametrize("prompt", ["hey folks, I'm back", "hiya, back again", "morning!"])
def test_a_greeting_asks_for_nothing(prompt: str, installed_reader: Reader) -> None:
    """Whoever is back wants nothing to be resumed by that, whatever the model makes of it."""
    title, description = "Resume notifications", "Resume notifications, when back."
    resume = candidate("slack-resume-notifications", "mutation", title, description)
    predictor = Predictor([resume], reader=installed_reader, requests=shipped_requests())

    assert chosen(predictor, prompt) is None
    assert chosen(predictor, "resume notifications in slack") is not None


def test_connected_app_is_likelier_meant(installed_reader: Reader) -> None:
    """Where no app is named, one that the user has connected comes first; a named one stays the named one."""
    apps = ("slack", "teamchat")
    names = [f"{app}-send-message" for app in apps]
    messages = [
        candidate(name, "mutation", "Send a message", "Send (post) a message to a channel.", {"text": text()})
        for name in names
    ]
    predictor = Predictor(messages, reader=installed_reader)

    for app, name in zip(apps, names, strict=True):
        ranking = predictor.rank_functions("send the message hello to the channel lobby", connected={app})
        assert name == ranking.functions[0].name
        assert ranking.fits
    named = predictor.rank_functions("send the message hello to the Slack channel lobby", connected={"teamchat"})
    assert "slack-send-message" == named.functions[0].name


def test_form_of_a_value_speaks_for_what_takes_it(installed_reader: Reader) -> None:
    """A repository's name speaks for functions of repositories, though another's words are as near."""
    issue = candidate("github-close-issue", "mutation", "Close an issue", "Close an issue.", {"repo": text()})
    ticket = candidate("sandbox-close-issue", "mutation", "Close an issue", "Close an issue.", {"id": text()})
    predictor = Predictor([ticket, issue], reader=installed_reader)

    assert "github-close-issue" == predictor.rank_functions("close issue 12 in acme/web").functions[0].name


def test_empty_catalogue_predicts_nothing() -> None:
    """Without functions nothing fits."""
    assert chosen(Predictor([]), "Create a ticket") is None


@pytest.mark.parametrize("prompt", ["list the tickets", "delete the ticket 17", "what is the weather like?"])
def test_an_explanation_says_what_was_decided(predictor: Predictor, prompt: str) -> None:
    """The same functions with the same confidence; the verdict is the decision, and the signals add up to it."""
    ranking, why = predictor.rank_functions(prompt), predictor.explain(prompt)

    assert ranking.fits == (why.verdict == "fits")
    assert [(each.name, each.confidence) for each in ranking.functions[:1]] == [
        (each.name, each.confidence) for each in why.functions[:1]
    ]
    for each in why.functions:
        assert each.accepted <= (each.confidence >= each.threshold)
    sums = {each.confidence: sum(signal.counts for signal in each.signals) for each in why.functions}
    assert sorted(sums) == sorted(sums, key=sums.__getitem__)


@pytest.mark.parametrize(
    ("prompt", "verdict", "mood"),
    [
        ("how do I create a ticket?", "asks_how", "question"),
        ("why was ticket 17 deleted?", "asks_how", "question"),
        ("list the tickets in Frobnicator Desk", None, "command"),
    ],
)
def test_an_explanation_says_how_a_prompt_was_read(
    predictor: Predictor, prompt: str, verdict: str | None, mood: str
) -> None:
    """Its mood, and why there is nothing to offer."""
    why = predictor.explain(prompt)

    assert mood == why.mood
    assert verdict in (None, why.verdict)


def test_what_is_near_but_not_commanded_is_named(installed_reader: Reader) -> None:
    """A statement about a deletion comes near deleting, which it must never do."""
    why = Predictor(CATALOGUE, reader=installed_reader).explain("ticket 17 was deleted yesterday")

    assert "sandbox-delete-ticket" in why.refused
    assert "sandbox-delete-ticket" not in [each.name for each in why.functions]


def _names(alternatives: Any) -> list[str]:
    return [alternative.name for alternative in alternatives]
