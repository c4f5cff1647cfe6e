"""What PayPal needs beyond data: amounts as texts beside their currency, in each line too, and days nobody says."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from service_server.catalog.hooks import InvalidRequest

_LONGEST, _USUAL = timedelta(days=31), timedelta(days=30)


def invoice(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the items of an invoice, and when it is due."""
    prepared: dict[str, Any] = {"items": [_item(line, arguments["currency"]) for line in arguments["lines"]]}
    if "due_date" in arguments:
        prepared["term"] = {"term_type": "DUE_ON_DATE_SPECIFIED", "due_date": arguments["due_date"]}
    return prepared


def amount(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write an amount of money with its currency; nothing where none is given."""
    if "amount" not in arguments:
        return {}
    if "currency" not in arguments:
        raise InvalidRequest("currency", "must be given with an amount")
    return {"amount": _money(arguments["amount"], arguments["currency"])}


def payment(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the amount, if any, and the id that PayPal wants of each request that moves money."""
    return {"request_id": str(uuid4()), **amount(arguments)}


def period(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the days of a search for invoices, which PayPal wants both or none of."""
    if ("since" in arguments) != ("until" in arguments):
        raise InvalidRequest("until" if "since" in arguments else "since", "must be given, too")
    return {"days": {"start": arguments["since"], "end": arguments["until"]}} if "since" in arguments else {}


def days_asked(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the moments between which to list, which PayPal wants both: the last 30 days where nobody says."""
    given: dict[str, Any] = {name: arguments[name] for name in ("since", "until") if name in arguments}
    moments = {name: datetime.fromisoformat(text.upper()) for name, text in given.items()}
    now = datetime.now(UTC).replace(microsecond=0)
    since = moments.get("since", now)
    until = moments.get("until") or (since + _LONGEST if since < now - _LONGEST else max(since, now))
    if "since" not in moments:
        since = until - _USUAL if until.year > 1 else until
    return {"since": since.isoformat(), "until": until.isoformat(), **given}


def plan(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the billing cycles of a plan: a free trial where one is given, and then the price."""
    cycles = []
    if "trial_days" in arguments:
        trial = {"interval_unit": "DAY", "interval_count": int(arguments["trial_days"])}
        cycles.append({"tenure_type": "TRIAL", "sequence": 1, "total_cycles": 1, "frequency": trial})
    price = {"fixed_price": _money(arguments["price"], arguments["currency"])}
    frequency = {"interval_unit": arguments["unit"], "interval_count": int(arguments.get("every", 1))}
    regular = {"tenure_type": "REGULAR", "sequence": len(cycles) + 1, "total_cycles": int(arguments.get("cycles", 0))}
    return {"cycles": [*cycles, {**regular, "frequency": frequency, "pricing_scheme": price}]}


def payout(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write who gets how much of a payout."""
    items = []
    for each in arguments["recipients"]:
        money = {"currency": arguments["currency"], "value": _decimal(each["amount"])}
        item = {"recipient_type": "EMAIL", "receiver": each["email"], "amount": money}
        items.append({**item, "note": each["note"]} if "note" in each else item)
    return {"items": items}


def _item(line: dict[str, Any], currency: str) -> dict[str, Any]:
    item = {
        "name": line["name"],
        "quantity": _decimal(line.get("quantity", 1)),
        "unit_amount": _money(line["price"], currency),
    }
    if "description" in line:
        item["description"] = line["description"]
    if "tax_percent" in line:
        item["tax"] = {"name": line.get("tax_name", "Tax"), "percent": _decimal(line["tax_percent"])}
    return item


def _money(value: float, currency: str) -> dict[str, str]:
    return {"currency_code": currency, "value": _decimal(value)}


def _decimal(value: float) -> str:
    """Write a number without what some currencies have none of: 24 as it is, 24.5 with its cents."""
    return str(int(value)) if value == int(value) else f"{value:.2f}"
