"""What is learnt from a batch: finding functions, and whether one fits (for arguments: `reader.Reader.loss`)."""

from collections.abc import Sequence

import torch
from torch.nn import functional

from training.calls import Call
from training.rivals import Rivals

_TEMPERATURE = 0.05


def retrieval_loss(vectors: torch.Tensor, prompts: int, wanted: Sequence[int]) -> torch.Tensor:
    """Return the cross entropy of finding each prompt's function in the whole batch, by the angle between vectors."""
    scores = vectors[:prompts] @ vectors[prompts:].T / _TEMPERATURE
    return functional.cross_entropy(scores, torch.tensor(wanted))


def shipped_loss(
    prompts: torch.Tensor, texts: torch.Tensor, wanted: Sequence[int], calls: Sequence[Call], rivals: Rivals
) -> torch.Tensor:
    """
    Return the cross entropy of finding each prompt's function among all shipped ones, except those that serve as well.

    `texts` are the current vectors of the functions asked for, and `wanted` says which belongs to which prompt. All
    other functions have the vectors of the last renewal.
    """
    places = [rivals.place_of_asked(call) for call in calls]
    of_text = [places[wanted.index(text)] for text in range(len(texts))]
    wrong = torch.stack([rivals.wrong_for(call, place) for call, place in zip(calls, places, strict=True)])
    offered = wrong[:, of_text]
    offered[torch.arange(len(prompts)), list(wanted)] = True
    fresh = (prompts @ texts.T).masked_fill(~offered, -1.0)
    others = (prompts @ rivals.vectors.T).masked_fill(~wrong, -1.0)
    scores = torch.cat([fresh, others], dim=1) / _TEMPERATURE
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
