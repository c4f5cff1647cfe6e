"""What is drawn for training: the functions beside the right one, and how often each source comes."""

from collections import Counter
from typing import Any

import pytest

from service_server.predict.encoder.wordpiece import WordPieces
from service_server.predict.reader.sheets import SheetLayout
from training.calls import Call
from training.examples import Examples

pytestmark = pytest.mark.slow

PROMPT = "who is in the channel"
RIGHT = "list_channel_members"
LIKE = ("list_channel_messages", "list_team_members", "list_team")
UNLIKE = ("brew_coffee", "rename_folder", "empty_bin")
WORDS = sorted({word for name in (RIGHT, *LIKE, *UNLIKE) for word in name.split("_")} | set(PROMPT.split()) | {":"})
VOCABULARY = ["[PAD]", "[unused0]", "[unused1]", "[unused2]", "[UNK]", "[CLS]", "[SEP]", *WORDS]


def function(name: str) -> dict[str, Any]:
    """Return a function whose description says its name again."""
    return {"name": name, "description": name.replace("_", " "), "parameters": {"type": "object", "properties": {}}}


ASKED = function(RIGHT)
OTHERS = tuple(function(name) for name in (*LIKE, *UNLIKE))


def examples_of(*calls: Call) -> Examples:
    """Return examples drawn from calls."""
    words = WordPieces(VOCABULARY)
    return Examples(calls, SheetLayout(words), words, seed=1)


def drawn(examples: Examples, passes: int) -> list[tuple[list[str], bool]]:
    """Return the groups of several passes, each function's sheet as words."""
    groups = [group for _ in range(passes) for group in examples.fit_groups()]
    return [
        ([" ".join(VOCABULARY[number] for number in sheet.ids) for sheet in sheets], answered)
        for sheets, answered in groups
    ]


def test_the_right_function_comes_first_or_nothing_fits() -> None:
    """Now and then it isn't offered; then none of those that are is right."""
    groups = drawn(examples_of(Call(source="corpus", prompt=PROMPT, function=ASKED, others=OTHERS)), 200)

    offered = [any("list channel members" in sheet for sheet in sheets) for sheets, _ in groups]
    assert offered == [answered for _, answered in groups]
    assert 0.1 < offered.count(False) / len(offered) < 0.3
    assert all(
        "channel members" in sheets[0] or "[SEP] who is" in sheets[0]  # a heading is left out now and then
        for sheets, answered in groups
        if answered
    )


def test_it_is_told_from_those_that_are_likest() -> None:
    """Functions that share words with it stand beside it more often than those that share none."""
    groups = drawn(examples_of(Call(source="corpus", prompt=PROMPT, function=ASKED, others=OTHERS)), 200)
    seen = Counter(
        other["name"] for sheets, _ in groups for other in OTHERS for sheet in sheets if other["description"] in sheet
    )

    assert min(seen[name] for name in LIKE[:2]) > 2 * max(seen[name] for name in UNLIKE)


def test_a_source_of_little_variety_comes_less_often() -> None:
    """What people typed is drawn several times a pass, placeholders hardly."""
    typed = Call(source="bfcl-live_multiple", prompt=PROMPT, function=ASKED, others=OTHERS)
    noisy = Call(source="metatool", prompt=PROMPT, function=ASKED, others=OTHERS)

    assert 3 * 50 == len(drawn(examples_of(typed), 50))
    assert len(drawn(examples_of(noisy), 50)) < 10


def test_the_readers_own_mistakes_stand_beside_the_right_one() -> None:
    """Where it is known which functions are taken for the right one, these are what it is told from."""
    mistakes = [function(f"{name}_again") for name in UNLIKE] + [function("list_tea")]

    class Known:
        def of(self, call: Call) -> list[dict[str, Any]]:
            return mistakes

    words = WordPieces([*VOCABULARY, "again", "tea"])
    call = Call(source="corpus", prompt=PROMPT, function=ASKED, others=OTHERS)
    examples = Examples([call], SheetLayout(words), words, 1, Known())
    mistake = {words.ids("again")[0], words.ids("tea")[0]}
    groups = [sheets for _ in range(50) for sheets, _ in examples.fit_groups()]

    assert all(2 == sum(not mistake.isdisjoint(sheet.ids) for sheet in sheets) for sheets in groups)


def test_other_prompts_than_those_for_shipped_functions_come_less_often_later() -> None:
    """A later cycle goes through all that asks for shipped functions, and repeats a share of the rest."""
    everyday = Call(source="everyday", prompt=PROMPT, function=ASKED, others=OTHERS)
    corpus = Call(source="corpus", prompt=f"again {PROMPT}", function=ASKED, others=OTHERS)
    words = WordPieces([*VOCABULARY, "again"])
    examples = Examples([everyday, corpus], SheetLayout(words), words, 1, replay=0.25)
    groups = [sheets for _ in range(100) for sheets, _ in examples.fit_groups()]
    repeated = sum(words.ids("again")[0] in sheets[0].ids for sheets in groups)

    assert 10 < repeated < 40
    assert 100 == len(groups) - repeated


def test_prompts_for_shipped_functions_come_with_what_they_ask_for() -> None:
    """All of them come once, also those that no function serves, those of one length together."""
    calls = [Call(source="everyday", prompt=f"{PROMPT} {at}", function=ASKED, others=OTHERS) for at in range(90)]
    calls.append(Call(source="everyday", prompt=PROMPT, function=None, others=OTHERS))
    calls.append(Call(source="corpus", prompt=PROMPT, function=ASKED, others=OTHERS))
    batches = list(Examples(calls, SheetLayout(WordPieces(VOCABULARY)), WordPieces(VOCABULARY), 1).for_shipped())

    assert [27, 64] == sorted(len(prompts) for prompts, _ in batches)
    assert all(len(prompts) == len(asking) for prompts, asking in batches)
    assert {call.prompt for call in calls} == {call.prompt for _, asking in batches for call in asking}
    assert {"everyday"} == {call.source for _, asking in batches for call in asking}
