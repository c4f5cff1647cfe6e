"""Reports of Google Analytics, as the connector's hooks write and read them."""

import json
from typing import Any

import pytest

from service_server.catalog.hooks import InvalidRequest
from tests.connectors.building import connector_of, request_of


def asked(function: str, **arguments: Any) -> Any:
    """Return what a report asks for."""
    connector = connector_of("google_analytics")
    found = connector.functions[f"google_analytics-{function}"]
    return json.loads(request_of(connector, found, {"property": "1", **arguments}).body)


def read(function: str, answer: Any) -> Any:
    """Return what a function makes of an answer."""
    return connector_of("google_analytics").functions[f"google_analytics-{function}"].pick(answer)


def test_a_report_is_of_the_last_days_unless_somebody_says() -> None:
    """Days, and how many rows there are, have values of their own; the largest numbers come first."""
    sent = asked("run-report", metrics=["sessions", "activeUsers"])

    assert [{"startDate": "28daysAgo", "endDate": "today"}] == sent["dateRanges"]
    assert "1000" == sent["limit"]
    assert [{"metric": {"metricName": "sessions"}, "desc": True}] == sent["orderBys"]
    assert "dimensionFilter" not in sent


def test_a_condition_has_two_halves() -> None:
    """A text is looked for in what a dimension says; one without the other is refused at what is missing."""
    sent = asked("run-report", metrics=["sessions"], filter_by="pagePath", filter_text="/blog")

    assert {"filter": {"fieldName": "pagePath", "stringFilter": {"matchType": "CONTAINS", "value": "/blog"}}} == sent[
        "dimensionFilter"
    ]
    for given, missing in (("filter_by", "filter_text"), ("filter_text", "filter_by")):
        with pytest.raises(InvalidRequest) as problem:
            asked("run-report", metrics=["sessions"], **{given: "x"})

        assert missing == problem.value.field


def test_right_now_has_no_days() -> None:
    """A report of right now is of the last half hour and takes no days."""
    assert {"metrics", "dimensions", "orderBys"} == set(
        asked("run-realtime-report", metrics=["activeUsers"], dimensions=["city"])
    )


def test_a_report_without_numbers_is_refused() -> None:
    """There is nothing to sort by, and nothing to show."""
    with pytest.raises(InvalidRequest) as problem:
        asked("run-report", metrics=[])

    assert "metrics" == problem.value.field


def test_rows_have_their_headers() -> None:
    """Each row says what is what, and numbers are numbers."""
    answer = {
        "dimensionHeaders": [{"name": "country"}],
        "metricHeaders": [{"name": "activeUsers"}, {"name": "engagementRate"}],
        "rows": [{"dimensionValues": [{"value": "Peru"}], "metricValues": [{"value": "12"}, {"value": "0.5"}]}],
    }

    assert [{"country": "Peru", "activeUsers": 12, "engagementRate": 0.5}] == read("run-report", answer)
    assert [] == read("run-realtime-report", {"metricHeaders": [{"name": "activeUsers"}]})


def test_properties_have_numbers_and_names() -> None:
    """Requests take a property's number, people know it by its name and its account's."""
    summary = {"property": "properties/123", "displayName": "Shop"}
    answer = {"accountSummaries": [{"displayName": "Acme", "propertySummaries": [summary]}, {"displayName": "Empty"}]}
    (found,) = read("list-properties", answer)

    assert ("123", "Shop – Acme") == (found["id"], found["label"])
