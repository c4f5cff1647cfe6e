"""Split a repository's whole name, "acme/web", for functions that take its owner and its own name separately."""

from collections.abc import Sequence

from service_server.predict.mentions import Mention
from service_server.predict.reader.answers import Reply
from service_server.predict.reader.filling import Filled
from service_server.predict.reader.questions import Question
from service_server.predict.repository_names import RepositoryName, repository_name
from service_server.predict.words import words_of

Halves = tuple[Question, Question]


def halves_of(questions: Sequence[Question]) -> Halves | None:
    """Return the questions for a repository's owner and its own name; None unless a function asks for both."""
    taken: dict[RepositoryName | None, Question] = {}
    for question in questions:
        if len(question.path) == 1:
            taken.setdefault(repository_name({word.stem for word in words_of(question.name)}), question)
    owner, own = taken.get(RepositoryName.OWNER), taken.get(RepositoryName.OWN)
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
