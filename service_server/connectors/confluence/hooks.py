"""The hook of the Confluence connector: a query in CQL out of words."""

from typing import Any


def title_query(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the CQL for pages whose titles have the words of `search`, the last one perhaps only begun."""
    # What is neither letter nor digit is an operator of the search language, or refused by it.
    text = "".join(character if character.isalnum() else " " for character in arguments.get("search", ""))
    conditions = ["type = page", *(f'title ~ "{word}*"' for word in text.split())]
    return {"cql": f"{' AND '.join(conditions)} ORDER BY lastmodified DESC"}
