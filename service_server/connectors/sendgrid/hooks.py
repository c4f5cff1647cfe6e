"""What SendGrid wants in a form that data can't say: moments as Unix times."""

from datetime import datetime
from typing import Any


def unix_times(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the moments among the arguments as seconds since 1970."""
    moments = {name: arguments.get(name) for name in ("send_at", "start_time", "end_time")}
    return {name: int(datetime.fromisoformat(text).timestamp()) for name, text in moments.items() if text is not None}
