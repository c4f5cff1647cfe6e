"""What GitHub needs beyond data: texts of files in base64."""

from base64 import b64decode, b64encode
from typing import Any


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
