"""
Every error this client raises.

    ServiceClientError
    ├── InvalidArgumentError (also a ValueError)   the client was given something it cannot use; nothing was sent
    ├── ClientClosedError                          the client was already closed; nothing was sent
    ├── UnsupportedEnvironmentError                this Python cannot do what was asked (sync calls in some browsers)
    ├── ServiceUnreachableError                    no answer from the service: no connection, or it broke off
    │   └── ServiceTimeoutError                    … within the time allowed
    ├── MalformedAnswerError                       an answer came, but not one the service gives
    ├── WaitTimeoutError                           what was waited for did not end in the time given
    ├── WebhookVerificationError                   what came as a webhook is not from the service, too old, or no event
    ├── OnwardCallError                            the third-party app answered with an error, and a success was needed
    └── ServiceError                               the service answered with an error envelope
        ├── BadRequestError             400
        │   └── CallRefusedError        400        a function was not executed
        ├── AuthenticationError         401
        ├── PermissionDeniedError       403
        ├── NotFoundError               404
        ├── ConflictError               409        an Idempotency-Key was used before with other arguments
        ├── NotAcceptedError            405, 413, 414, 415
        ├── RateLimitError              429
        └── InternalServerError         5xx

A function call that was executed raises nothing, whatever the third-party app answered: see
`CallResult.network_code` and `ExecutedCall.raise_for_failure`.
"""

from service_client.models import CallResult, ErrorDetail, ErrorEnvelope


class ServiceClientError(Exception):
    """Anything this client raises on purpose."""


class InvalidArgumentError(ServiceClientError, ValueError):
    """The client was given something it cannot use; nothing was sent."""


class ClientClosedError(ServiceClientError):
    """The client, or what it sends through, was already closed; nothing was sent."""


class UnsupportedEnvironmentError(ServiceClientError):
    """This Python cannot do what was asked."""


class ServiceUnreachableError(ServiceClientError):
    """
    No answer came from the service.

    `may_have_executed` is False when the request certainly never reached the service. `status` is that of a gateway
    that answered in the service's place, else None.
    """

    def __init__(self, message: str, may_have_executed: bool = True, status: int | None = None) -> None:
        super().__init__(message, may_have_executed, status)
        self.may_have_executed = may_have_executed
        self.status = status

    def __str__(self) -> str:
        return str(self.args[0])


class ServiceTimeoutError(ServiceUnreachableError):
    """No complete answer came from the service in the time allowed."""


class MalformedAnswerError(ServiceClientError):
    """The answer is not one that the service gives; `status` is its HTTP status."""

    def __init__(self, message: str, status: int, request_id: str = "") -> None:
        super().__init__(message, status, request_id)
        self.status = status
        self.request_id = request_id

    def __str__(self) -> str:
        return f"{self.args[0]} (HTTP {self.status}{_request_note(self.request_id)})"


class WebhookVerificationError(ServiceClientError):
    """What came as a webhook is not from the service, too old, or no event."""


class WaitTimeoutError(ServiceClientError):
    """What was waited for did not end in the time given; it still may."""


class OnwardCallError(ServiceClientError):
    """The third-party app answered with an error where a success was needed; `result` is its whole answer."""

    def __init__(self, function: str, result: CallResult) -> None:
        super().__init__(function, result)
        self.function = function
        self.result = result

    def __str__(self) -> str:
        return (
            f"{self.function} was executed, but the app answered {self.result.network_code}. "
            "Look at `.result.output` for its reason."
        )


class ServiceError(ServiceClientError):
    """
    The service answered with an error.

    `retry_after` is the number of seconds the service asks to wait, or None.
    """

    def __init__(self, status: int, envelope: ErrorEnvelope, retry_after: float | None = None) -> None:
        super().__init__(status, envelope, retry_after)
        self.status = status
        self.envelope = envelope
        self.retry_after = retry_after

    @property
    def details(self) -> tuple[ErrorDetail, ...]:
        """Each thing that is wrong."""
        return self.envelope.error_details

    @property
    def codes(self) -> tuple[str, ...]:
        """The stable codes of the details, in their order; compare with `Code`."""
        return tuple(detail.code for detail in self.details)

    @property
    def code(self) -> str | None:
        """The first of `codes`, if there is any."""
        return next(iter(self.codes), None)

    @property
    def action(self) -> str | None:
        """What to offer the user (see `Action`): that of the first detail that has one."""
        return next((detail.action for detail in self.details if detail.action), None)

    @property
    def request_id(self) -> str:
        """What to quote when asking the service's operator."""
        return self.envelope.request_id

    def __str__(self) -> str:
        reasons = [_reason(detail) for detail in self.details if detail.message != self.envelope.error]
        text = "; ".join([self.envelope.error, *reasons]).replace(".; ", ". ")
        return f"{text} (HTTP {self.status}{_request_note(self.request_id)})"


class BadRequestError(ServiceError):
    """400: the request says something the service cannot use."""


class CallRefusedError(BadRequestError):
    """400: the function was not executed; `details` say why and `action` what helps."""


class AuthenticationError(ServiceError):
    """401: the credentials are missing, wrong or expired."""


class PermissionDeniedError(ServiceError):
    """403: the credentials are valid, but not for this origin or function."""


class NotFoundError(ServiceError):
    """404: no such app, function, connect session or path."""


class ConflictError(ServiceError):
    """409: the Idempotency-Key was used before with other arguments."""


class NotAcceptedError(ServiceError):
    """405, 413, 414 or 415: the service does not take such a request at all."""


class RateLimitError(ServiceError):
    """429: too many requests; wait `retry_after` seconds."""


class InternalServerError(ServiceError):
    """5xx: a defect of the service, or it is temporarily unable to answer."""


_BY_STATUS: dict[int, type[ServiceError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    405: NotAcceptedError,
    409: ConflictError,
    413: NotAcceptedError,
    414: NotAcceptedError,
    415: NotAcceptedError,
    429: RateLimitError,
}


def error_type(status: int) -> type[ServiceError]:
    """Return the class of error that an answer with this status raises."""
    return _BY_STATUS.get(status, InternalServerError if status >= 500 else ServiceError)


def _reason(detail: ErrorDetail) -> str:
    return f"{detail.field}: {detail.message}" if detail.field else detail.message


def _request_note(request_id: str) -> str:
    return f", request {request_id}" if request_id else ""
