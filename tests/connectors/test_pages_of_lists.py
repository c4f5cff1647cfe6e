"""Lists of the shipped connectors are read to their end where their vendors describe how."""

import pytest
from attrs import evolve

from service_server.catalog.values import Connector, FunctionDefinition
from tests.connectors.building import arguments_of, connector_of, request_of
from tests.connectors.descriptions.sent import Sent
from tests.connectors.descriptions.table import own_functions
from tests.connectors.test_vendors import DESCRIBED, REGISTERED, judge_of

pytestmark = pytest.mark.slow

# What vendors call the place at which a list goes on.
PLACES = {
    **dict.fromkeys(("offset", "page", "start", "startAt", "skip"), "1"),
    **dict.fromkeys(("after", "before", "bookmark", "continuationToken", "cursor", "marker", "next_page_token"), "x"),
    **dict.fromkeys(("page_token", "pageToken", "start_cursor", "starting_after", "nextPageToken"), "x"),
}
# Functions that give all at once though their app has a place to go on at.
WHOLE = {
    "asana-list-custom-fields": "no project has a hundred of them",
    "bamboohr-list-whos-out": "`start` is a day",
    "box-get-folder": "what is in it is listed by another",
    "clickup-list-comments": "needs a moment and an id at once, and says that it gives the latest",
    "confluence-find-pages": "says that it gives up to 100",
    "confluence-search": "says that it gives up to 100",
    "discord-list-bans": "has a parameter for it",
    "discord-list-members": "has a parameter for it",
    "discord-list-messages": "has parameters for it",
    "discord-list-servers": "few bots are in more than 200",
    "google_calendar-list-people": "counts the people of 2,500 events",
    "jira-find-users": "is a search for one",
    "jira-list-assignable-users": "is a search for one",
    "paypal-get-payout": "is about one",
    "sentry-get-event-counts": "`start` is a day",
}


def goes_on(app: str, connector: Connector, function: FunctionDefinition) -> bool:
    """Whether the description of an app takes a place to go on at, where the function as we send it has none."""
    judge, request = judge_of(app), request_of(connector, function, arguments_of(function)[0])
    if request.method != "GET" or list(judge.faults(Sent.of(request))):
        return False
    joined = f"{request.url}{'&' if '?' in request.url else '?'}"
    return any(
        not list(judge.faults(Sent.of(evolve(request, url=f"{joined}{name}={value}"))))
        for name, value in PLACES.items()
    )


@pytest.mark.parametrize("app", DESCRIBED)
def test_lists_have_pages(app: str) -> None:
    """Nothing is out of reach behind the first page of a list; what gives all at once says why."""
    connector = connector_of(app)
    found = {
        f"{app}-{name}"
        for name in own_functions(connector)
        if (function := connector.functions[f"{app}-{name}"]).type == "query"
        and function.pagination is None
        and function.look_up is None
        and name not in REGISTERED[app].undescribed
        and goes_on(app, connector, function)
    }

    assert {each for each in WHOLE if each.startswith(f"{app}-")} == found
