"""What WooCommerce needs beyond data: amounts of money as texts, and categories that are added."""

from typing import Any


def money(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the amounts among the arguments as texts."""
    names = ("price", "sale_price", "amount", "minimum", "maximum")
    return {name: f"{arguments[name]:.15g}" for name in names if name in arguments}


def changed_product(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Write the amounts; and the categories of a product, without some and with further ones, if any is given."""
    prepared = money(arguments)
    if "categories" in arguments or "remove_categories" in arguments:
        leaving = arguments.get("remove_categories") or []
        staying = [each["id"] for each in before["categories"] if each["id"] not in leaving]
        added = [each["id"] for each in arguments.get("categories") or []]
        prepared["categories"] = [{"id": each} for each in dict.fromkeys([*staying, *added])]
    return prepared
