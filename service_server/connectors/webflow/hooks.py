"""What Webflow needs beyond data: every item has a name for its address, which people don't think of."""

import re
import unicodedata
from typing import Any


def item(arguments: dict[str, Any]) -> dict[str, Any]:
    """Make a name for the address of a new item out of its name, where none is given."""
    slug = arguments.get("slug")
    if slug is None:
        plain = unicodedata.normalize("NFKD", arguments["name"]).encode("ascii", "ignore").decode()
        slug = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:256]
    return {"slug": slug} if slug else {}
