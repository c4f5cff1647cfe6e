"""What WhatsApp needs beyond data: plain phone numbers, and templates, values and buttons as objects."""

import re
from typing import Any

from service_server.catalog.hooks import InvalidRequest


def recipient(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write a phone number with nothing but its digits."""
    return {"to": re.sub(r"\D", "", arguments["to"])}


def template(arguments: dict[str, Any]) -> dict[str, Any]:
    """Take the name and the language of a template apart, and write the values of its text."""
    name, _, language = arguments["template"].partition("/")
    if not name or not language:
        raise InvalidRequest("template", "is a name and a language, such as hello_world/en_US")
    written: dict[str, Any] = {"name": name, "language": {"code": language}}
    if arguments.get("values"):
        values = [{"type": "text", "text": value} for value in arguments["values"]]
        written["components"] = [{"type": "body", "parameters": values}]
    return {"template": written, **recipient(arguments)}


def buttons(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write up to three buttons, whose ids are their numbers."""
    titles = arguments["buttons"]
    if not 1 <= len(titles) <= 3 or any(len(title) > 20 for title in titles):
        raise InvalidRequest("buttons", "takes one to three, each of up to 20 characters")
    made = [{"type": "reply", "reply": {"id": str(number), "title": title}} for number, title in enumerate(titles, 1)]
    return {"buttons": made, **recipient(arguments)}


def template_text(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the text of a template, with an example of its values where some are given."""
    body: dict[str, Any] = {"type": "BODY", "text": arguments["text"]}
    if arguments.get("samples"):
        body["example"] = {"body_text": [arguments["samples"]]}
    return {"body": body}
