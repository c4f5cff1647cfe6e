"""What a backup says about itself: it is read first and written last."""

import json
from collections.abc import Mapping
from typing import Any

from attrs import asdict, field, frozen
from cattrs import Converter
from cattrs.errors import BaseValidationError

FORMAT = 1
MANIFEST = "manifest.json"
DATABASE = "database"
VAULT_KEY = "vault.key"
MOST_BYTES = 1024 * 1024

_CONVERTER = Converter()


class BackupError(Exception):
    """A backup that can't be made, read or restored; says why and what to do, and holds no secret."""


@frozen
class Part:
    """One file in a backup: its size in bytes, and its SHA-256 in hex."""

    bytes: int
    sha256: str


@frozen(kw_only=True)
class Manifest:
    """
    What a backup holds: the `release` that made it, the kind of `database`, and the `revision` of its schema.

    `rows` counts each table. `vault_keys` are the keys that open its secrets: for each id a proof, which shows whether
    a key is the right one and reveals nothing about the key itself. The moment is UTC.
    """

    format: int
    release: str
    database: str
    revision: str
    made_at: str
    rows: Mapping[str, int]
    vault_keys: Mapping[str, str] = field(repr=False)
    parts: Mapping[str, Part]

    @property
    def key_ids(self) -> list[str]:
        """The ids of the vault's keys that are needed to open what is in it."""
        return sorted(self.vault_keys)

    @property
    def holds_keys(self) -> bool:
        """Whether the vault's keys are in it, too, so that whoever has the file has every credential."""
        return VAULT_KEY in self.parts

    def text(self) -> str:
        """The JSON text that the backup holds."""
        return json.dumps(asdict(self), indent=2)

    def described(self) -> dict[str, Any]:
        """What programs are told of it."""
        return {
            "release": self.release,
            "database": self.database,
            "revision": self.revision,
            "made_at": self.made_at,
            "vault_key_ids": self.key_ids,
            "holds_vault_keys": self.holds_keys,
            "rows": dict(self.rows),
        }


def manifest_of(text: bytes) -> Manifest:
    """Read a manifest; raises BackupError."""
    try:
        content = json.loads(text)
        form = content["format"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BackupError("its manifest can't be read") from None
    if form != FORMAT:
        raise BackupError(f"its format is {form!r:.20}, and this release reads {FORMAT}: use the release that made it")
    try:
        return _CONVERTER.structure(content, Manifest)
    except (BaseValidationError, ValueError, TypeError, KeyError):
        raise BackupError("its manifest is not whole") from None
