"""The owner and the name of a repository, from its whole name."""

from typing import Any

import pytest

from service_server.predict.reader.questions import questions_of
from service_server.predict.reader.slugs import owner_and_repository


@pytest.mark.parametrize(
    ("names", "arguments", "expected"),
    [
        (("owner", "repo"), {"repo": "acme/web"}, {"owner": "acme", "repo": "web"}),
        (("owner", "repo"), {"repo": "acme/web", "owner": "feature"}, {"owner": "acme", "repo": "web"}),
        (("workspace", "repositoryName"), {"workspace": "a-b/c.d"}, {"workspace": "a-b", "repositoryName": "c.d"}),
        (("owner", "repo"), {"repo": "web", "owner": "acme"}, {}),
        (("owner", "repo"), {"repo": "a/b/c"}, {}),
        (("owner", "repo"), {"repo": 7}, {}),
        (("repo",), {"repo": "acme/web"}, {}),
        (("owner", "repo_full_name"), {"repo_full_name": "acme/web"}, {}),
    ],
)
def test_whole_names_are_split(names: tuple[str, ...], arguments: dict[str, Any], expected: dict[str, str]) -> None:
    """Only where the function asks for both halves, and one of them was given the whole."""
    questions = questions_of({"properties": {name: {"type": "string"} for name in names}})

    assert expected == owner_and_repository(questions, arguments)
