"""
The one error the service answers with, and short ways to make the usual ones.

Anything else that is raised while answering is a defect and becomes a 500 that reveals nothing internal.
"""

from collections.abc import Mapping, Sequence

from service_client.models import Action, Code, ErrorDetail


class ServiceError(Exception):
    """A request that is answered with the error envelope; messages are shown to people and hold no secrets."""

    def __init__(
        self,
        status: int,
        error: str,
        details: Sequence[ErrorDetail] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(error)
        self.status = status
        self.error = error
        self.details = tuple(details)
        self.headers = dict(headers or {})

    @property
    def code(self) -> str:
        """The code of the first detail, for logs."""
        return self.details[0].code if self.details else Code.INTERNAL


def failure(
    status: int,
    code: Code,
    message: str,
    *,
    field: str | None = None,
    action: Action | None = None,
    headers: Mapping[str, str] | None = None,
) -> ServiceError:
    """An error with exactly one detail, whose message is also the summary."""
    return ServiceError(status, message, [ErrorDetail(field=field, code=code, message=message, action=action)], headers)


def refused(code: Code, message: str, *, field: str | None = None, action: Action | None = None) -> ServiceError:
    """A 400: the request was understood and not carried out."""
    return failure(400, code, message, field=field, action=action)


def going_down() -> ServiceError:
    """A 503 while this process ends: another one, or the next, takes the request."""
    return failure(
        503,
        Code.UNAVAILABLE,
        "The service is going down and did not do this. Send it again in a moment.",
        action=Action.WAIT,
        headers={"Retry-After": "1"},
    )


def unknown_app(name: str, field: str | None = None) -> ServiceError:
    """A 404 for an app that is not in the catalogue; without the `field` that names it, the path does."""
    return _unknown(Code.UNKNOWN_APP, f"There is no app named {shortened(name)}. GET /apps lists them.", field)


def unknown_function(name: str, field: str | None = None) -> ServiceError:
    """A 404 for a function that is not in the catalogue; without the `field` that names it, the path does."""
    message = f"There is no function named {shortened(name)}. GET /functions lists them."
    return _unknown(Code.UNKNOWN_FUNCTION, message, field)


def _unknown(code: Code, message: str, field: str | None) -> ServiceError:
    return failure(404, code, message, field=field, action=None if field is None else Action.FIX_FIELD)


def shortened(text: str, limit: int = 80) -> str:
    """Quote text from the caller in a message without letting it grow long or break the line."""
    clean = "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)
    return f"“{clean[: limit - 1]}…”" if len(clean) > limit else f"“{clean}”"
