"""What is learnt from a batch: finding functions, and whether one fits (for arguments: `reader.Reader.loss`)."""

from collections.abc import Sequence

import torch
from torch.nn import functional

_TEMPERATURE = 0.05


def retrieval_loss(vectors: torch.Tensor, prompts: int, wanted: Sequence[int]) -> torch.Tensor:
    """Return the cross entropy of finding each prompt's function in the whole batch, by the angle between vectors."""
    scores = vectors[:prompts] @ vectors[prompts:].T / _TEMPERATURE
    return functional.cross_entropy(scores, torch.tensor(wanted, device=scores.device))


def fit_loss(scores: torch.Tensor, sizes: Sequence[tuple[int, bool]]) -> torch.Tensor:
    """Return the mean over prompts of the cross entropy between their functions and "none" (score 0)."""
    total = scores.new_zeros(())
    at = 0
    for size, answered in sizes:
        own = torch.cat([scores[at : at + size], scores.new_zeros(1)])
        wanted = torch.tensor(0 if answered else size, device=scores.device)
        total = total + functional.cross_entropy(own, wanted)
        at += size
    return total / len(sizes)
