"""The one error body of the service."""

from attrs import frozen


@frozen(kw_only=True)
class ErrorDetail:
    """
    One thing that is wrong.

    `field` is the parameter's name (dotted inside objects, `[i]` inside arrays) or None; `code` and `action` are
    values of `Code` and `Action`, kept as text so that a newer service's codes do not break an older client.
    """

    field: str | None = None
    code: str
    message: str
    action: str | None = None


@frozen(kw_only=True)
class ErrorEnvelope:
    """The body of every answer that is not a result."""

    error: str
    error_details: tuple[ErrorDetail, ...] = ()
    request_id: str = ""
