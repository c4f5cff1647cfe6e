"""What Bitbucket needs beyond data: searches in its query language, and reviewers that are added."""

from typing import Any


def named(arguments: dict[str, Any]) -> dict[str, Any]:
    """Ask for what has a text in its name, and for repositories of one project."""
    conditions = []
    if "search" in arguments:
        conditions.append(f"name ~ {_text(arguments['search'])}")
    if "project" in arguments:
        conditions.append(f"project.key = {_text(arguments['project'])}")
    return _query(conditions)


def titled(arguments: dict[str, Any]) -> dict[str, Any]:
    """Ask for pull requests with a text in their title, or of one branch; a query has to name their state, too."""
    conditions = []
    if "search" in arguments:
        conditions.append(f"title ~ {_text(arguments['search'])}")
    if "branch" in arguments:
        conditions.append(f"source.branch.name = {_text(arguments['branch'])}")
    if conditions:
        conditions.append(f"state = {_text(arguments.get('state', 'OPEN'))}")
    return _query(conditions)


def selector(arguments: dict[str, Any]) -> dict[str, Any]:
    """Name a custom pipeline, where one is to run in place of the branch's own."""
    return {"selector": {"type": "custom", "pattern": arguments["custom"]}} if "custom" in arguments else {}


def changed_pull_request(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return a pull request as it is but for what is given, and its reviewers without some and with further people."""
    names = ("title", "description", "draft", "close_source_branch")
    told = {name: arguments.get(name, before.get(name)) for name in names}
    pull_request = {name: value for name, value in told.items() if value is not None}
    leaving = arguments.get("remove_reviewers") or []
    asked = [person["uuid"] for person in before["reviewers"] if person["uuid"] not in leaving]
    added = [person["uuid"] for person in arguments.get("reviewers") or [] if person["uuid"] not in asked]
    reviewers = [{"uuid": person} for person in dict.fromkeys([*asked, *added])]
    return {"pull_request": pull_request, "reviewers": reviewers}


def _query(conditions: list[str]) -> dict[str, Any]:
    return {"q": " AND ".join(conditions)} if conditions else {}


def _text(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
