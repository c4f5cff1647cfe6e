"""Lists of the API, with all their pages."""

from typing import Any

import httpx


def all_pages(api: httpx.Client, path: str) -> list[dict[str, Any]]:
    """What a list holds, page after page; the list is named as its path."""
    found: list[dict[str, Any]] = []
    cursor = ""
    while True:
        body = api.get(path, params={"cursor": cursor} if cursor else {}).json()
        found += body[path.strip("/")]
        if not (cursor := body["cursor"]):
            return found
