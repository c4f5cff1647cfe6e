"""Vectors by which shipped functions are found: learnt from what people say for them, beginning with their headings."""

from collections.abc import Sequence

import torch
from torch.nn import functional

from service_server.predict.known_requests import SHARPNESS

_PASSES, _PROMPTS_A_STEP, _RATE = 12, 256, 2.5e-3
_SEED = 1


def learnt_vectors(prompts: torch.Tensor, wanted: Sequence[int], headings: torch.Tensor) -> torch.Tensor:
    """
    Return vectors [functions + 1, 384] by which the prompts' vectors [prompts, 384] find the functions `wanted`.

    The last one is for what none of them does. The others begin with the vectors of the functions' `headings`: what
    nobody is known to ask for keeps nearly that.
    """
    vectors = functional.pad(headings, (0, 0, 0, 1)).requires_grad_()
    optimizer = torch.optim.Adam([vectors])
    places = torch.tensor(wanted, device=prompts.device)
    order = torch.Generator().manual_seed(_SEED)
    for done in range(_PASSES):
        for group in optimizer.param_groups:
            group["lr"] = _RATE * (1 - done / _PASSES)
        for own in torch.randperm(len(prompts), generator=order).to(prompts.device).split(_PROMPTS_A_STEP):
            found_loss(prompts[own], vectors, places[own]).backward()
            optimizer.step()
            optimizer.zero_grad()
    return vectors.detach()


def found_loss(prompts: torch.Tensor, vectors: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
    """Return the cross entropy of finding each prompt's function among all."""
    return functional.cross_entropy(SHARPNESS * prompts @ vectors.T, wanted)
