"""The base encoder in PyTorch; the table of words stays as it is, everything else is trained."""

from collections.abc import Mapping

import numpy as np
import torch
from torch import nn
from torch.nn import functional

LAYERS, WIDTH, HEADS, INNER = 6, 384, 12, 1536
_DROPPED = 0.1  # share of figures left out while it is trained, as in the base encoder's own training
# The matrices of a layer, by the names of the base encoder, with their shapes.
MATRICES = {
    "attention.self.query": (WIDTH, WIDTH),
    "attention.self.key": (WIDTH, WIDTH),
    "attention.self.value": (WIDTH, WIDTH),
    "attention.output.dense": (WIDTH, WIDTH),
    "intermediate.dense": (INNER, WIDTH),
    "output.dense": (WIDTH, INNER),
}


class Linear(nn.Module):
    """A linear layer that starts out as the base encoder's."""

    def __init__(self, weight: np.ndarray, bias: np.ndarray) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.tensor(weight))
        self.bias = nn.Parameter(torch.tensor(bias))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return `x` [..., inputs] as [..., outputs]."""
        return functional.linear(x, self.weight, self.bias)


class Layer(nn.Module):
    """One layer of the base encoder."""

    def __init__(self, base: Mapping[str, np.ndarray], prefix: str) -> None:
        super().__init__()
        self.parts = nn.ModuleDict(
            {
                name.replace(".", "_"): Linear(base[f"{prefix}{name}.weight"], base[f"{prefix}{name}.bias"])
                for name in MATRICES
            }
        )
        for norm in ("attention.output.LayerNorm", "output.LayerNorm"):
            for kind in ("weight", "bias"):
                value = nn.Parameter(torch.tensor(base[f"{prefix}{norm}.{kind}"]))
                self.register_parameter(f"{norm}.{kind}".replace(".", "_"), value)

    def _dropped(self, x: torch.Tensor) -> torch.Tensor:
        return functional.dropout(x, _DROPPED, self.training)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Return new states for `x` [batch, length, 384]; `mask` is added to the attention."""
        batch, length, _ = x.shape
        query, key, value = (
            self.parts[f"attention_self_{name}"](x).view(batch, length, HEADS, -1).transpose(1, 2)
            for name in ("query", "key", "value")
        )
        # Spelled out, because PyTorch's fused attention is three times slower backwards on CPUs with matrix units.
        weights = (query @ key.transpose(-1, -2)) * (WIDTH // HEADS) ** -0.5 + mask
        mixed = self._dropped(functional.softmax(weights, dim=-1, dtype=weights.dtype)) @ value
        mixed = mixed.transpose(1, 2).reshape(batch, length, WIDTH)
        x = functional.layer_norm(
            x + self._dropped(self.parts["attention_output_dense"](mixed)),
            (WIDTH,),
            self.attention_output_LayerNorm_weight,
            self.attention_output_LayerNorm_bias,
            1e-12,
        )
        inner = self._dropped(self.parts["output_dense"](functional.gelu(self.parts["intermediate_dense"](x))))
        return functional.layer_norm(
            x + inner, (WIDTH,), self.output_LayerNorm_weight, self.output_LayerNorm_bias, 1e-12
        )


class Encoder(nn.Module):
    """
    The base encoder: numbers of word pieces [batch, length] to states [batch, length, 384].

    `markers` rows of the vocabulary's unused pieces are trained, and so are the two kinds of segment.
    """

    def __init__(self, base: Mapping[str, np.ndarray], markers: int) -> None:
        super().__init__()
        words = torch.tensor(base["embeddings.word_embeddings.weight"])
        self.register_buffer("words", words)
        self.register_buffer("places", torch.tensor(base["embeddings.position_embeddings.weight"]))
        self.segments = nn.Parameter(torch.tensor(base["embeddings.token_type_embeddings.weight"]))
        self.markers = nn.Parameter(torch.zeros(markers, WIDTH))
        self.register_buffer("norm_weight", torch.tensor(base["embeddings.LayerNorm.weight"]))
        self.register_buffer("norm_bias", torch.tensor(base["embeddings.LayerNorm.bias"]))
        self.layers = nn.ModuleList(Layer(base, f"encoder.layer.{at}.") for at in range(LAYERS))

    def forward(self, ids: torch.Tensor, segments: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Return the states of sequences; `mask` [batch, length] is 1 for pieces and 0 behind the end."""
        embedded = functional.embedding(ids, self.words)
        marked = (ids >= 1) & (ids <= len(self.markers))  # [unused0] is piece 1 of the vocabulary
        chosen = functional.embedding((ids - 1).clamp(0, len(self.markers) - 1), self.markers)
        embedded = torch.where(marked[..., None], chosen, embedded)
        embedded = embedded + self.places[: ids.shape[1]] + functional.embedding(segments, self.segments)
        x = functional.layer_norm(embedded, (WIDTH,), self.norm_weight, self.norm_bias, 1e-12)
        attention = torch.zeros_like(mask, dtype=x.dtype).masked_fill(mask == 0, -1e4)[:, None, None, :]
        for layer in self.layers:
            x = layer(x, attention.to(x.dtype))
        return x
