"""What WooCommerce needs beyond data: it takes amounts of money as texts, and refuses numbers."""

from typing import Any


def money(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the amounts among the arguments as texts."""
    names = ("price", "sale_price", "amount", "minimum", "maximum")
    return {name: f"{arguments[name]:.15g}" for name in names if name in arguments}
