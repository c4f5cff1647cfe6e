"""What WooCommerce needs beyond data: amounts of money as texts, what is left to refund, and added categories."""

from decimal import Decimal
from typing import Any

from service_server.catalog.hooks import InvalidRequest


def money(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the amounts among the arguments as texts."""
    names = ("price", "sale_price", "amount", "minimum", "maximum")
    return {name: f"{arguments[name]:.15g}" for name in names if name in arguments}


def refund(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Write how much of an order is given back: where nobody says, all that hasn't been given back already."""
    if "amount" in arguments:
        return money(arguments)
    refunded = sum((abs(Decimal(each["total"])) for each in before.get("refunds") or []), Decimal())
    left = Decimal(before["total"]) - refunded
    if left <= 0:
        raise InvalidRequest("order_id", "has been given back already")
    return {"amount": str(left)}


def changed_product(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Write the amounts; and the categories of a product, without some and with further ones, if any is given."""
    prepared = money(arguments)
    if "categories" in arguments or "remove_categories" in arguments:
        leaving = arguments.get("remove_categories") or []
        staying = [each["id"] for each in before["categories"] if each["id"] not in leaving]
        added = [each["id"] for each in arguments.get("categories") or []]
        prepared["categories"] = [{"id": each} for each in dict.fromkeys([*staying, *added])]
    return prepared
