"""Names of tools: every vendor takes them, and each leads back to one function."""

import hashlib
import re
from collections.abc import Iterable

LONGEST_NAME = 63
"""The lowest limit that a vendor's documentation has named (Gemini's); the others take 64 or more."""

_FITTING = re.compile(rf"[A-Za-z_][A-Za-z0-9_-]{{0,{LONGEST_NAME - 1}}}\Z", re.ASCII)
_DIGEST = 8


def tool_names(functions: Iterable[str]) -> dict[str, str]:
    """
    Return the name of each function's tool.

    It is the function's own name if that fits. Other names are cut and end in a digest of the whole name, so that they
    are the same in every process and differ even if they begin alike.
    """
    names = list(functions)
    fitting = {name for name in names if _FITTING.match(name)}
    return {name: name if name in fitting else _fitted(name, fitting) for name in names}


def _fitted(name: str, taken: set[str]) -> str:
    plain = re.sub(r"[^A-Za-z0-9_-]", "_", name)
    begin = plain if re.match(r"[A-Za-z_]", plain) else f"_{plain}"
    digest = hashlib.sha256(name.encode()).hexdigest()
    for start in range(0, len(digest) - _DIGEST, _DIGEST):
        fitted = f"{begin[: LONGEST_NAME - _DIGEST - 1]}_{digest[start : start + _DIGEST]}"
        if fitted not in taken:
            taken.add(fitted)
            return fitted
    raise AssertionError("eight digests in a row cannot all be the name of another function")
