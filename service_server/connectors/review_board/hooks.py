"""What Review Board needs beyond data: reviewers and bugs that are added, where an update replaces all of them."""

from typing import Any


def changed_lists(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the reviewers, groups and bugs of a draft, without some and with further ones; each only if given."""
    prepared = {}
    for name in ("people", "groups", "bugs"):
        if name in arguments or f"remove_{name}" in arguments:
            there = [each if isinstance(each, str) else each["title"] for each in before[name]]
            leaving = _items(arguments.get(f"remove_{name}", ""))
            staying = [each for each in there if each not in leaving]
            prepared[name] = ",".join(dict.fromkeys([*staying, *_items(arguments.get(name, ""))]))
    return prepared


def _items(text: str) -> list[str]:
    return [item.strip() for item in text.split(",") if item.strip()]
