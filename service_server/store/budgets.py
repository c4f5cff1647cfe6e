"""When accounts may send their next request, for apps that take only so many in a window of time."""

from attrs import frozen
from sqlalchemy import delete, insert, or_, select

from service_server.store.clock import now
from service_server.store.database import Database
from service_server.store.tables import BUDGET_USES


@frozen
class Turn:
    """When a request may be sent: if `granted`, after `wait_seconds`; if not, it has to ask again then."""

    granted: bool
    wait_seconds: float


class Budgets:
    """
    Counts the requests of accounts, across all processes.

    Every request has a row with its moment, which may lie ahead; in any time window no more rows than the budget are
    given out. Requests that wait get their moments in the order in which they came.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def take_turn(self, account_id: int, requests: int, window_seconds: float, longest_wait: float) -> Turn:
        """Give out the next moment that keeps at most `requests` in a window, unless it is too far ahead."""
        of_account = BUDGET_USES.c.account_id == account_id
        async with self._database.write(turn=repr(("budget", account_id))) as connection:
            moment = now()
            # A moment further ahead than anybody waits was written by a clock that has been put back since.
            done = or_(BUDGET_USES.c.at <= moment - window_seconds, BUDGET_USES.c.at > moment + longest_wait + 1)
            await connection.execute(delete(BUDGET_USES).where(of_account, done))
            latest = select(BUDGET_USES.c.at).where(of_account).order_by(BUDGET_USES.c.at.desc()).offset(requests - 1)
            before = (await connection.execute(latest.limit(1))).scalar()
            at = moment if before is None else max(moment, before + window_seconds)
            if at - moment > longest_wait:
                return Turn(granted=False, wait_seconds=at - moment)
            await connection.execute(insert(BUDGET_USES).values(account_id=account_id, at=at))
        return Turn(granted=True, wait_seconds=at - moment)
