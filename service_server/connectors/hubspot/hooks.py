"""Hooks of the HubSpot connector."""

from decimal import Decimal
from typing import Any


def amount_as_text(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the amount of a deal as a text, as HubSpot has all properties, where one is given."""
    return {"amount": f"{Decimal(str(arguments['amount'])):f}"} if "amount" in arguments else {}
