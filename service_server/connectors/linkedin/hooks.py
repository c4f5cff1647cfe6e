"""What LinkedIn needs beyond data: texts in which some signs mean something, answers as objects, and posts' URNs."""

import re
from typing import Any

from service_server.catalog.hooks import InvalidRequest

# A hash stays as it is: it begins a hashtag, as people expect.
_MEANS_SOMETHING = re.compile(r"[\\|{}@\[\]()<>*_~]")
_URN = re.compile(r"urn(?::|%3A)li(?::|%3A)(share|ugcPost|activity)(?::|%3A)(\d{5,25})(?!\d)", re.IGNORECASE)


def commentary(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write a text so that all of its signs are shown as they are."""
    return {"text": _MEANS_SOMETHING.sub(lambda sign: f"\\{sign[0]}", arguments.get("text", ""))}


def poll(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the answers of a poll, two to four, and the text beside it."""
    if not 2 <= len(arguments["answers"]) <= 4:
        raise InvalidRequest("answers", "takes two to four")
    return {"options": [{"text": answer} for answer in arguments["answers"]], **commentary(arguments)}


def post_urn(arguments: dict[str, Any]) -> dict[str, Any]:
    """Find which post an address is of."""
    match = _URN.search(arguments["post"])
    if match is None:
        raise InvalidRequest("post", "has no URN in it such as urn:li:share:7123456789012345678")
    kind = {"share": "share", "ugcpost": "ugcPost", "activity": "activity"}[match[1].lower()]
    return {"urn": f"urn:li:{kind}:{match[2]}"}


def changed_post(arguments: dict[str, Any]) -> dict[str, Any]:
    """Find which post it is, and write its new text."""
    return {**post_urn(arguments), **commentary(arguments)}
