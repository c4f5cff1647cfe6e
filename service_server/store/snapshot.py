"""What a copy of a database holds."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from attrs import field, frozen

Watch: TypeAlias = Callable[[int, int | None], None]
"""Is told how many bytes are done, and of how many, where that is known."""


@frozen
class Snapshot:
    """
    The state that was copied: its schema's revision, the rows of each table, and the vault's keys.

    `vault_keys` are proofs by key id: sealed values that show whether a key is the right one, and reveal nothing of it.
    """

    revision: str
    rows: Mapping[str, int]
    vault_keys: Mapping[str, str] = field(repr=False)
