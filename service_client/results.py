"""The result of a function call, and what the service said about it."""

from typing import Self

from attrs import field, frozen

from service_client.errors import OnwardCallError
from service_client.models import CallResult


@frozen(kw_only=True)
class ExecutedCall(CallResult):
    """
    A call that was executed: what the third-party app answered.

    `request_id` is what to quote when asking the service's operator. `replayed` is True if the service kept this answer
    from an earlier call with the same Idempotency-Key and called nothing now. Neither counts when calls are compared.
    """

    function: str = ""
    request_id: str = field(default="", eq=False)
    replayed: bool = field(default=False, eq=False)

    def raise_for_failure(self) -> Self:
        """Raise `OnwardCallError` if the third-party app answered with anything but a 2xx; else return the call."""
        if not self.succeeded:
            raise OnwardCallError(self.function, self)
        return self
