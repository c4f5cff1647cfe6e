"""What Google Analytics needs beyond data: names as objects, rows with their headers, and numbers of properties."""

from typing import Any

from service_server.catalog.hooks import InvalidRequest


def report(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write a report of some days, the last 28 if nobody says, the largest numbers first."""
    if ("filter_by" in arguments) != ("filter_text" in arguments):
        missing = "filter_text" if "filter_by" in arguments else "filter_by"
        raise InvalidRequest(missing, "has to be given with the other half of the condition")
    asked = _asked(arguments)
    asked["dateRanges"] = [{"startDate": arguments.get("start", "28daysAgo"), "endDate": arguments.get("end", "today")}]
    asked["limit"] = f"{arguments.get('limit', 1000):.0f}"
    if "filter_by" in arguments:
        text = {"matchType": "CONTAINS", "value": arguments["filter_text"]}
        asked["dimensionFilter"] = {"filter": {"fieldName": arguments["filter_by"], "stringFilter": text}}
    return {"report": asked}


def realtime_report(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write a report of the last half hour, the largest numbers first."""
    return {"report": _asked(arguments)}


def rows(body: Any) -> Any:
    """Return the rows of a report as objects: what they are broken down by, and the numbers."""
    dimensions = [header.get("name") for header in body.get("dimensionHeaders", [])]
    metrics = [header.get("name") for header in body.get("metricHeaders", [])]
    return {
        "rows": [
            dict(zip([*dimensions, *metrics], [*_values(row, "dimensionValues"), *_numbers(row)], strict=True))
            for row in body.get("rows", [])
        ]
    }


def properties(body: Any) -> Any:
    """Return the properties of all accounts, with their numbers and with names to choose them by."""
    found = []
    for account in body.get("accountSummaries", []):
        for each in account.get("propertySummaries", []):
            label = f"{each.get('displayName', '')} – {account.get('displayName', '')}"
            found.append({**each, "id": each.get("property", "").rpartition("/")[2], "label": label})
    return {"properties": found}


def _asked(arguments: dict[str, Any]) -> dict[str, Any]:
    if not arguments["metrics"]:
        raise InvalidRequest("metrics", "needs one at least")
    return {
        "metrics": [{"name": name} for name in arguments["metrics"]],
        "dimensions": [{"name": name} for name in arguments.get("dimensions", [])],
        "orderBys": [{"metric": {"metricName": arguments["metrics"][0]}, "desc": True}],
    }


def _values(row: Any, key: str) -> list[Any]:
    return [each.get("value") for each in row.get(key, [])]


def _numbers(row: Any) -> list[Any]:
    return [_number(value) for value in _values(row, "metricValues")]


def _number(text: Any) -> Any:
    try:
        return float(text) if "." in text or "e" in text.lower() else int(text)
    except (AttributeError, TypeError, ValueError):
        return text
