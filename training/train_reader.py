"""Train the reader: arguments, whether a function fits, and finding it, in turns on one encoder."""

import math
import random
import time
from collections import defaultdict
from collections.abc import Callable, Sequence

import torch
from attrs import frozen
from torch.nn import functional

from service_server.predict.encoder.base import BaseEncoder
from service_server.predict.encoder.wordpiece import WordPieces
from service_server.predict.reader.sheets import SheetLayout
from training.batches import argument_batches, fit_batches, retrieval_batches
from training.calls import Call
from training.examples import Examples
from training.reader import Reader

_TEMPERATURE = 0.05
_WARM_UP, _LEAST = 0.04, 0.02  # share of a cycle, and of its highest rate


@frozen(kw_only=True)
class Cycle:
    """So many steps from a highest rate, soon reached, down to next to nothing: one for the encoder, one for heads."""

    steps: int
    rate: float
    head_rate: float

    def factor(self, step: int) -> float:
        """Return the share of the highest rates at a step."""
        done = step / self.steps
        return min(1.0, done / _WARM_UP + 0.01) * (_LEAST + (1 - _LEAST) * 0.5 * (1 + math.cos(math.pi * done)))


# What the first leads to is of use already: whoever has less time stops there, and may go on another day.
CYCLES = (Cycle(steps=2900, rate=3e-4, head_rate=1.5e-3), Cycle(steps=7000, rate=2.5e-4, head_rate=1e-3))
# The mean of what two cycles led to is better than either: it knows less by heart. What the last one counts in it.
LAST_SHARE = 0.65


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


def train(
    reader: Reader,
    calls: Sequence[Call],
    words: WordPieces,
    cycle: Cycle,
    *,
    seed: int,
    fit_share: float = 0.33,
    retrieval_share: float = 0.07,
    told: Callable[[str], None] = print,
    rank: int = 0,
    processes: int = 1,
) -> None:
    """
    Train a reader on some calls for a cycle of steps, of some 2,000 pieces for each process.

    With several `processes` (of PyTorch's own group, which is there already) each draws its own examples and they share
    what they learn after each step: on few cores that is faster than one process with as many threads.
    """
    kinds, rng = random.Random(seed), random.Random(seed + rank)
    rates = (cycle.rate, cycle.head_rate)
    parameters: list[list[torch.nn.Parameter]] = [[], []]
    trained: dict[str, list[torch.nn.Parameter]] = defaultdict(list)
    for name, parameter in reader.named_parameters():
        in_encoder = name.startswith("encoder")
        parameters[not in_encoder].append(parameter)
        for kind in ("retrieval", "fit", "arguments"):
            if in_encoder or (kind != "retrieval" and name.startswith("fit.") == (kind == "fit")):
                trained[kind].append(parameter)
    optimizer = torch.optim.AdamW(
        [{"params": own} for own in parameters], weight_decay=0.01, betas=(0.9, 0.98), fused=True
    )
    examples = Examples(calls, SheetLayout(words), words, seed + rank)
    arguments, fits = argument_batches(examples, rng), fit_batches(examples, rng)
    retrievals = retrieval_batches(examples)
    sums: dict[str, list[float]] = defaultdict(list)
    begun = time.monotonic()
    for step in range(cycle.steps):
        factor = cycle.factor(step)
        for group, highest in zip(optimizer.param_groups, rates, strict=True):
            group["lr"] = highest * factor
        chance = kinds.random()
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
        if processes > 1:
            _share_gradients(trained[kind], processes)
        torch.nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        sums[kind].append(loss.item())
        if (step + 1) % 200 == 0:
            means = ", ".join(f"{kind} {sum(own) / len(own):.3f}" for kind, own in sorted(sums.items()))
            told(f"step {step + 1} of {cycle.steps}, {(time.monotonic() - begun) / 60:.1f} minutes: {means}")
            sums.clear()


def word_pieces_of(base: BaseEncoder) -> WordPieces:
    """Return the tokenizer of a base encoder."""
    return WordPieces(base.vocabulary.decode().removesuffix("\n").split("\n"))


def _share_gradients(parameters: Sequence[torch.nn.Parameter], processes: int) -> None:
    """Give every process the mean of the gradients that all have."""
    gradients = [torch.zeros_like(each) if each.grad is None else each.grad for each in parameters]
    flat = torch.cat([gradient.reshape(-1) for gradient in gradients])
    torch.distributed.all_reduce(flat)
    flat /= processes
    at = 0
    for parameter, gradient in zip(parameters, gradients, strict=True):
        parameter.grad = flat[at : at + gradient.numel()].view_as(gradient)
        at += gradient.numel()
