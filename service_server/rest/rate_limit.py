"""The operator's limit on requests per application and user; off by default."""

import math
import time
from collections import OrderedDict

from service_client.models import Action, Code
from service_server.errors import failure

MOST_USERS = 100_000


class RateLimit:
    """A token bucket per user that holds one minute's requests; per process, so several processes allow more."""

    def __init__(self, per_minute: int) -> None:
        self._per_minute = per_minute
        self._buckets: OrderedDict[tuple[int, str], tuple[float, float]] = OrderedDict()

    def count(self, application_id: int, user_id: str) -> None:
        """Count a request; refused with the seconds to wait when the bucket is empty."""
        if self._per_minute <= 0:
            return
        owner = (application_id, user_id)
        moment = time.monotonic()
        tokens, filled_at = self._buckets.pop(owner, (float(self._per_minute), moment))
        tokens = min(self._per_minute, tokens + (moment - filled_at) * self._per_minute / 60)
        allowed = tokens >= 1
        self._buckets[owner] = (tokens - 1 if allowed else tokens, moment)
        if len(self._buckets) > MOST_USERS:
            self._buckets.popitem(last=False)
        if not allowed:
            wait = math.ceil((1 - tokens) * 60 / self._per_minute)
            raise failure(
                429,
                Code.RATE_LIMITED,
                f"More than {self._per_minute} requests in a minute. Try again in {wait} s.",
                action=Action.WAIT,
                headers={"Retry-After": str(wait)},
            )
