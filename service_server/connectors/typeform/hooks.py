"""The hook of the Typeform connector: the addresses of a form's workspace and theme."""

from typing import Any
from urllib.parse import quote

_API = "https://api.typeform.com"


def places(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the workspace and the theme as Typeform refers to them, each only where it is given."""
    return {
        name: {"href": f"{_API}/{name}s/{quote(arguments[name], safe='')}"}
        for name in ("workspace", "theme")
        if name in arguments
    }
