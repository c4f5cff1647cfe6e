"""What WordPress needs beyond data: categories and tags that are added, where an update replaces all of them."""

from typing import Any


def changed_terms(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the categories and tags of a post, without some and with further ones; each only if given."""
    prepared = {}
    for name in ("categories", "tags"):
        if name in arguments or f"remove_{name}" in arguments:
            leaving = arguments.get(f"remove_{name}") or []
            staying = [term for term in before[name] if term not in leaving]
            prepared[name] = list(dict.fromkeys([*staying, *(arguments.get(name) or [])]))
    return prepared
