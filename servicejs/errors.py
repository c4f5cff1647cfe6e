"""
Errors as the browser sees them.

`SdkError` is what the SDK itself refuses; every other error is an answer of the service or a failure to get one
(`service_client.errors`). `describe_error` turns any of them into the object that becomes a JavaScript `ServiceError`.
"""

import re
import sys
import traceback
from typing import Any

from service_client.errors import (
    AuthenticationError,
    InvalidArgumentError,
    MalformedAnswerError,
    ServiceClientError,
    ServiceError,
    ServiceUnreachableError,
)
from service_client.models import CONVERTER
from servicejs.language import gettext as _

_OPTIONS = {"app_key": "appKey", "base_url": "baseUrl", "user_id": "userId"}  # the client's, and the page's
_OPTIONS_OF_THE_CLIENT = re.compile("|".join(_OPTIONS))


class SdkError(Exception):
    """Something the SDK refuses or gives up; `code` is stable and for programs, the message is for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def describe_error(error: BaseException) -> dict[str, Any]:
    """Return `{code, message, status, error_details, request_id}` for any error; a defect is also written to stderr."""
    match error:
        case SdkError():
            return _described(error.code, str(error))
        case ServiceError():
            envelope = CONVERTER.unstructure(error.envelope)
            details = envelope["error_details"]
            code = error.code or f"http_{error.status}"
            return _described(code, envelope["error"], error.status, details, error.request_id)
        case ServiceUnreachableError():
            return _described("unreachable", _as_the_page_names_it(error), error.status)
        case MalformedAnswerError():
            return _described("malformed_answer", str(error), error.status, request_id=error.request_id)
        case InvalidArgumentError():
            return _described("invalid_argument", _as_the_page_names_it(error))
        case ServiceClientError():
            return _described("unsupported", str(error))
        case _:
            traceback.print_exception(error, file=sys.stderr)
            defect = type(error).__name__
            return _described("internal", _("The SDK failed (%(defect)s); see the console for details.", defect=defect))


def explain(error: BaseException) -> str:
    """
    Tell the user of a page what went wrong.

    What only the page's developers can fix is in the object that `describe_error` gives them.
    """
    match error:
        case ServiceUnreachableError():
            return _("The service can’t be reached right now. Check your connection and try again.")
        case MalformedAnswerError():
            return _("The service’s answer can’t be read. Try again in a moment.")
        case AuthenticationError() | SdkError(code="token_failed"):
            return _("This page couldn’t confirm who you are. Sign in to it again in another tab, then try again here.")
        case _:
            message: str = describe_error(error)["message"]
            return message


def _as_the_page_names_it(error: ServiceClientError) -> str:
    return _OPTIONS_OF_THE_CLIENT.sub(lambda found: _OPTIONS[found[0]], str(error))


def _described(
    code: str,
    message: str,
    status: int | None = None,
    details: Any = (),
    request_id: str = "",
) -> dict[str, Any]:
    return {
        "code": code,
        "message": message,
        "status": status,
        "error_details": list(details),
        "request_id": request_id,
    }
