"""Opening the vault at start-up: a fresh one gets a key, an existing one without its key refuses."""

import os
from pathlib import Path

from service_server.store import VaultKeys
from service_server.vault.keys import Keys, VaultKeyError, keys_from_text, new_keys
from service_server.vault.vault import Unsealable, Vault

_PROOF = "vault key"


async def open_vault(store: VaultKeys, key_file: Path, key_text: str | None) -> Vault:
    """
    Return the vault whose keys stand in `key_text` (the environment) or else in `key_file`.

    When neither a key nor anything sealed exists, a key is made and written to the file (mode 0600). VaultKeyError if
    the database was sealed with a key that is not here: starting anyway would lose every credential.
    """
    proofs = await store.proofs()
    if key_text is not None:
        keys = keys_from_text(key_text)
    elif key_file.exists():
        keys = keys_from_text(key_file.read_text())
    elif proofs:
        raise VaultKeyError(
            f"The database holds sealed credentials, but its key is missing. Put the key back to {key_file} or set "
            "SERVICE_VAULT_KEY. Without it the credentials cannot be opened."
        )
    else:
        keys = new_keys()
        _write_private(key_file, keys)
    vault = Vault(keys)
    _prove(vault, keys, proofs)
    if keys.sealing not in proofs:
        await store.add(keys.sealing, vault.seal(_PROOF, _PROOF))
    return vault


def _prove(vault: Vault, keys: Keys, proofs: dict[str, str]) -> None:
    missing = sorted(set(proofs) - set(keys.by_id))
    if missing:
        raise VaultKeyError(f"The vault's key has no line with id {', '.join(missing)}, which sealed this database.")
    for key_id, proof in proofs.items():
        try:
            vault.open(proof, _PROOF)
        except Unsealable as error:
            raise VaultKeyError(f"The vault's key {key_id} is not the one that sealed this database.") from error


def _write_private(path: Path, keys: Keys) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(keys.text())
        file.flush()
        os.fsync(file.fileno())
