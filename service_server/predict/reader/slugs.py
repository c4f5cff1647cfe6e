"""A repository's whole name, "acme/web", for functions that take its owner and its own name apart."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from service_server.predict.reader.questions import Question

_WHOLE = re.compile(r"([\w.-]+)/([\w.-]+)")
_OWNERS = frozenset({"owner", "org", "organization", "workspace", "namespace"})
_REPOSITORIES = frozenset({"repo", "repository"})
_WHOLE_NAMES = frozenset({"full", "slug"})


def owner_and_repository(questions: Sequence[Question], arguments: Mapping[str, Any]) -> dict[str, str]:
    """Return the owner and the repository's own name by argument, where one argument was given both; else nothing."""
    named = {question.path[0]: set(question.name.split()) for question in questions if len(question.path) == 1}
    owner = next((name for name, words in named.items() if words & _OWNERS), None)
    repository = next(
        (name for name, words in named.items() if words & _REPOSITORIES and not words & _WHOLE_NAMES), None
    )
    if owner is None or repository is None or owner == repository:
        return {}
    given = (arguments.get(repository), arguments.get(owner))
    whole = next((found for value in given if isinstance(value, str) and (found := _WHOLE.fullmatch(value))), None)
    return {owner: whole[1], repository: whole[2]} if whole is not None else {}
