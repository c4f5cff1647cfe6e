"""What Bitbucket needs beyond data: searches in its query language."""

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
    """Ask for pull requests with a text in their title, and for those of one branch."""
    conditions = []
    if "search" in arguments:
        conditions.append(f"title ~ {_text(arguments['search'])}")
    if "branch" in arguments:
        conditions.append(f"source.branch.name = {_text(arguments['branch'])}")
    return _query(conditions)


def selector(arguments: dict[str, Any]) -> dict[str, Any]:
    """Name a custom pipeline, where one is to run in place of the branch's own."""
    return {"selector": {"type": "custom", "pattern": arguments["custom"]}} if "custom" in arguments else {}


def _query(conditions: list[str]) -> dict[str, Any]:
    return {"q": " AND ".join(conditions)} if conditions else {}


def _text(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
