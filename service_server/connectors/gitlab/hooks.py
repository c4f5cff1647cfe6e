"""What GitLab needs beyond data: people who are added, where an update replaces all of them."""

from typing import Any


def changed_people(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """
    Return who takes care and who reviews, without some and with further people, each only where anybody is given.

    Those who are new come first: where GitLab's edition allows one only, it takes the first.
    """
    prepared = {}
    for name, there in (("assignee_ids", "assignees"), ("reviewer_ids", "reviewers")):
        if name in arguments or f"remove_{name}" in arguments:
            leaving = arguments.get(f"remove_{name}") or []
            staying = [person["id"] for person in before[there] if person["id"] not in leaving]
            added = [person for person in arguments.get(name) or [] if person not in staying]
            prepared[name] = list(dict.fromkeys([*added, *staying]))
    return prepared
