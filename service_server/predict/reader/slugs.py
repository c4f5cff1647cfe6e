"""Split a repository's whole name, "acme/web", for functions that take its owner and its own name separately."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from service_server.predict.reader.questions import Question
from service_server.predict.repository_names import RepositoryName, repository_name
from service_server.predict.words import words_of

_WHOLE = re.compile(r"([\w.-]+)/([\w.-]+)")


def owner_and_repository(questions: Sequence[Question], arguments: Mapping[str, Any]) -> dict[str, str]:
    """Return owner and own name by argument, where one argument was given the whole name; else nothing."""
    taken: dict[RepositoryName | None, str] = {}
    for question in questions:
        if len(question.path) == 1:
            taken.setdefault(repository_name({word.stem for word in words_of(question.name)}), question.path[0])
    owner, repository = taken.get(RepositoryName.OWNER), taken.get(RepositoryName.OWN)
    if owner is None or repository is None:
        return {}
    given = (arguments.get(repository), arguments.get(owner))
    whole = next((found for value in given if isinstance(value, str) and (found := _WHOLE.fullmatch(value))), None)
    return {owner: whole[1], repository: whole[2]} if whole is not None else {}
