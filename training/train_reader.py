"""Train the reader: arguments and whether a function fits, in turns on one encoder."""

import math
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from attrs import evolve
from torch.nn import functional

from service_server.predict.encoder.safetensors import tensors_of
from service_server.predict.encoder.wordpiece import WordPieces
from service_server.predict.reader.questions import Answer, Question, heading_of, questions_of
from service_server.predict.reader.sheets import Sheet, SheetLayout
from training.calls import ABSENT, Call, Target
from training.swaps import Swaps
from training.reader import Batch, Reader, batch_of, piece_spans

_PIECES_A_BATCH = 2000
_PROMPTS_A_BATCH = 20
_TEMPERATURE = 0.05
# Large sets of little variety: this share of each is drawn for a pass over all.
PACKS = (1, 1, 1, 2, 3)
_SHARES = {"snips": 0.15, "seal-tools": 0.6}


class Examples:
    """Draws sheets for training from calls."""

    def __init__(self, calls: Sequence[Call], layout: SheetLayout, words: WordPieces, seed: int) -> None:
        self._calls = calls
        self._layout = layout
        self._words = words
        self._random = random.Random(seed)
        self._swaps = Swaps(calls, self._random)
        self._pool: dict[str, list[dict]] = defaultdict(list)
        seen: set[tuple[str, str]] = set()
        for call in calls:
            for function in (call.function, *call.others):
                if function and (call.source, function["name"]) not in seen:
                    seen.add((call.source, function["name"]))
                    self._pool[call.source.partition("-")[0]].append(function)

    def argument_sheets(self) -> Iterator[tuple[Sheet, tuple[Target, ...]]]:
        """Yield the sheets of one pass over all calls with arguments."""
        for call in self._shuffled([call for call in self._calls if call.targets]):
            if self._random.random() > _SHARES.get(call.source, 1.0):
                continue
            call = self._swaps.swapped(call)
            questions = [self._varied(question) for question in questions_of(call.function["parameters"])]
            order = [at for at, target in enumerate(call.targets) if target.known]
            if call.source == "snips":  # its nine questions a prompt are mostly without an answer
                absent = [at for at in order if call.targets[at] == ABSENT]
                order = [at for at in order if at not in absent[2:]]
            if self._random.random() < 0.5:
                self._random.shuffle(order)
            pieces = self._words.pieces(call.prompt)
            heading = self._heading(call.function)
            at = 0
            while at < len(order):
                asked = sorted(order[at : at + self._random.choice(PACKS)])
                at += len(asked)
                yield self._layout.sheet(heading, questions, asked, pieces), tuple(call.targets[p] for p in asked)

    def _heading(self, function: dict) -> str:
        """Return a function's heading; now and then without its name or its description, as people leave them out."""
        name, description = function["name"], function["description"]
        chance = self._random.random()
        if chance < 0.08:
            return heading_of("function", description)
        return heading_of(name, "" if chance < 0.14 else description)

    def _varied(self, question: Question) -> Question:
        """Return a question, now and then with a name or a description that says nothing."""
        chance = self._random.random()
        head, _, description = question.text.partition(": ")
        name, _, kind = head.rpartition(" (")
        if chance < 0.06 and description:
            return evolve(question, text=f"{self._random.choice('abcnpqxyz')} ({kind}: {description}")
        if chance < 0.12:
            return evolve(question, text=f"{name} ({kind}: ")
        return question

    def fit_groups(self, most: int) -> Iterator[list[Sheet]]:
        """Yield the sheets of one prompt: the function it asks for comes first, or is not there (then the first is empty)."""
        calls = [call for call in self._calls if call.source != "snips"]
        by_source: dict[str, list[Call]] = defaultdict(list)
        for call in calls:
            by_source[call.source].append(call)
        chosen = []
        for own in by_source.values():
            chosen += self._shuffled(own)[:most]
        for call in self._shuffled(chosen):
            others = list(call.others)
            self._random.shuffle(others)
            others = others[:3]
            asked = call.function
            if asked and others and call.source != "metatool" and self._random.random() < 0.15:
                asked = None  # what is asked for isn't offered: then nothing fits
            wanted = call.function
            pool = self._pool[call.source.partition("-")[0]]
            taken = {call.function["name"] if call.function else "", *(other["name"] for other in others)}
            for _ in range(1 if others else 3):
                other = self._random.choice(pool)
                if other["name"] not in taken and (wanted is None or other["description"] != wanted["description"]):
                    taken.add(other["name"])
                    others.append(other)
            yield [self._pair(function, call) for function in ([asked] if asked else []) + others], bool(asked)

    def retrievals(self) -> Iterator[tuple[list[Sheet], list[Sheet], list[int]]]:
        """Yield some prompts, the functions they ask for with others beside them, and which is whose."""
        by_source: dict[str, list[Call]] = defaultdict(list)
        for call in self._calls:
            if call.function is not None and call.source != "snips":
                by_source[call.source].append(call)
        calls = self._shuffled([call for own in by_source.values() for call in self._shuffled(own)[:4000]])
        for first in range(0, len(calls) - _PROMPTS_A_BATCH, _PROMPTS_A_BATCH):
            texts: dict[str, Sheet] = {}
            prompts, wanted = [], []
            for call in calls[first : first + _PROMPTS_A_BATCH]:
                others = self._random.sample(call.others, min(1, len(call.others)))
                for function in (call.function, *others):
                    texts.setdefault(
                        function["name"],
                        self._layout.text(heading_of(function["name"], function["description"])),
                    )
                prompts.append(self._layout.text(call.prompt[:600]))
                wanted.append(list(texts).index(call.function["name"]))
            yield prompts, list(texts.values()), wanted

    def _pair(self, function: dict, call: Call) -> Sheet:
        names = [question.name for question in questions_of(function["parameters"])]
        heading = self._heading(function)
        return self._layout.pairs(heading, names, self._words.pieces(call.prompt[:1500])[:200])

    def _shuffled(self, calls: Sequence[Call]) -> list[Call]:
        calls = list(calls)
        self._random.shuffle(calls)
        return calls


def argument_batches(examples: Examples, rng: random.Random) -> Iterator[Batch]:
    """Yield batches of sheets of similar length, for ever."""
    while True:
        waiting: list[tuple[Sheet, tuple[Target, ...]]] = []
        for each in examples.argument_sheets():
            waiting.append(each)
            if len(waiting) == 1500:
                yield from _by_length(waiting, rng)
                waiting = []
        yield from _by_length(waiting, rng)


def _by_length(waiting: list, rng: random.Random) -> Iterator[Batch]:
    waiting.sort(key=lambda each: len(each[0].ids))
    batches, current = [], []
    for each in waiting:
        if current and (len(current) + 1) * len(each[0].ids) > _PIECES_A_BATCH:
            batches.append(current)
            current = []
        current.append(each)
    if current:
        batches.append(current)
    rng.shuffle(batches)
    for batch in batches:
        yield batch_of([sheet for sheet, _ in batch], [targets for _, targets in batch])


def fit_batches(examples: Examples, most: int, rng: random.Random) -> Iterator[tuple[Batch, list[tuple[int, bool]]]]:
    """Yield batches of groups: how many sheets each has, and whether its first is the right one."""
    while True:
        waiting: list[tuple[list[Sheet], bool]] = []
        for each in examples.fit_groups(most):
            waiting.append(each)
            if len(waiting) == 400:
                yield from _groups_by_length(waiting, rng)
                waiting = []
        yield from _groups_by_length(waiting, rng)


def _groups_by_length(
    waiting: list[tuple[list[Sheet], bool]], rng: random.Random
) -> Iterator[tuple[Batch, list[tuple[int, bool]]]]:
    """Yield batches of groups of similar length."""

    def longest(group: tuple[list[Sheet], bool]) -> int:
        return max(len(sheet.ids) for sheet in group[0])

    batches: list[list[tuple[list[Sheet], bool]]] = []
    count = 0
    for group in sorted((group for group in waiting if group[0]), key=longest):
        count += len(group[0])
        if not batches or count * longest(group) > _PIECES_A_BATCH:
            batches.append([])
            count = len(group[0])
        batches[-1].append(group)
    rng.shuffle(batches)
    for batch in batches:
        sheets = [sheet for group, _ in batch for sheet in group]
        yield batch_of(sheets, [()] * len(sheets)), [(len(group), answered) for group, answered in batch]


def retrieval_batches(examples: Examples) -> Iterator[tuple[Batch, int, list[int]]]:
    """Yield batches of prompts followed by functions, how many prompts, and which function each asks for."""
    while True:
        for prompts, texts, wanted in examples.retrievals():
            sheets = [*prompts, *texts]
            yield batch_of(sheets, [()] * len(sheets)), len(prompts), wanted


def retrieval_loss(vectors: torch.Tensor, prompts: int, wanted: Sequence[int]) -> torch.Tensor:
    """Return the cross entropy of finding each prompt's function among all of the batch by the angle of vectors."""
    scores = vectors[:prompts] @ vectors[prompts:].T / _TEMPERATURE
    return functional.cross_entropy(scores, torch.tensor(wanted))


def fit_loss(scores: torch.Tensor, sizes: Sequence[tuple[int, bool]]) -> torch.Tensor:
    """Return the mean over prompts of the cross entropy between their functions and "none" (score 0)."""
    total = scores.new_zeros(())
    at = 0
    for size, answered in sizes:
        own = torch.cat([scores[at : at + size], scores.new_zeros(1)])
        total = total + functional.cross_entropy(own, torch.tensor(0 if answered else size))
        at += size
    return total / len(sizes)


@torch.no_grad()
def measured(reader: Reader, calls: Sequence[Call], layout: SheetLayout, words: WordPieces) -> dict[str, str]:
    """Return by source how many calls, and how many questions, are answered rightly."""
    right: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    kinds: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for call in calls:
        if not call.targets:
            continue
        questions = questions_of(call.function["parameters"])
        heading = heading_of(call.function["name"], call.function["description"])
        good = True
        targets = iter(call.targets)
        sheets = list(layout.sheets(heading, questions, words.pieces(call.prompt)))
        if not sheets:
            continue
        batch = batch_of(sheets, [()] * len(sheets))
        for sheet, answers in zip(sheets, decoded(reader, batch), strict=True):
            for question, answer in zip(sheet.questions, answers, strict=True):
                target = next(targets)
                if not target.known:
                    continue
                hit = answer == wanted(sheet, target, question.answer)
                right[call.source][2] += hit
                right[call.source][3] += 1
                kinds[question.answer][0] += hit
                kinds[question.answer][1] += 1
                good = good and hit
        right[call.source][0] += good
        right[call.source][1] += 1
    result = {s: f"{100 * a / b:.1f}/{100 * c / max(1, d):.1f} ({b})" for s, (a, b, c, d) in sorted(right.items())}
    return result | {k: f"{100 * a / b:.1f} ({b})" for k, (a, b) in kinds.items()}


def wanted(sheet: Sheet, target: Target, answer: Answer) -> object:
    if answer is Answer.BOOLEAN:
        return target.truth
    if answer in (Answer.OPTION, Answer.OPTIONS):
        return target.options
    return tuple(piece_spans(sheet, target))


def decoded(reader: Reader, batch: Batch) -> Iterator[list[object]]:
    """Yield the answers to the questions of each sheet."""
    states = reader.states(batch)
    for row, sheet in enumerate(batch.sheets):
        words = reader.word(states[row]).view(-1, 2, 128)
        alone = reader.alone(states[row])
        inside = batch.words[row] == 1
        answers: list[object] = []
        for at, question in enumerate(sheet.questions):
            marked = states[row, sheet.marks[at]]
            asked = reader.question(marked).view(3, 128)
            nothing = reader.nothing(marked)
            if question.answer is Answer.BOOLEAN:
                answers.append((None, True, False)[int(reader.truth(marked).argmax())])
                continue
            if question.options:
                scores = reader.option(states[row, list(sheet.option_marks[at])]) @ asked[2] * 128**-0.5
                scores = scores + alone[list(sheet.option_marks[at]), 2]
                if question.answer is Answer.OPTIONS:
                    answers.append(tuple(o for o, s in zip(sheet.offered[at], scores, strict=True) if s > nothing[2]))
                else:
                    best = int(scores.argmax())
                    answers.append((sheet.offered[at][best],) if scores[best] > nothing[2] else ())
                continue
            starts = (words[:, 0] @ asked[0] * 128**-0.5 + alone[:, 0]).masked_fill(~inside, -1e4) - nothing[0]
            ends = (words[:, 1] @ asked[1] * 128**-0.5 + alone[:, 1]).masked_fill(~inside, -1e4) - nothing[1]
            answers.append(spans_of(starts.numpy(), ends.numpy(), several=question.answer is Answer.LIST))
        yield answers


def spans_of(starts: np.ndarray, ends: np.ndarray, *, several: bool) -> tuple[tuple[int, int], ...]:
    if several:
        begun = [int(at) for at in np.flatnonzero(starts > 0)]
        found = []
        for number, start in enumerate(begun):
            limit = begun[number + 1] if number + 1 < len(begun) else len(ends)
            limit = max(limit, start + 1)
            end = start + int(ends[start:limit].argmax())
            if ends[end] > -2:
                found.append((start, end))
        return tuple(found)
    scores = starts[:, None] + ends[None, :]
    scores = np.where(np.tri(len(starts), k=-1, dtype=bool), -1e9, scores)
    best = int(scores.argmax())
    start, end = divmod(best, len(ends))
    return ((start, end),) if scores[start, end] > 0 else ()


def train(
    calls: Sequence[Call],
    wheel: Path,
    *,
    steps: int,
    seed: int = 1,
    rate: float = 2e-4,
    head_rate: float = 1.2e-3,
    fit_share: float = 0.33,
    retrieval_share: float = 0.12,
    told: Callable[[str], None] = print,
    checkpoint: Path | None = None,
) -> Reader:
    """Return a reader trained on some calls for so many steps of some 2,000 pieces each."""
    torch.manual_seed(seed)
    rng = random.Random(seed)
    words = WordPieces((wheel / "vocab.txt").read_text("utf-8").splitlines())
    reader = Reader(tensors_of((wheel / "model.safetensors").read_bytes()))
    rates = (rate, head_rate)
    parameters: list[list[torch.nn.Parameter]] = [[], []]
    for name, parameter in reader.named_parameters():
        parameters[not name.startswith("encoder")].append(parameter)
    optimizer = torch.optim.AdamW([{"params": own} for own in parameters], weight_decay=0.01, betas=(0.9, 0.98))
    examples = Examples(calls, SheetLayout(words), words, seed)
    arguments, fits = argument_batches(examples, rng), fit_batches(examples, 3000, rng)
    retrievals = retrieval_batches(examples)
    sums: dict[str, list[float]] = defaultdict(list)
    begun = time.monotonic()
    for step in range(steps):
        done = step / steps
        factor = min(1.0, done / 0.04 + 0.01) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * done)))
        for group, base in zip(optimizer.param_groups, rates, strict=True):
            group["lr"] = base * factor
        chance = rng.random()
        if chance < retrieval_share:
            kind = "retrieval"
            batch, prompts, wanted_ones = next(retrievals)
            loss = retrieval_loss(reader.vectors(batch), prompts, wanted_ones)
        elif chance < retrieval_share + fit_share:
            kind = "fit"
            batch, sizes = next(fits)
            loss = fit_loss(reader.fits(batch), sizes)
        else:
            kind = "arguments"
            batch = next(arguments)
            total, count = reader.loss(batch)
            loss = total / max(1, count)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        sums[kind].append(loss.item())
        if (step + 1) % 200 == 0:
            means = ", ".join(f"{kind} {sum(own) / len(own):.3f}" for kind, own in sorted(sums.items()))
            told(f"step {step + 1} of {steps}, {(time.monotonic() - begun) / 60:.1f} minutes: {means}")
            sums.clear()
        if checkpoint is not None and (step + 1) % 1000 == 0:
            torch.save(reader.state_dict(), checkpoint)
    return reader
