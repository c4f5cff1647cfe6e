"""Turn what was trained in PyTorch into an adapter."""

from collections.abc import Mapping

import numpy as np

from service_server.predict.encoder.adapter import Adapter
from training.encoder import LAYERS, MATRICES
from training.reader import Reader

HEADS = ("question", "word", "option", "alone", "nothing", "truth", "fit")
_NORMS = ("attention.output.LayerNorm", "output.LayerNorm")


def adapter_of(reader: Reader, base: Mapping[str, np.ndarray]) -> Adapter:
    """Return what makes the base encoder the reader's."""
    trained: dict[str, np.ndarray] = {}
    for at in range(LAYERS):
        layer = reader.encoder.layers[at]
        for name in MATRICES:
            part = layer.parts[name.replace(".", "_")]
            trained[f"encoder.layer.{at}.{name}.weight"] = part.weight.detach().numpy()
            trained[f"encoder.layer.{at}.{name}.bias"] = part.bias.detach().numpy()
        for norm in _NORMS:
            for kind in ("weight", "bias"):
                value = getattr(layer, f"{norm}.{kind}".replace(".", "_"))
                trained[f"encoder.layer.{at}.{norm}.{kind}"] = value.detach().numpy()
    rows = {
        "embeddings.token_type_embeddings.weight": reader.encoder.segments.detach().numpy(),
        "embeddings.word_embeddings.weight": reader.encoder.markers.detach().numpy(),
    }
    heads = {
        f"{name}.{kind}": getattr(getattr(reader, name), kind).detach().numpy()
        for name in HEADS
        for kind in ("weight", "bias")
    }
    return Adapter(changes={name: value - base[name] for name, value in trained.items()}, rows=rows, heads=heads)
