"""The vault: the one place that seals and opens secrets (AES-256-GCM, keys with ids, bound to what they are for)."""

from service_server.vault.kept import Kept
from service_server.vault.key_file import KeyFile
from service_server.vault.keys import Keys, VaultKeyError, keys_from_text, new_keys
from service_server.vault.opening import existing_vault, open_vault, prove
from service_server.vault.vault import Unsealable, Vault

__all__ = [
    "Kept",
    "KeyFile",
    "Keys",
    "Unsealable",
    "Vault",
    "VaultKeyError",
    "existing_vault",
    "keys_from_text",
    "new_keys",
    "open_vault",
    "prove",
]
