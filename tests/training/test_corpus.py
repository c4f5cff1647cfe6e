"""The corpus of training prompts: its format, and that all of it can be read."""

import random
from pathlib import Path

import pytest

from training.calls import Call, corpus_calls, for_calibration, for_training
from training.corpus import CorpusError, read_corpus
from training.shipped import shipped_functions
from training.swaps import Swaps

pytestmark = pytest.mark.slow

FILES = sorted((Path(__file__).parents[2] / "training" / "corpus").glob("*.txt"))
SMALL = """\
# Lockers
f reserve_box | Reserve a locker.
p size: string{small,large} = small | Size of the box
p email: string | Whom to tell
p hours: integer | How long
p parcels: [string] | Tracking numbers
p quiet: boolean | No message
+[2025-03-12] A {{big@size=large}} box, {{jo@shop.com@email}}, {{two days@hours=48}}, {{K-1@parcels}}, {{K-2@parcels}}
+ {{@quiet=true}}just a box, {{@email=a@b.c}}a@b.c
- Where is the depot?
"""


def test_a_file_is_read(tmp_path: Path) -> None:
    """Marks become spans with values; addresses may hold an @, and an empty mark takes in the value behind it."""
    file = tmp_path / "small.txt"
    file.write_text(SMALL)
    (group,) = read_corpus([file])
    first, second, none = group.prompts

    assert "A big box, jo@shop.com, two days, K-1, K-2" == first.text
    assert [("size", "large"), ("email", "jo@shop.com"), ("hours", 48), ("parcels", "K-1"), ("parcels", "K-2")] == [
        (span.parameter, span.value) for span in first.spans
    ]
    assert "2025-03-12" == first.now
    assert ["", "a@b.c"] == [second.text[span.start : span.end] for span in second.spans]
    assert none.function is None


def test_a_shipped_function_is_known_by_its_name(tmp_path: Path) -> None:
    """It brings its parameters, and its prompts ask for no other function of its app."""
    file = tmp_path / "shipped.txt"
    file.write_text("# Chat\nf =slack-send-message\n+ tell {{#ops@channel}} {{we are back up@text}}\n- who are you?\n")
    told, none = corpus_calls([file])

    assert ["#ops", "we are back up"] == [
        told.prompt[slice(*target.spans[0])] for _, target in told.questions if target.spans
    ]
    assert {"slack-list-channels", "slack-delete-message"} <= {other["name"] for other in told.others}
    assert ["slack-send-message"] == [other["name"] for other in none.others]


def test_a_name_stands_for_a_number_that_is_looked_up(tmp_path: Path) -> None:
    """Where a function lists the values; elsewhere a number is a number."""
    file = tmp_path / "shipped.txt"
    file.write_text("# Code\nf =gitlab-update-issue\n+ {{Lea@assignee_ids}} takes {{12@issue}}\n")
    (group,) = read_corpus([file])

    assert [("assignee_ids", "Lea"), ("issue", 12)] == [(span.parameter, span.value) for span in group.prompts[0].spans]


@pytest.mark.parametrize(
    "line",
    [
        "f =nobody-does-this",
        "f =slack-send-message\np text: string | Again",
        "p x: date | A day",
        "+ {{five@hours}} hours",
        "+ {{x@nobody}}",
        "+ {{huge@size}} box",
        "? what",
        "+ {{open",
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(tmp_path: Path, line: str) -> None:
    """An error names file and line."""
    file = tmp_path / "small.txt"
    file.write_text(f"{SMALL}{line}\n")

    with pytest.raises(CorpusError, match=r"small\.txt:1[12]: "):
        list(read_corpus([file]))


def test_all_of_the_corpus_is_read() -> None:
    """Every file is as the format says; every function has prompts, but for shipped ones that only compete for them."""
    groups = list(read_corpus(FILES))

    assert sum(len(group.functions) for group in groups) > 2500
    for group in groups:
        own = {function["name"] for function in group.functions}
        lacking = own - {prompt.function for prompt in group.prompts}
        assert lacking <= shipped_functions().keys(), group.title


@pytest.fixture(scope="module")
def calls() -> list[Call]:
    """The prompts of every fourth file of the corpus."""
    return list(corpus_calls(FILES[::4]))


def test_what_is_calibrated_on_is_not_trained_on(calls: list[Call]) -> None:
    """A group of the corpus is used for the one or for the other."""
    assert all(for_training(call) != for_calibration(call) for call in calls)
    assert 0.03 < sum(map(for_calibration, calls)) / len(calls) < 0.15


def test_swapped_values_stand_where_they_are_said_to(calls: list[Call]) -> None:
    """With other values in a prompt, its spans cover just these; what isn't a value stays."""
    calls = [call for call in calls[: len(calls) // 10] if call.targets]
    swaps = Swaps(calls, random.Random(1))
    changed = 0
    for call in calls:
        swapped = swaps.swapped(call)
        changed += swapped != call
        for (_, before), (_, after) in zip(call.questions, swapped.questions, strict=True):
            assert len(before.spans) == len(after.spans)
            for start, end in after.spans:
                assert 0 <= start < end <= len(swapped.prompt)
                assert swapped.prompt[start:end].strip()

    assert changed > len(calls) / 10
