"""What Square needs beyond data: money in cents, keys of requests, and variations by the names of their items."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from service_server.catalog.hooks import InvalidRequest

_WITHOUT_CENTS = frozenset({"JPY"})


def refund(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Write how much of a payment is given back: where nobody says, all that hasn't been given back already."""
    if "amount" not in arguments:
        left = before["paid"] - (before.get("refunded") or 0)
        if left <= 0:
            raise InvalidRequest("payment_id", "has been given back already")
        return {"key": str(uuid4()), "money": {"amount": left, "currency": before["currency"]}}
    return money({"currency": before["currency"], **arguments})


def money(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the amount of a refund or payment link in the smallest unit of its currency."""
    return {"key": str(uuid4()), "money": _money(arguments["amount"], arguments["currency"])}


def item(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write a new item with its only variation, which has the price; ids with # are replaced by Square."""
    money = _money(arguments["amount"], arguments["currency"])
    price = {"name": "Regular", "pricing_type": "FIXED_PRICING", "price_money": money}
    if "sku" in arguments:
        price["sku"] = arguments["sku"]
    variation = {"type": "ITEM_VARIATION", "id": "#variation", "item_variation_data": price}
    return {"key": str(uuid4()), "variations": [variation]}


def order(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the lines of an order: items of the catalogue, or what has a name and a price of its own."""
    lines = []
    for line in arguments["lines"]:
        written: dict[str, Any] = {"quantity": f"{line.get('quantity', 1):g}"}
        for given, sent in (("variation_id", "catalog_object_id"), ("name", "name"), ("note", "note")):
            if given in line:
                written[sent] = line[given]
        if "price" in line:
            written["base_price_money"] = _money(line["price"], arguments["currency"])
        lines.append(written)
    return {"key": str(uuid4()), "lines": lines}


def stock(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write that somebody has counted how many there are, now."""
    counted = {"quantity": f"{arguments['quantity']:g}", "state": "IN_STOCK", "occurred_at": _now()}
    return {"key": str(uuid4()), "counted": counted}


def variations(body: Any) -> Any:
    """List what can be sold: each variation of each item, called by both names."""
    found = []
    for each in body.get("items", []):
        data = each["item_data"]
        for variation in data.get("variations", []):
            inner = variation.get("item_variation_data", {})
            name = inner.get("name", "")
            label = data.get("name", "") if name in ("", "Regular") else f"{data.get('name', '')} – {name}"
            found.append({"id": variation["id"], "label": label, "price_money": inner.get("price_money")})
    return {**body, "items": found}


def named_orders(body: Any) -> Any:
    """Give every order words that people know it by: when it was made, which one it is, and what it comes to."""
    return _labelled(body, "orders", _order)


def named_payments(body: Any) -> Any:
    """Give every payment words that people know it by: when it was made, by whom or how, and how much it was."""
    return _labelled(body, "payments", _payment)


def version_to_change(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the version that is changed: the one that was seen, or the one there is now."""
    return {"version": arguments.get("version", before["version"])}


def _money(amount: float, currency: str) -> dict[str, Any]:
    return {"amount": round(amount * (1 if currency in _WITHOUT_CENTS else 100)), "currency": currency}


def _labelled(body: Any, key: str, words: Callable[[dict[str, Any]], list[Any]]) -> Any:
    if not isinstance(body, dict) or not isinstance(body.get(key), list):
        return body
    return {**body, key: [{**each, "label": " – ".join(filter(None, words(each)))} for each in body[key]]}


def _order(order: dict[str, Any]) -> list[Any]:
    known = order.get("reference_id") or order.get("ticket_name") or order.get("source", {}).get("name")
    return [order.get("created_at") or order["id"], known, _sum(order.get("total_money"))]


def _payment(payment: dict[str, Any]) -> list[Any]:
    card = payment.get("card_details", {}).get("card", {}).get("card_brand")
    by = payment.get("buyer_email_address") or card or payment.get("source_type")
    return [payment.get("created_at") or payment["id"], by, _sum(payment.get("amount_money"))]


def _sum(money: dict[str, Any] | None) -> str:
    if not money or "amount" not in money:
        return ""
    currency = money.get("currency", "")
    return f"{money['amount']} {currency}" if currency in _WITHOUT_CENTS else f"{money['amount'] / 100:.2f} {currency}"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
