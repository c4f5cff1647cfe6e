"""Put sheets of similar length together; the batches never end."""

import random
from collections.abc import Iterator

from service_server.predict.reader.sheets import Sheet
from training.alignment import Target
from training.calls import Call
from training.examples import Examples
from training.reader import Batch, batch_of, rows_for

_PIECES_A_BATCH = 2000
_SHEETS_SORTED, _GROUPS_SORTED = 1500, 400


def argument_batches(examples: Examples, rng: random.Random) -> Iterator[Batch]:
    """Yield batches of sheets of similar length, endlessly."""
    pieces = _PIECES_A_BATCH * examples.size
    while True:
        waiting: list[tuple[Sheet, tuple[Target, ...]]] = []
        for each in examples.argument_sheets():
            waiting.append(each)
            if len(waiting) == _SHEETS_SORTED:
                yield from _by_length(waiting, pieces, rng)
                waiting = []
        yield from _by_length(waiting, pieces, rng)


def _by_length(waiting: list[tuple[Sheet, tuple[Target, ...]]], pieces: int, rng: random.Random) -> Iterator[Batch]:
    waiting.sort(key=lambda each: len(each[0].ids))
    batches: list[list[tuple[Sheet, tuple[Target, ...]]]] = []
    current: list[tuple[Sheet, tuple[Target, ...]]] = []
    for each in waiting:
        if len(current) >= rows_for(len(each[0].ids), pieces):
            batches.append(current)
            current = []
        current.append(each)
    if current:
        batches.append(current)
    rng.shuffle(batches)
    for batch in batches:
        yield batch_of([sheet for sheet, _ in batch], [targets for _, targets in batch])


def fit_batches(examples: Examples, rng: random.Random) -> Iterator[tuple[Batch, list[tuple[int, bool]]]]:
    """Yield batches of groups: how many sheets each has, and whether its first is the right one."""
    pieces = _PIECES_A_BATCH * examples.size
    while True:
        waiting: list[tuple[list[Sheet], bool]] = []
        for each in examples.fit_groups():
            waiting.append(each)
            if len(waiting) == _GROUPS_SORTED:
                yield from _groups_by_length(waiting, pieces, rng)
                waiting = []
        yield from _groups_by_length(waiting, pieces, rng)


def _groups_by_length(
    waiting: list[tuple[list[Sheet], bool]], pieces: int, rng: random.Random
) -> Iterator[tuple[Batch, list[tuple[int, bool]]]]:
    """Yield batches of groups of similar length."""

    def longest(group: tuple[list[Sheet], bool]) -> int:
        return max(len(sheet.ids) for sheet in group[0])

    batches: list[list[tuple[list[Sheet], bool]]] = []
    count = 0
    for group in sorted((group for group in waiting if group[0]), key=longest):
        count += len(group[0])
        if not batches or count * longest(group) > pieces:
            batches.append([])
            count = len(group[0])
        batches[-1].append(group)
    rng.shuffle(batches)
    for batch in batches:
        sheets = [sheet for group, _ in batch for sheet in group]
        yield batch_of(sheets, [()] * len(sheets)), [(len(group), answered) for group, answered in batch]


def retrieval_batches(examples: Examples) -> Iterator[tuple[Batch, int, list[int]]]:
    """Yield batches of prompts followed by functions, how many prompts these are, and which function each asks for."""
    while True:
        for prompts, texts, wanted in examples.retrievals():
            sheets = [*prompts, *texts]
            yield batch_of(sheets, [()] * len(sheets)), len(prompts), wanted


def shipped_batches(examples: Examples) -> Iterator[tuple[Batch, list[Call]]]:
    """Yield batches of prompts for shipped functions, or for what none of them does, and the calls."""
    while True:
        for prompts, calls in examples.for_shipped():
            yield batch_of(prompts, [()] * len(prompts)), calls
