"""What Google Forms needs beyond data: Drive's search language, places in a form, options, and what is changed."""

from datetime import UTC, datetime
from typing import Any

from service_server.catalog.hooks import InvalidRequest


def form_query(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the conditions on files: forms, and those of a name where one is asked for."""
    query = "mimeType = 'application/vnd.google-apps.form' and trashed = false"
    if "name" in arguments:
        escaped = arguments["name"].replace("\\", "\\\\").replace("'", "\\'")
        query += f" and name contains '{escaped}'"
    return {"q": query}


def form_info(arguments: dict[str, Any]) -> dict[str, Any]:
    """Name what of a form is changed."""
    given = [name for name in ("title", "description") if name in arguments]
    if not given:
        raise InvalidRequest("title", "or a description has to be given")
    return {"mask": ",".join(given)}


def publishing(arguments: dict[str, Any]) -> dict[str, Any]:
    """Say whether a form takes answers: as soon as it is published, if nobody says."""
    return {"accepting": arguments.get("accepting", arguments["published"])}


def place_in_form(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Say where an item goes, behind those that are there if nobody says."""
    return {"index": arguments.get("position", len(before.get("items", [])))}


def choice_options(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Make options of answers, and one for other answers if it is wanted."""
    options: list[dict[str, Any]] = [{"value": answer} for answer in arguments["options"]]
    if arguments.get("other"):
        options.append({"isOther": True})
    return {"options": options, **place_in_form(arguments, before)}


def responses_since(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the condition on the moment when a response was sent, which Google takes in UTC alone."""
    if "since" not in arguments:
        return {}
    try:
        since = datetime.fromisoformat(arguments["since"].upper()).astimezone(UTC)
    except (ValueError, OverflowError):
        raise InvalidRequest("since", "is not a moment that can be") from None
    return {"filter": f"timestamp >= {since.strftime('%Y-%m-%dT%H:%M:%SZ')}"}


def numbered(body: Any) -> Any:
    """Return a form's items with their places, counted from 0."""
    return [
        {
            "position": position,
            "title": item.get("title") or f"Item {position + 1}",
            "itemId": item.get("itemId"),
            "questionId": item.get("questionItem", {}).get("question", {}).get("questionId"),
        }
        for position, item in enumerate(body.get("items", []))
    ]


def places(body: Any) -> Any:
    """Return the places for a new item: the end, and before each item that is there."""
    titles = [item.get("title") or f"Item {position + 1}" for position, item in enumerate(body.get("items", []))]
    end = {"position": len(titles), "title": "At the end"}
    return [end, *({"position": position, "title": title} for position, title in enumerate(titles))]
