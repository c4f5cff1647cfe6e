"""What GitHub needs beyond data: texts of files in base64, and searches in its own language."""

from base64 import b64decode, b64encode
from typing import Any

_SORTS = {"created": "created", "updated": "updated", "comments": "comments", "popularity": "comments"}


def issue_search(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write a search for issues with the conditions that are given."""
    who = {"none": "no:assignee"}
    conditions = [f"label:{_quoted(label)}" for label in arguments.get("labels", [])]
    if (assignee := arguments.get("assignee")) is not None:
        conditions.append(who.get(assignee, f"assignee:{assignee}"))
    if "creator" in arguments:
        conditions.append(f"author:{arguments['creator']}")
    if "since" in arguments:
        conditions.append(f"updated:>={arguments['since']}")
    return _search(arguments, "issue", conditions)


def pull_request_search(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write a search for pull requests with the conditions that are given; of a fork, only the branch counts there."""
    branches = {"base": arguments.get("base"), "head": arguments.get("head", "").rpartition(":")[2]}
    return _search(arguments, "pr", [f"{name}:{_quoted(branch)}" for name, branch in branches.items() if branch])


def _search(arguments: dict[str, Any], kind: str, conditions: list[str]) -> dict[str, Any]:
    state = arguments.get("state", "all")
    words = [
        arguments["search"],
        f"repo:{arguments['owner']}/{arguments['repo']}",
        f"is:{kind}",
        *([] if state == "all" else [f"state:{state}"]),
        *conditions,
    ]
    return {"q": " ".join(words), "sort": _SORTS.get(arguments.get("sort", ""))}


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def text_of_file(body: Any) -> Any:
    """Return a file with its text; what is no text, or too large for GitHub to tell it, has none."""
    if not isinstance(body, dict) or body.get("encoding") != "base64":
        return body
    content = b64decode(body["content"])
    told = {name: body.get(name) for name in ("name", "path", "sha", "size", "html_url")}
    try:
        return {**told, "text": content.decode()}
    except UnicodeDecodeError:
        return {**told, "text": None}


def file_of_text(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write a text in base64."""
    return {"content": b64encode(arguments["text"].encode()).decode()}
