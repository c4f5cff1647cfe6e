"""The overview: what has changed, calls and errors and time by hour or day, and how far all is set up."""

from collections.abc import Iterable
from datetime import UTC, datetime
from urllib.parse import urlencode

from litestar import Response

from service_server.administration.activity import RANGES, Activity, activity, changes
from service_server.console.apps import app_states
from service_server.console.charts import Chart, stacked
from service_server.console.visit import Visit
from service_server.store import CallFilter
from service_server.store.call_counts import DAY_SECONDS, HOUR_SECONDS

_SHOWN_CALLS = 5
_COUNTED_APPS = 200  # for more apps, finding out how far each is set up would take a while


async def overview(current: Visit) -> Response[bytes]:
    """Answer with the overview; its address may name a range and an app."""
    service = current.service
    names = service.catalog.app_names
    asked = current.query.get("range", "")
    chosen = asked if asked in RANGES else "day"
    app = current.query.get("app", "")
    app = app if service.catalog.connector(app) is not None else ""
    applications = await service.applications.everyone()
    shown = await activity(service.counts, chosen, app or None)
    found = await changes(service.counts, service.accounts)
    return current.page(
        "overview.html",
        applications=applications,
        names={each.id: each.name for each in applications},
        number_of_apps=len(names),
        apps=await app_states(service, names) if len(names) <= _COUNTED_APPS else None,
        calls=(await service.calls.calls(limit=_SHOWN_CALLS)).entries,
        has_unknown=bool((await service.calls.calls(limit=1, matching=CallFilter(outcome="unknown"))).entries),
        range=chosen,
        app=app,
        ranges=[(each, urlencode({"range": each} | ({"app": app} if app else {}))) for each in RANGES],
        activity=shown,
        calls_chart=_calls_chart(shown),
        time_chart=_time_chart(shown),
        rows=[(_period(begins, shown), sums) for begins, sums in shown.by_period if sums.executed or sums.refused],
        changes=found,
        titles=_titles(current, {*(name for name, _ in shown.by_app), *(each.app_name for each in found)}),
    )


def _titles(current: Visit, names: Iterable[str]) -> dict[str, str]:
    found = {name: current.service.catalog.connector(name) for name in names}
    return {name: name if connector is None else connector.title for name, connector in found.items()}


def _calls_chart(shown: Activity) -> Chart:
    values = [(sums.executed - sums.failed, sums.failed, sums.refused) for _, sums in shown.by_period]
    titles = [
        f"{_period(begins, shown)}: {sums.executed} executed, {sums.failed} of them failed; {sums.refused} refused"
        for begins, sums in shown.by_period
    ]
    return stacked(("good", "failed", "refused"), values, titles, _labels(shown))


def _time_chart(shown: Activity) -> Chart:
    values = [(sums.mean_app_ms, sums.mean_service_ms) for _, sums in shown.by_period]
    titles = [
        f"{_period(begins, shown)}: {sums.mean_app_ms:.0f} ms at the apps, {sums.mean_service_ms:.1f} ms here"
        for begins, sums in shown.by_period
    ]
    return stacked(("theirs", "ours"), values, titles, _labels(shown))


def _labels(shown: Activity) -> list[str]:
    form = "%H:%M" if shown.periods.number * shown.periods.seconds == DAY_SECONDS else "%d %b"
    return [datetime.fromtimestamp(begins, UTC).strftime(form) for begins in shown.periods.begins]


def _period(begins: int, shown: Activity) -> str:
    form = "%Y-%m-%d %H:%M" if shown.periods.seconds == HOUR_SECONDS else "%Y-%m-%d"
    return datetime.fromtimestamp(begins, UTC).strftime(form)
