"""The owner and the name of a repository, from its whole name."""

import pytest

from service_server.predict.mentions import Kind, Mention
from service_server.predict.reader.answers import Reply, Span
from service_server.predict.reader.questions import questions_of
from service_server.predict.reader.slugs import halves_of, owner_and_name

PROMPT = "release v2 of acme/web from main"


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("owner", "repo"), ("owner", "repo")),
        (("tag", "repositoryName", "workspace"), ("workspace", "repositoryName")),
        (("repo",), None),
        (("owner", "repo_full_name"), None),
    ],
)
def test_which_functions_take_halves(names: tuple[str, ...], expected: tuple[str, str] | None) -> None:
    """Only those that ask for both."""
    halves = halves_of(questions_of({"properties": {name: {"type": "string"} for name in names}}))

    assert expected == (None if halves is None else tuple(question.path[0] for question in halves))


@pytest.mark.parametrize(
    ("read", "found"),
    [
        ({"repo": "web", "owner": "main"}, True),
        ({"repo": "acme/web"}, True),
        ({"owner": "acme"}, True),
        ({"repo": "v2", "owner": "acme"}, False),
        ({"repo": "acme/web from main"}, False),
        ({}, False),
    ],
)
def test_whole_names_are_split(read: dict[str, str], found: bool) -> None:
    """Where the reader takes a part of a whole name for the repository, both halves are known."""
    questions = questions_of({"properties": {name: {"type": "string"} for name in ("owner", "repo")}})
    halves = halves_of(questions)
    assert halves is not None
    replies = []
    for question in questions:
        words = read.get(question.path[0])
        start = PROMPT.index(words) if words is not None else 0
        spans = (Span(start, start + len(words), 0.9),) if words is not None else ()
        replies.append(Reply(question, spans, (), None, 0.9, 0.1))
    slug = Mention(Kind.SLUG, "acme/web", PROMPT.index("acme"), PROMPT.index("acme") + len("acme/web"))

    filled = owner_and_name(halves, replies, [slug])

    assert ([("owner", "acme"), ("repo", "web")] if found else []) == [
        (each.question.path[0], PROMPT[each.start : each.end]) for each in filled
    ]
    assert all(each.value == PROMPT[each.start : each.end] for each in filled)
