"""What Salesforce needs beyond data: searches that find words of which only the beginning is known."""

from typing import Any


def beginning(arguments: dict[str, Any]) -> dict[str, Any]:
    """Let the last word of a search be one that is only begun."""
    words = arguments["search"].strip()
    return {"q": f"{words}*" if words[-1:].isalnum() else words}
