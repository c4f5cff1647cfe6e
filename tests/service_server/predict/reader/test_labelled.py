"""Lists of items behind the argument's own name and a colon."""

import pytest

from service_server.predict.reader.answers import Reply, Span
from service_server.predict.reader.labelled import with_labelled
from service_server.predict.reader.questions import questions_of

TEXTS = {"type": "array", "items": {"type": "string"}}


def items(prompt: str, *seen: str, name: str = "watchers", kind: object = None) -> list[str]:
    """The items of a list of which the reader has seen some."""
    (question,) = questions_of({"properties": {name: kind or TEXTS}})
    spans = tuple(Span(prompt.index(each), prompt.index(each) + len(each), 0.9) for each in seen)
    reply = with_labelled(Reply(question, spans, (), None, 0.9, 0.1), prompt)
    return [prompt[span.start : span.end] for span in reply.spans]


@pytest.mark.parametrize(
    ("prompt", "seen", "expected"),
    [
        ('add the note "hi", watchers: Carla and Emre Erdem', ["Emre Erdem"], ["Carla", "Emre Erdem"]),
        ("a note. Watchers: Ana, Bo & Cy, and Dee. Text: hi", ["Bo"], ["Ana", "Bo", "Cy", "Dee"]),
        ("watchers: Carla and Emre Erdem", ["Carla", "Erdem"], ["Carla", "Erdem"]),
        ("watchers: Bo and whoever else may want to hear of it", ["Bo"], ["Bo"]),
        ("watchers are Carla and Emre", ["Emre"], ["Emre"]),
        ("ask Bo about watchers: Carla and Emre", ["Bo"], ["Bo"]),
        ("watchers: Carla and Emre", [], []),
    ],
)
def test_items_behind_the_label(prompt: str, seen: list[str], expected: list[str]) -> None:
    """What was overlooked is added where the reader saw some; what it saw stays, and long items are something else."""
    assert expected == items(prompt, *seen)


def test_only_lists_have_items() -> None:
    """A text may be about several people."""
    assert ["Emre"] == items("title: Carla and Emre", "Emre", name="title", kind={"type": "string"})
