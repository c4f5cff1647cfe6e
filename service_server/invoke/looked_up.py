"""What look-ups gave a moment ago: a form asks for several lists about one ticket, which is looked up once for them."""

import json
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

from service_server.catalog.prior_requests import LookUp

KEPT_SECONDS = 60.0
MOST_KEPT = 1_000


class LookedUp:
    """Keeps what accounts looked up, in this process, for a minute; the oldest go where there are too many."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._kept: OrderedDict[str, tuple[float, dict[str, Any]]] = OrderedDict()

    def find(self, account_id: int, look_up: LookUp, arguments: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return what a look-up gave within the last minute, None if it has to be made."""
        until, values = self._kept.get(_key(account_id, look_up, arguments), (0.0, None))
        return values if self._clock() < until else None

    def keep(self, account_id: int, look_up: LookUp, arguments: Mapping[str, Any], values: dict[str, Any]) -> None:
        """Keep what a look-up gave."""
        key = _key(account_id, look_up, arguments)
        self._kept[key] = (self._clock() + KEPT_SECONDS, values)
        self._kept.move_to_end(key)
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)


def _key(account_id: int, look_up: LookUp, arguments: Mapping[str, Any]) -> str:
    given = {name: arguments.get(name) for name in look_up.arguments}
    return json.dumps([account_id, repr(look_up), given], sort_keys=True)
