"""Every failure, the framework's included, in the one error body; a defect tells nothing internal."""

import re
from collections.abc import Sequence
from typing import Any

import structlog
from litestar import Request
from litestar.exceptions import HTTPException, ValidationException

from service_client.models import Action, Code, ErrorDetail, ErrorEnvelope
from service_server.administration.actors import NotAllowed
from service_server.administration.failures import AdministrationError, NotThere
from service_server.errors import ServiceError, failure
from service_server.rest.bodies import BODY_LIMIT_MESSAGE
from service_server.rest.gateway import NOTHING_HERE, logged_path
from service_server.rest.wire import WireResponse
from service_server.store import DatabaseAway, tell_away

_LOG = structlog.get_logger(__name__)

# "Expected `float` <= 25.0", "Expected `str` of length <= 4000", "Expected `str` matching regex …"
_LIMIT = re.compile(r"Expected `\w+` (?:[<>]=? |of length|matching)")
_FRAMEWORK = {
    404: (Code.NOT_FOUND, NOTHING_HERE),
    405: (Code.METHOD_NOT_ALLOWED, "This path does not take this method."),
    413: (Code.BODY_TOO_LARGE, BODY_LIMIT_MESSAGE),
    415: (Code.UNSUPPORTED_MEDIA_TYPE, "This media type is not supported."),
}


def request_id(request: Request[Any, Any, Any]) -> str:
    """The id the outermost middleware gave this request."""
    identifier: str = request.scope["state"]["request_id"]
    return identifier


def answer_failure(request: Request[Any, Any, Any], error: Exception) -> WireResponse:
    """Turn whatever was raised into the envelope."""
    known = told(error, request.scope)
    envelope = ErrorEnvelope(error=known.error, error_details=known.details, request_id=request_id(request))
    return WireResponse(envelope, status_code=known.status, headers=known.headers)


def told(error: Exception, scope: Any) -> ServiceError:
    """Whatever was raised as what a caller is told; a defect is logged with its traceback."""
    known = _known(error)
    if isinstance(error, DatabaseAway):
        tell_away(error)
    elif known.status >= 500 and not isinstance(error, ServiceError):
        _LOG.error("request.failed", path=logged_path(scope["path"]), exc_info=error)
    return known


def _known(error: Exception) -> ServiceError:
    if isinstance(error, ServiceError):
        return error
    if isinstance(error, AdministrationError):
        return _not_done(error)
    if isinstance(error, ValidationException):
        return invalid_query(error.extra if isinstance(error.extra, list) else [])
    if isinstance(error, HTTPException) and error.status_code < 500:
        code, message = _FRAMEWORK.get(error.status_code, (Code.MALFORMED_BODY, "The request is malformed."))
        return failure(error.status_code, code, message, headers=error.headers)
    if isinstance(error, DatabaseAway):
        return failure(
            503,
            Code.UNAVAILABLE,
            "The service's database is away. Try again later.",
            action=Action.WAIT,
            headers={"Retry-After": "1"},
        )
    return failure(500, Code.INTERNAL, "The service failed to answer. The request id finds the reason in its log.")


def _not_done(error: AdministrationError) -> ServiceError:
    """What an operator asked for and can't be done, by setting where settings are wrong."""
    if isinstance(error, NotAllowed):
        return failure(403, Code.FORBIDDEN, str(error))
    if isinstance(error, NotThere):
        return failure(404, Code.NOT_FOUND, str(error))
    if not error.problems:
        return failure(400, Code.NOT_POSSIBLE, str(error))
    details = [
        ErrorDetail(field=name, code=Code.NOT_POSSIBLE, message=message, action=Action.FIX_FIELD)
        for name, message in error.problems.items()
    ]
    return ServiceError(400, "The request is not valid.", details)


def invalid_query(problems: Sequence[Any]) -> ServiceError:
    """
    The refusal for parameters: of each its `key`, and what the library that reads them says as its `message`.

    Its `source` is `path` where it is a part of that; else it is of the query.
    """
    details = []
    places = ["path" if problem.get("source") == "path" else "query" for problem in problems]
    for problem, place in zip(problems, places, strict=True):
        name = str(problem.get("key", ""))
        message = str(problem.get("message", ""))
        code = _code(message)
        text = f"The {place} parameter {name} is not valid{f': {message}' if code == Code.FORMAT else ''}."
        details.append(ErrorDetail(field=name, code=code, message=text, action=Action.FIX_FIELD))
    where = "path" if places and "query" not in places else "query"
    return ServiceError(400, f"The {where} is not valid.", details)


def _code(message: str) -> Code:
    """What is wrong with a parameter, by the words of the library that read it."""
    if "enum" in message:
        return Code.ENUM
    if "required" in message.lower():
        return Code.REQUIRED
    return Code.FORMAT if _LIMIT.search(message) else Code.TYPE
