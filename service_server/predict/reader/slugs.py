"""Split a repository's whole name, "acme/web", for functions that take its owner and its own name separately."""

from collections.abc import Sequence

from service_server.predict.mentions import Mention
from service_server.predict.reader.answers import Reply
from service_server.predict.reader.filling import Filled
from service_server.predict.reader.questions import Question
from service_server.predict.words import words_of

_WHOLE = frozenset({"full", "slug"})
_OWNER = frozenset({"owner", "org", "organiz", "workspac", "namespac"})
_REPOSITORY = frozenset({"repo", "repositori"})

Halves = tuple[Question, Question]


def halves_of(questions: Sequence[Question]) -> Halves | None:
    """Return the questions for a repository's owner and its own name; None unless a function asks for both."""
    owner = own = None
    for question in questions:
        stems = {word.stem for word in words_of(question.name)}
        if len(question.path) > 1 or stems & _WHOLE:
            continue
        if stems & _OWNER:
            owner = owner or question
        elif stems & _REPOSITORY:
            own = own or question
    return (owner, own) if owner is not None and own is not None else None


def owner_and_name(halves: Halves, replies: Sequence[Reply], slugs: Sequence[Mention]) -> list[Filled]:
    """Return both halves of the whole name of which the reader takes a part for the repository, or else its owner."""
    best = {reply.question.path: reply.spans[0] for reply in replies if reply.spans}
    for question in reversed(halves):
        span = best.get(question.path)
        if span is None:
            continue
        whole = next((each for each in slugs if each.covers(span.start, span.end)), None)
        if whole is None:
            return []
        owner, _, name = whole.value.partition("/")
        return [
            Filled(halves[0], owner, whole.start, whole.start + len(owner), span.confidence),
            Filled(halves[1], name, whole.end - len(name), whole.end, span.confidence),
        ]
    return []
