"""What ActiveCampaign needs beyond data: values in hundredths."""

from typing import Any


def in_hundredths(arguments: dict[str, Any]) -> dict[str, Any]:
    """Count a value in hundredths of its currency."""
    return {"value": round(arguments["value"] * 100)} if "value" in arguments else {}
