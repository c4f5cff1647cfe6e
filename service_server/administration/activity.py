"""What happened lately: calls, errors and time by hour or day, and what has changed since yesterday."""

from collections.abc import Mapping, Sequence
from typing import Literal

from attrs import frozen

from service_server.store import Accounts, CallCounts, Periods, Sums
from service_server.store.call_counts import DAY_SECONDS, HOUR_SECONDS
from service_server.store.clock import now, timestamp

Range = Literal["day", "week", "weeks"]
_RANGES: Mapping[str, tuple[int, int]] = {
    "day": (HOUR_SECONDS, 24),
    "week": (HOUR_SECONDS, 7 * 24),
    "weeks": (DAY_SECONDS, 8 * 7),
}
RANGES = tuple(_RANGES)
# Of fewer calls in a day nothing can be said.
_ENOUGH_CALLS = 20
_MORE_FAILURES = 5
_LEAST_SHARE = 0.05
_TIMES_MORE_FAILURES = 2.0
_TIMES_SLOWER = 1.5
_MS_SLOWER = 100.0
_MOST_CHANGES = 8

ChangeKind = Literal["failing", "refused", "slower", "silent", "reconnect"]


@frozen(kw_only=True)
class Change:
    """Something that is not as it was a day before; `now` and `before` are shares (0 to 1), ms or numbers by `kind`."""

    kind: ChangeKind
    app_name: str
    function_name: str = ""
    now: float
    before: float


@frozen
class Activity:
    """Calls of some periods: the sums of each period, of each app, and of all together."""

    periods: Periods
    by_period: Sequence[tuple[int, Sums]]
    by_app: Sequence[tuple[str, Sums]]
    total: Sums


async def activity(counts: CallCounts, period: str, app_name: str | None = None) -> Activity:
    """The calls of a range up to now, of all apps or of one; the apps with most calls first."""
    periods = Periods.until(now(), *_RANGES[period])
    by_period, by_app, total = {begins: Sums() for begins in periods.begins}, dict[str, Sums](), Sums()
    for (begins, name), sums in (await counts.by_app(periods, app_name)).items():
        for each in (by_period[begins], by_app.setdefault(name, Sums()), total):
            each.add(sums)
    ordered = sorted(by_app.items(), key=lambda item: (-item[1].executed - item[1].refused, item[0]))
    return Activity(periods, list(by_period.items()), ordered, total)


async def changes(counts: CallCounts, accounts: Accounts) -> list[Change]:
    """What the last 24 hours have that the 24 before did not, the gravest first."""
    moment = now()
    today = await counts.by_function(Periods.until(moment, HOUR_SECONDS, 24))
    yesterday = await counts.by_function(Periods.until(moment - DAY_SECONDS, HOUR_SECONDS, 24))
    found = changed(today, yesterday)
    for app_name, (all_of_them, recent) in (await accounts.to_reconnect(timestamp(moment - DAY_SECONDS))).items():
        found.append(Change(kind="reconnect", app_name=app_name, now=all_of_them, before=all_of_them - recent))
    order = ("silent", "failing", "reconnect", "refused", "slower")
    return sorted(found, key=lambda each: order.index(each.kind))


def changed(today: Mapping[tuple[str, str], Sums], yesterday: Mapping[tuple[str, str], Sums]) -> list[Change]:
    """What the sums by app and function say: apps that fail, refuse or fall silent, and functions that got slower."""
    found: list[Change] = []
    apps, before = _by_app(today), _by_app(yesterday)
    for name in sorted(apps.keys() | before.keys()):
        new, old = apps.get(name, Sums()), before.get(name, Sums())
        if old.executed >= _ENOUGH_CALLS and not new.executed + new.refused:
            found.append(Change(kind="silent", app_name=name, now=0, before=old.executed))
        if new.executed >= _ENOUGH_CALLS and _rose(new.failed, new.failed_share, old.failed_share):
            found.append(Change(kind="failing", app_name=name, now=new.failed_share, before=old.failed_share))
        shares = [each.refused / max(1, each.executed + each.refused) for each in (new, old)]
        if new.executed + new.refused >= _ENOUGH_CALLS and _rose(new.refused, *shares):
            found.append(Change(kind="refused", app_name=name, now=shares[0], before=shares[1]))
    slower = []
    for (app_name, function_name), new in today.items():
        old = yesterday.get((app_name, function_name), Sums())
        more = new.mean_ms - old.mean_ms
        enough = min(new.executed, old.executed) >= _ENOUGH_CALLS
        if enough and more >= _MS_SLOWER and new.mean_ms >= old.mean_ms * _TIMES_SLOWER:
            slower.append((more * new.executed, app_name, function_name, new.mean_ms, old.mean_ms))
    for _, app_name, function_name, mean, mean_before in sorted(slower, reverse=True)[:_MOST_CHANGES]:
        found.append(
            Change(kind="slower", app_name=app_name, function_name=function_name, now=mean, before=mean_before)
        )
    return found


def _rose(number: int, share: float, before: float) -> bool:
    return number >= _MORE_FAILURES and share >= _LEAST_SHARE and share >= before * _TIMES_MORE_FAILURES


def _by_app(sums: Mapping[tuple[str, str], Sums]) -> dict[str, Sums]:
    found: dict[str, Sums] = {}
    for (app_name, _), each in sums.items():
        found.setdefault(app_name, Sums()).add(each)
    return found
