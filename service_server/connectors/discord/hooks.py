"""What Discord needs beyond data: the moment at which a timeout ends."""

from datetime import UTC, datetime, timedelta
from typing import Any


def end_of_timeout(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return when somebody can write again who can't for some minutes from now."""
    return {"until": (datetime.now(UTC) + timedelta(minutes=arguments["minutes"])).isoformat(timespec="seconds")}
