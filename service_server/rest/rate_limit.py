"""The operator's limits on requests a minute, of a user and of an application."""

import math
import time
from collections import OrderedDict
from collections.abc import Hashable

from service_client.models import Action, Code
from service_server.errors import failure

MOST_OWNERS = 100_000


class RateLimit:
    """
    Token buckets that hold one minute's requests, one for a user and one for an application; 0 is no limit.

    They are per process, so that several processes allow as many times more.
    """

    def __init__(self, per_user: int, per_application: int) -> None:
        self._users = _Buckets(per_user)
        self._applications = _Buckets(per_application)

    def count(self, application_id: int, user_id: str) -> None:
        """Count a request; refused with the seconds to wait when a bucket is empty."""
        self._users.take((application_id, user_id), "user")
        self._applications.take(application_id, "application")


class _Buckets:
    """The buckets of one kind of owner."""

    def __init__(self, per_minute: int) -> None:
        self._per_minute = per_minute
        self._buckets: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def take(self, owner: Hashable, kind: str) -> None:
        """Take one request out of an owner's bucket."""
        if self._per_minute <= 0:
            return
        moment = time.monotonic()
        tokens, filled_at = self._buckets.pop(owner, (float(self._per_minute), moment))
        tokens = min(self._per_minute, tokens + (moment - filled_at) * self._per_minute / 60)
        allowed = tokens >= 1
        self._buckets[owner] = (tokens - 1 if allowed else tokens, moment)
        if len(self._buckets) > MOST_OWNERS:
            self._buckets.popitem(last=False)
        if not allowed:
            wait = math.ceil((1 - tokens) * 60 / self._per_minute)
            raise failure(
                429,
                Code.RATE_LIMITED,
                f"More than {self._per_minute} requests in a minute of this {kind}. Try again in {wait} s.",
                action=Action.WAIT,
                headers={"Retry-After": str(wait)},
            )
