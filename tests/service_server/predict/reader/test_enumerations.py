"""Items that stand side by side with those that the reader found are in the list as well."""

import pytest

from service_server.predict.reader.answers import Reply, Span
from service_server.predict.reader.enumerations import with_enumerated
from service_server.predict.reader.questions import Question, questions_of
from tests.service_server.predict.catalogue import text

OTHERS, INTO = questions_of(
    {"properties": {"others": {"type": "array", "items": {"type": "string"}}, "into": text("It.")}}
)


def reply(question: Question, prompt: str, *words: str) -> Reply:
    """Words of a prompt that the reader is fairly sure of."""
    spans = tuple(Span(prompt.index(each), prompt.index(each) + len(each), 0.8) for each in words)
    return Reply(question, spans, (), None, 0.8, 0.2)


@pytest.mark.parametrize(
    ("prompt", "thought_of", "expected"),
    [
        ("a chat with Joost, Mila and Okan about Bonn", ["Joost", "Mila"], ["Joost", "Mila", "Okan"]),
        ("a chat with Joost, Mila & Okan Berk please", ["Mila"], ["Joost", "Mila", "Okan Berk"]),
        ("give 7, 8 and 9 to her", ["8"], ["7", "8", "9"]),
        ("move WEB-1 and WEB-2 to done", ["WEB-2"], ["WEB-1", "WEB-2"]),
        ("invite a@x.example and b@y.example", ["a@x.example"], ["a@x.example", "b@y.example"]),
        ("Invite Joost and Mila", ["Mila"], ["Joost", "Mila"]),
        ("Thank Joost. Mila and Okan left", ["Joost"], ["Joost"]),
        ("buttons Yes and Another day", ["Yes"], ["Yes"]),
        ("invite Joost and Mila decides the rest", ["Joost"], ["Joost"]),
        ("label it urgent and bug", ["urgent"], ["urgent"]),
        ("Ping, Joost", ["Joost"], ["Joost"]),
    ],
)
def test_neighbours_of_the_same_form_are_items(prompt: str, thought_of: list[str], expected: list[str]) -> None:
    """Up to where the enumeration ends; a sentence's first word may be a verb."""
    (found,) = with_enumerated([reply(OTHERS, prompt, *thought_of)], prompt)

    assert expected == [prompt[span.start : span.end] for span in found.spans]


def test_another_answer_is_no_item() -> None:
    """What more likely is what they are merged into isn't merged itself."""
    prompt = "merge 7 and 8 and 9"
    likely = Reply(INTO, (Span(prompt.index("9"), len(prompt), 0.9),), (), None, 0.9, 0.1)

    for thought_of in (["8"], ["8", "9"]):
        found, _ = with_enumerated([reply(OTHERS, prompt, *thought_of), likely], prompt)
        assert ["7", "8"] == [prompt[span.start : span.end] for span in found.spans]
