"""Turn what was trained in PyTorch into an adapter, and back."""

from collections.abc import Iterator, Mapping

import numpy as np
import torch

from service_server.predict.encoder.adapter import Adapter
from training.encoder import LAYERS, MATRICES
from training.reader import Reader

HEADS = ("question", "word", "option", "alone", "nothing", "truth", "fit")
_NORMS = ("attention.output.LayerNorm", "output.LayerNorm")


def adapter_of(reader: Reader, base: Mapping[str, np.ndarray]) -> Adapter:
    """Return what turns the base encoder into the reader's."""
    trained = {name: value.detach().numpy() for name, value in _trained(reader)}
    rows = {name: value.detach().numpy() for name, value in _rows(reader)}
    heads = {name: value.detach().numpy() for name, value in _heads(reader)}
    return Adapter(changes={name: value - base[name] for name, value in trained.items()}, rows=rows, heads=heads)


def reader_of(adapter: Adapter, base: Mapping[str, np.ndarray]) -> Reader:
    """Return the reader that an adapter was made from, as exactly as its few bits allow, for further training."""
    reader = Reader(base)
    with torch.no_grad():
        for name, value in _trained(reader):
            value.add_(torch.tensor(adapter.changes[name]))
        for name, value in _rows(reader):
            value.copy_(torch.tensor(adapter.rows[name]))
        for name, value in _heads(reader):
            value.copy_(torch.tensor(adapter.heads[name]))
    return reader


def _trained(reader: Reader) -> Iterator[tuple[str, torch.nn.Parameter]]:
    """Yield the parameters that came from the base encoder, by its names."""
    for at in range(LAYERS):
        layer = reader.encoder.layers[at]
        for name in MATRICES:
            part = layer.parts[name.replace(".", "_")]
            yield f"encoder.layer.{at}.{name}.weight", part.weight
            yield f"encoder.layer.{at}.{name}.bias", part.bias
        for norm in _NORMS:
            for kind in ("weight", "bias"):
                yield f"encoder.layer.{at}.{norm}.{kind}", getattr(layer, f"{norm}.{kind}".replace(".", "_"))


def _rows(reader: Reader) -> Iterator[tuple[str, torch.nn.Parameter]]:
    yield "embeddings.token_type_embeddings.weight", reader.encoder.segments
    yield "embeddings.word_embeddings.weight", reader.encoder.markers


def _heads(reader: Reader) -> Iterator[tuple[str, torch.nn.Parameter]]:
    for name in HEADS:
        for kind in ("weight", "bias"):
            yield f"{name}.{kind}", getattr(getattr(reader, name), kind)
