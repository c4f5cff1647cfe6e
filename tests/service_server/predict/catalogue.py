"""A catalogue like a real one, for the tests of the prediction: tickets, code hosting, team chat and a calendar."""

from typing import Any

from service_client.models import Function, FunctionType, Parameters
from service_server.predict.candidate import Candidate

_TITLES = {
    "sandbox": "Sandbox Tickets",
    "github": "GitHub",
    "teamchat": "Team Chat",
    "agenda": "Agenda Calendar",
    "slack": "Slack",
}


def text(description: str = "", **keywords: Any) -> dict[str, Any]:
    """Return the schema of a string."""
    return {"type": "string", "description": description, **keywords}


def number(description: str = "", **keywords: Any) -> dict[str, Any]:
    """Return the schema of a number."""
    return {"type": "number", "description": description, **keywords}


def flag(description: str = "") -> dict[str, Any]:
    """Return the schema of a boolean."""
    return {"type": "boolean", "description": description}


def array(description: str = "", **items: Any) -> dict[str, Any]:
    """Return the schema of an array."""
    return {"type": "array", "description": description, "items": {"type": "string", **items}}


def function(
    name: str, description: str, required: tuple[str, ...], kind: FunctionType = "mutation", /, **properties: Any
) -> Function:
    """Return a function that takes the given arguments."""
    parameters = Parameters(properties=properties, required=required)
    return Function(name=name, description=description, parameters=parameters, type=kind)


def candidate(
    name: str,
    function_type: FunctionType,
    title: str,
    description: str,
    properties: dict[str, Any] | None = None,
    required: tuple[str, ...] = (),
    examples: tuple[tuple[str, dict[str, Any]], ...] = (),
) -> Candidate:
    """Return a function of the catalogue."""
    own = function(name, description, required, function_type, **properties or {})
    return Candidate(
        function=own, title=title, app_name=own.app_name, app_title=_TITLES[own.app_name], examples=examples
    )


_PROJECT = text("Id of the project; sandbox-list-projects lists the valid values.", title="Project")
_PRIORITY = text("How soon it is needed.", enum=["low", "medium", "high", "urgent"])
_REPOSITORY = {"owner": text("The account owner of the repository."), "repo": text("The name of the repository.")}
_TICKET = {"ticket_id": number("Number of the ticket.", multipleOf=1)}
_CHANNEL = text("The channel to post to; teamchat-list-channels lists the valid values.")

_SANDBOX = [
    candidate("sandbox-list-projects", "query", "List projects", "Returns all projects."),
    candidate(
        "sandbox-list-tickets",
        "query",
        "List tickets",
        "Returns the tickets of a project.",
        {
            "project_id": _PROJECT,
            "status": text("Only tickets with this status.", enum=["open", "in_progress", "closed"]),
            "limit": number("How many tickets to return.", multipleOf=1, minimum=1, maximum=100),
        },
    ),
    candidate("sandbox-get-ticket", "query", "Get a ticket", "Returns one ticket.", _TICKET, ("ticket_id",)),
    candidate(
        "sandbox-create-ticket",
        "mutation",
        "Create a ticket",
        "Creates a ticket in a project.",
        {
            "title": text("What it is about.", minLength=1),
            "project_id": _PROJECT,
            "description": text("All that is known."),
            "priority": _PRIORITY,
            "private": flag("Whether only the team sees it."),
            "labels": array("Labels of the ticket."),
            "due_date": text("The day it is due.", format="date"),
            "estimate_hours": number("Estimated hours of work.", minimum=0),
            "reporter_email": text("E-mail address of the reporter.", format="email"),
            "fields": {
                "type": "object",
                "description": "",
                "properties": {"severity": number("Severity.", minimum=1, maximum=5), "browser": text("Browser.")},
            },
        },
        ("title", "project_id"),
        (("report a problem with the printer", {"title": "printer"}),),
    ),
    candidate(
        "sandbox-update-ticket",
        "mutation",
        "Update a ticket",
        "Changes fields of a ticket.",
        {**_TICKET, "title": text(), "priority": _PRIORITY},
        ("ticket_id",),
    ),
    candidate("sandbox-close-ticket", "mutation", "Close a ticket", "Marks a ticket as done.", _TICKET, ("ticket_id",)),
    candidate(
        "sandbox-delete-ticket", "mutation", "Delete a ticket", "Deletes a ticket for good.", _TICKET, ("ticket_id",)
    ),
    candidate(
        "sandbox-add-comment",
        "mutation",
        "Add a comment",
        "Adds a comment to a ticket.",
        {**_TICKET, "body": text("The text of the comment.")},
        ("ticket_id", "body"),
    ),
    candidate(
        "sandbox-passthrough-request",
        "passthrough",
        "Passthrough request",
        "Sends any request to the API of Sandbox Tickets.",
        {"method": text(), "url": text(), "body": {"type": "object", "description": "", "properties": {}}},
        ("method", "url"),
    ),
]

_GITHUB = [
    candidate("github-list-repositories", "query", "List repositories", "Lists the repositories of the user."),
    candidate(
        "github-search-repositories",
        "query",
        "Search repositories",
        "Finds repositories by keywords.",
        {"q": text("The search keywords."), "per_page": number("The number of results per page.", multipleOf=1)},
        ("q",),
    ),
    candidate(
        "github-list-issues",
        "query",
        "List issues",
        "Lists the issues of a repository.",
        {**_REPOSITORY, "state": text("State of the issues.", enum=["open", "closed", "all"]), "labels": array()},
        ("owner", "repo"),
    ),
    candidate(
        "github-get-issue",
        "query",
        "Get an issue",
        "Returns one issue of a repository.",
        {**_REPOSITORY, "issue_number": number("The number of the issue.", multipleOf=1)},
        ("owner", "repo", "issue_number"),
    ),
    candidate(
        "github-create-issue",
        "mutation",
        "Create an issue",
        "Opens an issue in a repository.",
        {
            **_REPOSITORY,
            "title": text("The title of the issue."),
            "body": text("The contents of the issue."),
            "labels": array("Labels of the issue."),
            "assignees": array("Logins of the users to assign."),
        },
        ("owner", "repo", "title"),
    ),
    candidate(
        "github-merge-pull-request",
        "mutation",
        "Merge a pull request",
        "Merges a pull request into its base branch.",
        {
            **_REPOSITORY,
            "pull_number": number("The number of the pull request.", multipleOf=1),
            "merge_method": text("How to merge.", enum=["merge", "squash", "rebase"]),
        },
        ("owner", "repo", "pull_number"),
    ),
    candidate(
        "github-create-repository",
        "mutation",
        "Create a repository",
        "Creates a repository for the user.",
        {"name": text("The name of the repository."), "private": flag(), "has_wiki": flag()},
        ("name",),
    ),
    candidate(
        "github-delete-repository",
        "mutation",
        "Delete a repository",
        "Deletes a repository.",
        _REPOSITORY,
        ("owner", "repo"),
    ),
]

_TEAMCHAT = [
    candidate("teamchat-list-channels", "query", "List channels", "Lists the channels of the workspace."),
    candidate("teamchat-list-users", "query", "List users", "Lists the people of the workspace."),
    candidate(
        "teamchat-search-messages",
        "query",
        "Search messages",
        "Finds messages that contain words.",
        {"query": text("What to look for."), "count": number("How many messages.", multipleOf=1)},
        ("query",),
    ),
    candidate(
        "teamchat-send-message",
        "mutation",
        "Send a message",
        "Posts a message to a channel.",
        {"channel": text("Name of the channel, without the #."), "text": text("The text of the message.")},
        ("channel", "text"),
    ),
    candidate(
        "teamchat-schedule-message",
        "mutation",
        "Schedule a message",
        "Posts a message to a channel at a later time.",
        {"channel": _CHANNEL, "text": text("The text of the message."), "post_at": number("Unix timestamp.")},
        ("channel", "text", "post_at"),
    ),
    candidate(
        "teamchat-archive-channel",
        "mutation",
        "Archive a channel",
        "Archives a channel.",
        {"channel": _CHANNEL},
        ("channel",),
    ),
]

_AGENDA = [
    candidate(
        "agenda-list-events",
        "query",
        "List events",
        "Lists the events of a calendar.",
        {"start": text("First moment.", format="date-time"), "end": text("Last moment.", format="date-time")},
    ),
    candidate(
        "agenda-create-event",
        "mutation",
        "Create an event",
        "Adds an event to the calendar.",
        {
            "summary": text("The title of the event."),
            "start": text("When it begins.", format="date-time"),
            "end": text("When it ends.", format="date-time"),
            "location": text("Where it takes place."),
            "attendees": array("E-mail addresses of the guests.", format="email"),
            "all_day": flag(),
        },
        ("summary", "start"),
    ),
    candidate(
        "agenda-delete-event",
        "mutation",
        "Delete an event",
        "Removes an event from the calendar.",
        {"event_id": text("Id of the event.")},
        ("event_id",),
    ),
]

CATALOGUE = [*_SANDBOX, *_GITHUB, *_TEAMCHAT, *_AGENDA]
