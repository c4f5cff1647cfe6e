"""The rate budget of an app: a call waits its turn for a few seconds, and is refused if that is not enough."""

import asyncio
import math

from service_client.models import Action, Code
from service_server.catalog.format.keys import seconds_of
from service_server.errors import failure
from service_server.invoke.invocation import Parts, Ready
from service_server.store import DatabaseAway, Turn

LONGEST_WAIT_SECONDS = 5.0


async def keep_budget(ready: Ready, parts: Parts) -> None:
    """
    Wait until the request may be sent; apps without a budget need no wait.

    A call that would wait too long is refused with a 429 and not executed. As with any other rate limit, the caller
    should come back after `Retry-After`.
    """
    turn = await _turn(ready, parts)
    if turn is None:
        return
    if not turn.granted:
        wait = math.ceil(turn.wait_seconds)
        title, name = ready.request.connector.title, ready.opened.account.display_name
        raise failure(
            429,
            Code.RATE_LIMITED,
            f"“{name}” has used up what {title} lets an account do in a short time. Try again in {wait} s.",
            action=Action.WAIT,
            headers={"Retry-After": str(wait)},
        )
    await asyncio.sleep(turn.wait_seconds)


async def may_repeat(ready: Ready, parts: Parts) -> bool:
    """Wait until a call that was sent already may be sent once more; False if that would take too long."""
    try:
        turn = await _turn(ready, parts)
    except DatabaseAway:  # the answer we already have is worth more than a better one
        return False
    if turn is not None and turn.granted:
        await asyncio.sleep(turn.wait_seconds)
    return turn is None or turn.granted


async def _turn(ready: Ready, parts: Parts) -> Turn | None:
    budget = ready.request.connector.budget
    if budget is None:
        return None
    return await parts.budgets.take_turn(
        ready.opened.account.id, budget.requests, seconds_of(budget.window), LONGEST_WAIT_SECONDS
    )
