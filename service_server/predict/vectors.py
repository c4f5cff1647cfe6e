"""Vectors of texts, stored by a hash of the text so that only new texts cost anything."""

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from service_server.predict.reader.reader import WIDTH, Reader

_AT_ONCE = 256

Vector = NDArray[np.float16]


class Vectors:
    """The known vectors by the hash of their text; `changed` says whether any were added."""

    def __init__(self, known: dict[bytes, Vector] | None = None) -> None:
        self.known = known if known is not None else {}
        self.changed = False

    def of(self, texts: Sequence[str], reader: Reader) -> NDArray[np.float32]:
        """Return the vectors [texts, 384] of some texts, as exact as they are stored."""
        keys = [hashlib.sha256(text.encode()).digest()[:16] for text in texts]
        new = [at for at, key in enumerate(keys) if key not in self.known]
        for first in range(0, len(new), _AT_ONCE):
            places = new[first : first + _AT_ONCE]
            for place, vector in zip(places, reader.vectors([texts[at] for at in places]), strict=True):
                self.known[keys[place]] = vector.astype(np.float16)
            self.changed = True
        found = np.zeros((len(texts), WIDTH), np.float32)
        for at, key in enumerate(keys):
            found[at] = self.known[key]
        return found
