"""How many calls a user, and an application, may have under way at a time."""

import contextlib
from collections import Counter
from collections.abc import Iterator
from typing import Any

from litestar import Request

from service_client.models import Action, Code
from service_server.errors import failure
from service_server.rest.caller import Caller


class CallsAtOnce:
    """Counts the calls under way, those that a prediction makes among them; per process, 0 is no limit."""

    def __init__(self, per_user: int, per_application: int) -> None:
        self._per_user = per_user
        self._per_application = per_application
        self._of_users: Counter[tuple[int, str]] = Counter()
        self._of_applications: Counter[int] = Counter()

    @contextlib.contextmanager
    def place(self, caller: Caller) -> Iterator[None]:
        """Hold a place during a call; refused when there is none left."""
        application = caller.application.id
        user = (application, caller.user_id)
        if 0 < self._per_user <= self._of_users[user]:
            raise _too_many(f"This user has {self._per_user} calls under way, which is the most at a time.")
        if 0 < self._per_application <= self._of_applications[application]:
            raise _too_many(
                f"This application has {self._per_application} calls under way, which is the most at a time."
            )
        self._of_users[user] += 1
        self._of_applications[application] += 1
        try:
            yield
        finally:
            _take_one(self._of_users, user)
            _take_one(self._of_applications, application)


def calls_at_once(request: Request[Any, Any, Any]) -> CallsAtOnce:
    """What counts the calls of this process."""
    counting: CallsAtOnce = request.app.state.calls_at_once
    return counting


def _take_one(counter: Counter[Any], key: Any) -> None:
    counter[key] -= 1
    if not counter[key]:
        del counter[key]


def _too_many(message: str) -> Exception:
    return failure(
        429,
        Code.RATE_LIMITED,
        f"{message} Try again when one of them has ended.",
        action=Action.WAIT,
        headers={"Retry-After": "1"},
    )
