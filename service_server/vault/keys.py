"""Vault keys: lines of `<id>:<base64 of 32 bytes>` (or commas in between); the first one seals, all of them open."""

import base64
import re
import secrets
from collections.abc import Mapping

from attrs import field, frozen

KEY_BYTES = 32
_KEY_ID = re.compile(r"[a-z0-9]{1,16}")


class VaultKeyError(Exception):
    """The vault's key is missing, malformed or the wrong one; says what to do."""


@frozen
class Keys:
    """The keys of a vault; `sealing` is the id of the one that new values are sealed with."""

    sealing: str
    by_id: Mapping[str, bytes] = field(repr=False)

    def text(self) -> str:
        """The form in which keys are kept in a file or an environment variable."""
        ordered = sorted(self.by_id, key=lambda key_id: key_id != self.sealing)
        return "".join(f"{key_id}:{base64.b64encode(self.by_id[key_id]).decode()}\n" for key_id in ordered)


def new_keys() -> Keys:
    """A fresh random key with a random id."""
    key_id = secrets.token_hex(4)
    return Keys(key_id, {key_id: secrets.token_bytes(KEY_BYTES)})


def keys_from_text(text: str) -> Keys:
    """Read keys; VaultKeyError names the line that is wrong, never its content."""
    by_id: dict[str, bytes] = {}
    for number, line in enumerate(text.replace(",", "\n").splitlines(), start=1):
        if not line.strip():
            continue
        key_id, _, encoded = line.strip().partition(":")
        key = _decoded(encoded)
        if key is None:  # raised out here: the decoder's own error carries the text of the key
            raise VaultKeyError(f"line {number} of the vault key is not base64")
        if not _KEY_ID.fullmatch(key_id) or len(key) != KEY_BYTES or key_id in by_id:
            raise VaultKeyError(f"line {number} of the vault key is not `<id>:<base64 of {KEY_BYTES} bytes>`")
        by_id[key_id] = key
    if not by_id:
        raise VaultKeyError("the vault key is empty")
    return Keys(next(iter(by_id)), by_id)


def _decoded(encoded: str) -> bytes | None:
    try:
        return base64.b64decode(encoded, validate=True)
    except ValueError:
        return None
