"""The limit on answers that all transports share, and how a transport says what went wrong."""

from urllib.parse import urlsplit

from service_client.errors import MalformedAnswerError, ServiceTimeoutError
from service_client.plans import HttpRequest

LARGEST_ANSWER = 64 * 1024 * 1024
"""Bytes; the service relays at most 10 MiB of an app's answer, which JSON escapes can make six times as long."""


def origin(request: HttpRequest) -> str:
    """Return where a request goes, without the path and the query, which can contain prompts."""
    parts = urlsplit(request.url)
    return f"{parts.scheme}://{parts.netloc}"


def timed_out(request: HttpRequest, may_have_executed: bool = True) -> ServiceTimeoutError:
    """Return the error for a request that was not answered in time."""
    return ServiceTimeoutError(
        f"{origin(request)} gave no complete answer within {request.timeout:g} seconds.", may_have_executed
    )


def check_size(size: int, status: int) -> None:
    """Refuse an answer that is larger than any the service can give."""
    if size > LARGEST_ANSWER:
        raise MalformedAnswerError(f"The answer is larger than {LARGEST_ANSWER // 1024 // 1024} MiB.", status)
