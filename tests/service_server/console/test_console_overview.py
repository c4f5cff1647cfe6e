"""The overview: what changed, and charts with the same figures as tables."""

import re
import time

import pytest

from service_server.console.charts import nice_top, stacked
from service_server.settings import default_database_url
from service_server.store import CallCounts, Sums
from tests.service_server.console.operator_browser import OperatorBrowser
from tests.service_server.databases import execute, rows
from tests.service_server.processes import RunningService
from tests.service_server.store.databases import opened

HOUR, DAY = 3600, 24 * 3600


async def count(service: RunningService, hours_ago: int, app: str, function: str, sums: Sums) -> None:
    """Add what processes have counted."""
    hour = int(time.time()) // HOUR * HOUR - hours_ago * HOUR
    async with opened(default_database_url(service.data_directory)) as database:
        await CallCounts(database).add({(hour, app, function): sums})


def row_of(page: str, app: str) -> list[str]:
    """The cells of an app's row, as texts."""
    found = re.search(rf'<tr>\s*<th scope="row"><a [^>]*app={app}">.*?</tr>', page, re.DOTALL)
    assert found is not None, page
    return [
        re.sub(r"<[^>]+>", "", cell).replace("\xa0", " ").strip()
        for cell in re.findall(r"<td.*?</td>", found.group(), re.DOTALL)
    ]


async def test_calls_are_charted_by_hour_day_and_app(
    operator: OperatorBrowser, console_service: RunningService
) -> None:
    """The figures of an app in each range, in its table and in the bars; one app can be looked at alone."""
    await count(console_service, 3, "kinto", "kinto-list-records", Sums(1234, 617, 3, 123_400.0, 2_468.0))
    await count(console_service, 50, "kinto", "kinto-list-records", Sums(1000, 0, 0, 100_000.0, 2_000.0))

    assert ["1,234", "617 (50 %)", "3", "100 ms", "2 ms"] == row_of(operator.page("/console"), "kinto")
    for query in ("range=week&app=kinto", "range=weeks&app=kinto"):
        page = operator.page(f"/console?{query}")
        assert ["2,234", "617 (28 %)", "3"] == row_of(page, "kinto")[:3]
        assert "app=sandbox" not in page.split('id="by-app"')[1].split("</table>")[0]
    bars = operator.page("/console?range=day&app=kinto")
    assert 48 == bars.count('class="hit"')
    assert "1234 executed, 617 of them failed; 3 refused</title>" in bars
    assert "100 ms at the apps, 2.0 ms here</title>" in bars
    assert "There were no calls in this time." in operator.page("/console?app=zendesk")
    assert "<h1>Overview</h1>" in operator.page("/console?range=nonsense&app=nonsense")


async def test_what_changed_since_yesterday_is_said(operator: OperatorBrowser, console_service: RunningService) -> None:
    """An app that fails, a function that got slow, an app that nobody calls, accounts that need their users."""
    await count(console_service, 30, "calendly", "calendly-list-events", Sums(100, 1, 0, 5_000.0, 100.0))
    await count(console_service, 2, "calendly", "calendly-list-events", Sums(100, 40, 0, 90_000.0, 100.0))
    await count(console_service, 30, "trello", "trello-list-boards", Sums(321, 0, 0, 1.0, 1.0))
    now = time.strftime("%Y-%m-%dT%H:%M:%S.000000Z", time.gmtime())
    for number, moment in enumerate(("2026-01-01T00:00:00.000000Z", now)):
        execute(
            console_service.data_directory,
            "INSERT INTO accounts (application_id, user_id, app_name, auth_id, display_name, state, "
            "sealed_credentials, variables, version, created_at, modified_at) "
            f"VALUES (1, 'lost {number}', 'trello', 'key', 'N', 'reconnect_required', '', '{{}}', 1, "
            f"'{moment}', '{moment}')",
        )
    page = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", operator.page("/console")))
    execute(console_service.data_directory, "DELETE FROM accounts WHERE user_id LIKE 'lost %'")

    assert "Calendly fails more often. 40 % of its calls failed in the last 24 hours, 1 % in the 24 before." in page
    assert "calendly-list-events got slower. 901 ms on average in the last 24 hours, 51 ms in the 24 before." in page
    assert "Trello is not called any more. There were 321 calls the day before" in page
    assert "2 accounts of Trello need a new connection, 1 of them since yesterday." in page


def test_calls_are_counted_while_the_service_runs(operator: OperatorBrowser, console_service: RunningService) -> None:
    """A refused call is in the counts within some seconds."""
    with console_service.api("counted") as api:
        assert 400 == api.post("/functions/sandbox-get-ticket/", json={}).status_code

    console_service.program.wait_until(
        lambda: (
            rows(
                console_service.data_directory,
                "SELECT 1 FROM call_counts WHERE function_name = 'sandbox-get-ticket' AND refused > 0",
            )
            or None
        )
    )


@pytest.mark.parametrize(
    ("largest", "top"), [(0, 1), (0.03, 0.03), (1, 1), (1.2, 1.5), (7, 8), (20, 20), (201, 300), (999, 1000)]
)
def test_a_chart_ends_at_a_round_number(largest: float, top: float) -> None:
    """Of one digit, and not below the largest value."""
    assert pytest.approx(top) == nice_top(largest)


def test_parts_stand_on_each_other() -> None:
    """From the bottom up, each as high as its value; what is zero isn't drawn."""
    chart = stacked(("good", "failed"), [(30, 10), (0, 0), (0, 50)], ["a", "b", "c"], ["1", "2", "3"])
    parts = [[(part.series, part.y, part.height) for part in bar.segments] for bar in chart.bars]

    assert 50 == chart.top
    assert [[("good", 40.0, 60.0), ("failed", 20.0, 20.0)], [], [("failed", 0.0, 100.0)]] == parts
    assert not chart.is_empty
    assert stacked(("good",), [(0,)], [""], [""]).is_empty


def test_labels_are_few() -> None:
    """However many bars there are, those below stay apart on a phone, each as far from the next."""
    found = []
    for bars in (24, 168, 56):
        labels = [str(number) for number in range(bars)]
        found.append(stacked(("good",), [(1,)] * bars, labels, labels).labels)

    assert [["0", "4", "8", "12", "16", "20"], ["0", "28", "56", "84", "112", "140"], ["0", "14", "28", "42"]] == found
