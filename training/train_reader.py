"""Train the reader: arguments, whether a function fits, and finding it, in turns on one encoder."""

import math
import random
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import count

import torch
from attrs import evolve, frozen

from service_server.predict.encoder.base import BaseEncoder
from service_server.predict.encoder.wordpiece import WordPieces
from service_server.predict.reader.sheets import SheetLayout
from training.batches import argument_batches, fit_batches, retrieval_batches, shipped_batches
from training.calls import Call
from training.examples import Examples
from training.function_vectors import found_loss
from training.losses import fit_loss, retrieval_loss
from training.reader import Reader
from training.rivals import Rivals

_WARM_UP, _LEAST = 0.04, 0.02  # share of a cycle, and of its highest rate
_RIVALS_RENEWED, _TOLD, _JOINED = 500, 100, 100  # after so many steps


@frozen(kw_only=True)
class Cycle:
    """
    A number of steps: the rates soon reach their highest, then fall almost to nothing. The heads have their own rate.

    The shares say how many of the steps teach whether a function fits, finding one among a few by what is written about
    them, and finding a shipped one by what people say; the rest teach arguments. `replay` is the share
    of prompts for unshipped functions in a pass.

    Processes go `together` if they share what they learn after each step. Otherwise each goes its own way for a hundred
    steps, and all go on from the mean. This is as good, and nobody waits for the slowest at every step. The first
    `frozen_layers` are not trained, which saves a third of the time. `size` makes batches as many times larger.
    """

    steps: int
    rate: float
    head_rate: float
    fit_share: float = 0.33
    retrieval_share: float = 0.07
    shipped_share: float = 0.0
    replay: float = 1.0
    together: bool = True
    frozen_layers: int = 0
    size: int = 1

    def factor(self, done: float) -> float:
        """Return the share of the highest rates to use when this share of the cycle is done."""
        return min(1.0, done / _WARM_UP + 0.01) * (_LEAST + (1 - _LEAST) * 0.5 * (1 + math.cos(math.pi * done)))

    def kind(self, chance: float) -> str:
        """Return the kind of step that a random number, 0 to 1, stands for."""
        shares = (("shipped", self.shipped_share), ("retrieval", self.retrieval_share), ("fit", self.fit_share))
        for kind, share in shares:
            chance -= share
            if chance < 0:
                return kind
        return "arguments"


# The first cycle's result is already useful: stop there if time is short, and continue another day.
CYCLES = (Cycle(steps=2900, rate=3e-4, head_rate=1.5e-3), Cycle(steps=7000, rate=2.5e-4, head_rate=1e-3))
# The cycle that starts from the shipped weights: more of finding functions than the first ones, and of newer prompts.
FURTHER = Cycle(
    steps=3000,
    rate=1.2e-4,
    head_rate=4e-4,
    fit_share=0.33,
    retrieval_share=0.07,
    shipped_share=0.25,
    replay=0.7,
    together=False,
    frozen_layers=3,
)
# The same where a graphics card does the work: all layers, and everything in the proportions of the first cycles.
FURTHER_ON_GPU = evolve(
    FURTHER, rate=2.5e-4, head_rate=8e-4, retrieval_share=0.1, shipped_share=0.2, replay=1.0, frozen_layers=0, size=2
)
# The mean of two cycles' results is better than either, since it has memorised less. This is the last one's share.
LAST_SHARE = 0.65


class _Lessons:
    """The batches of each kind of step, drawn as needed, and the loss of one."""

    def __init__(self, reader: Reader, examples: Examples, rivals: Rivals | None, rng: random.Random) -> None:
        self._reader = reader
        self._rivals = rivals
        self._arguments, self._fits = argument_batches(examples, rng), fit_batches(examples, rng)
        self._retrievals, self._of_shipped = retrieval_batches(examples), shipped_batches(examples)

    def renew_rivals(self, step: int) -> None:
        """Look again, every so many steps, at the functions to be told apart."""
        if self._rivals is not None and step and step % _RIVALS_RENEWED == 0:
            self._rivals.renew(self._reader)

    def loss(self, kind: str) -> torch.Tensor:
        """Return the loss of the next batch of a kind."""
        if kind == "shipped" and self._rivals is not None:
            asking, calls = next(self._of_shipped)
            wanted = torch.tensor([self._rivals.place_or_nothing(call) for call in calls], device=self._reader.device)
            return found_loss(self._reader.vectors(asking), self._rivals.vectors, wanted)
        if kind == "retrieval":
            batch, count_of_prompts, found = next(self._retrievals)
            return retrieval_loss(self._reader.vectors(batch), count_of_prompts, found)
        if kind == "fit":
            batch, sizes = next(self._fits)
            return fit_loss(self._reader.fits(batch), sizes)
        total, known = self._reader.loss(next(self._arguments))
        return total / max(1, known)


def train(
    reader: Reader,
    calls: Sequence[Call],
    words: WordPieces,
    cycle: Cycle,
    *,
    seed: int,
    minutes: float | None = None,
    told: Callable[[str], None] = print,
    rank: int = 0,
    processes: int = 1,
) -> None:
    """
    Train a reader on some calls for a cycle of steps, each of some 2,000 pieces per process, or for some minutes.

    With several `processes` (in PyTorch's own group, which already exists) each draws its own examples; with few cores
    that is faster than one process with as many threads.
    """
    sharing, joining = processes > 1 and cycle.together, processes > 1 and not cycle.together
    torch.manual_seed(seed + rank)
    reader.train()
    kinds = random.Random(seed)
    for part in (reader.encoder.segments, reader.encoder.markers, *reader.encoder.layers[: cycle.frozen_layers]):
        part.requires_grad_(not cycle.frozen_layers)
    layout = SheetLayout(words)
    rivals = Rivals(calls, layout, reader) if cycle.shipped_share else None
    optimizer, trained = _optimizer_of(reader)
    parameters = [each for each in reader.parameters() if each.requires_grad]
    if rivals is not None:
        optimizer.add_param_group({"params": [rivals.vectors], "weight_decay": 0.0})
        parameters.append(rivals.vectors)
    examples = Examples(calls, layout, words, seed + rank, rivals, cycle.replay, cycle.size)
    lessons = _Lessons(reader, examples, rivals, random.Random(seed + rank))
    sums: dict[str, list[float]] = defaultdict(list)
    begun = time.monotonic()
    for step in count():
        done = step / cycle.steps if minutes is None else (time.monotonic() - begun) / 60 / minutes
        at_join = joining and (step % _JOINED == 0 or (minutes is None and done >= 1))  # clocks differ, steps don't
        if at_join and step:
            _join(parameters, processes)
        done = _agreed(done) if sharing or at_join else done
        if done >= 1 and (at_join or not joining):
            break
        lessons.renew_rivals(step)
        factor = cycle.factor(min(1.0, done))
        for group, highest in zip(optimizer.param_groups, (cycle.rate, cycle.head_rate, cycle.head_rate), strict=False):
            group["lr"] = highest * factor
        kind = cycle.kind(kinds.random())
        loss = lessons.loss(kind)
        loss.backward()
        if sharing:
            _share_gradients(trained[kind], processes)
        torch.nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        sums[kind].append(loss.item())
        if (step + 1) % _TOLD == 0:
            means = ", ".join(f"{kind} {sum(own) / len(own):.3f}" for kind, own in sorted(sums.items()))
            told(f"step {step + 1}, {done:.0%}, {(time.monotonic() - begun) / 60:.1f} minutes: {means}")
            sums.clear()
    reader.eval()


def _optimizer_of(reader: Reader) -> tuple[torch.optim.Optimizer, dict[str, list[torch.nn.Parameter]]]:
    """Return a reader's optimizer, with encoder and heads separate, and which parameters each kind of step trains."""
    parameters: list[list[torch.nn.Parameter]] = [[], []]
    trained: dict[str, list[torch.nn.Parameter]] = defaultdict(list)
    for name, parameter in reader.named_parameters():
        if not parameter.requires_grad:
            continue
        in_encoder = name.startswith("encoder")
        parameters[not in_encoder].append(parameter)
        for kind in ("shipped", "retrieval"):
            if in_encoder:
                trained[kind].append(parameter)
        for kind in ("fit", "arguments"):
            if in_encoder or name.startswith("fit.") == (kind == "fit"):
                trained[kind].append(parameter)
    groups = [{"params": own} for own in parameters]
    return torch.optim.AdamW(groups, weight_decay=0.01, betas=(0.9, 0.98), fused=True), trained


def word_pieces_of(base: BaseEncoder) -> WordPieces:
    """Return the tokenizer of a base encoder."""
    return WordPieces(base.vocabulary.decode().removesuffix("\n").split("\n"))


def _agreed(done: float) -> float:
    """Return the first process's share of done work: clocks differ, and all must stop after the same step."""
    told = torch.tensor(done)  # on the CPU, as all that processes tell each other
    torch.distributed.broadcast(told, 0)
    return float(told)


def _join(parameters: Sequence[torch.nn.Parameter], processes: int) -> None:
    """Set every process's parameters to the mean of all."""
    with torch.no_grad():
        for parameter, mean in zip(parameters, _means(parameters, processes), strict=True):
            parameter.copy_(mean)


def _share_gradients(parameters: Sequence[torch.nn.Parameter], processes: int) -> None:
    """Set every process's gradients to the mean of all."""
    gradients = [torch.zeros_like(each) if each.grad is None else each.grad for each in parameters]
    for parameter, mean in zip(parameters, _means(gradients, processes), strict=True):
        parameter.grad = mean


def _means(own: Sequence[torch.Tensor], processes: int) -> list[torch.Tensor]:
    """Return the mean over all processes of each tensor, in one exchange."""
    flat = torch.cat([each.reshape(-1) for each in own]).cpu()
    torch.distributed.all_reduce(flat)
    means = (flat / processes).to(own[0].device).split([each.numel() for each in own])
    return [mean.view_as(each) for mean, each in zip(means, own, strict=True)]
