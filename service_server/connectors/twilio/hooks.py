"""What Twilio needs beyond data: a text to be read aloud, as TwiML."""

import re
from html import escape
from typing import Any

from service_server.catalog.hooks import InvalidRequest

_TWIML = re.compile(r"\s*(?:<\?xml[^>]*\?>\s*)?<Response[\s/>]")
_LONGEST = 4000
"""Characters of TwiML that Twilio takes in a request."""


def what_is_said(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return what a call does: TwiML as it was given, or a text read aloud in a language."""
    said = arguments["twiml"]
    if not _TWIML.match(said):
        language = f' language="{escape(arguments["language"])}"' if "language" in arguments else ""
        said = f"<Response><Say{language}>{escape(said, quote=False)}</Say></Response>"
    if len(said) > _LONGEST:
        raise InvalidRequest("twiml", f"is longer than the {_LONGEST} characters that Twilio takes")
    return {"twiml": said}
