"""Turn what was trained in PyTorch into an adapter file."""

import torch

from service_server.predict.encoder.adapter import Adapter
from training.encoder import ADAPTED, LAYERS
from training.reader import Reader

HEADS = ("question", "word", "option", "alone", "nothing", "truth", "fit")


def adapter_of(reader: Reader, heads: tuple[str, ...] = HEADS) -> Adapter:
    """Return a reader's adapter."""
    up, down = {}, {}
    for at in range(LAYERS):
        for name in ADAPTED:
            part = reader.encoder.layers[at].parts[name.replace(".", "_")]
            up[f"encoder.layer.{at}.{name}.weight"] = (part.up * part.scale).detach().numpy()
            down[f"encoder.layer.{at}.{name}.weight"] = part.down.detach().numpy()
    replaced = {"embeddings.token_type_embeddings.weight": reader.encoder.segments.detach().numpy()}
    if reader.encoder.markers is not None:
        replaced["embeddings.word_embeddings.weight"] = reader.encoder.markers.detach().numpy()
    tensors = {
        f"{name}.{kind}": getattr(getattr(reader, name), kind).detach().to(torch.float32).numpy()
        for name in heads
        for kind in ("weight", "bias")
    }
    return Adapter(up=up, down=down, replaced=replaced, heads=tensors)
