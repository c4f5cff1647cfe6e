"""Failures on the console's paths, as pages."""

from typing import Any
from urllib.parse import quote

import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException

from service_server.console.pages import page_response, see_other
from service_server.store import DatabaseAway, tell_away

_LOG = structlog.get_logger(__name__)
_FRAMEWORK = {
    400: ("That can't be read", "The address or the form is not one that the console made."),
    404: ("There is nothing here", "The page was moved, or the address is mistyped."),
    405: ("There is nothing here", "This address does not take what was sent to it."),
    413: ("That is too large", "The form holds more than the console takes."),
}


UNSENT = "/console?unsent=1"
"""The sign-in page, for somebody whose session ended before they sent a form."""


class SignInNeeded(Exception):
    """Nobody is signed in; `path` is where to continue after signing in, UNSENT where a form came too late."""

    def __init__(self, path: str) -> None:
        super().__init__("not signed in")
        self.path = path


class Refused(Exception):
    """A request that is answered with a page saying what is wrong and what to do."""

    def __init__(self, status: int, heading: str, text: str) -> None:
        super().__init__(heading)
        self.status = status
        self.heading = heading
        self.text = text


def not_found(what: str) -> Refused:
    """A 404 for something that does not exist, or no longer does."""
    return Refused(404, f"There is no such {what}", "It may have been removed, or the address is mistyped.")


def out_of_date() -> Refused:
    """A 403 for a form that no page of this session can have sent."""
    return Refused(
        403,
        "This form is out of date",
        "Nothing was changed. Go back, load the page again and repeat what you wanted to do.",
    )


def is_console(request: Request[Any, Any, Any]) -> bool:
    """Whether a request is for the console, so that its failures are shown as pages."""
    path = request.scope["path"]
    return path == "/console" or path.startswith("/console/")


def answer_console_failure(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """Turn whatever was raised into a page; for a defect it shows only the id that finds it in the log."""
    if isinstance(error, SignInNeeded):
        shown = error.path in ("/console", UNSENT)
        return see_other(error.path if shown else f"/console?next={quote(error.path, safe='/')}")
    request_id = request.scope["state"]["request_id"]
    if isinstance(error, Refused):
        status, heading, text = error.status, error.heading, error.text
    elif isinstance(error, HTTPException) and error.status_code < 500:
        status = error.status_code
        heading, text = _FRAMEWORK.get(status, _FRAMEWORK[400])
    elif isinstance(error, DatabaseAway):
        tell_away(error)
        status, heading = 503, "The database is away"
        text = "Try again in a moment. If you have sent a form, look first whether it was carried out."
    else:
        _LOG.error("request.failed", path=request.scope["path"], exc_info=error)
        status, heading = 500, "The console could not answer"
        text = f"Try again in a moment. The service's log has the reason under the request id {request_id}."
    return page_response("failure.html", {"heading": heading, "text": text, "session": None}, status=status)
