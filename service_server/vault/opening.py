"""Opening the vault at start-up: a fresh one gets a key, an existing one without its key refuses."""

from collections.abc import Mapping
from pathlib import Path

from service_server.store import VaultKeys
from service_server.vault.key_file import KeyFile, named_keys
from service_server.vault.keys import VaultKeyError, new_keys
from service_server.vault.vault import Unsealable, Vault

_PROOF = "vault key"


async def open_vault(store: VaultKeys, key_file: Path, key_text: str | None) -> Vault:
    """
    Return the vault whose keys are in `key_text` (the environment) or else in `key_file`.

    If there is neither a key nor anything sealed, a key is made and written to the file (mode 0600). VaultKeyError if
    the database was sealed with a key that is not here: starting anyway would lose every credential. A vault whose keys
    come from the file follows it when it is replaced.
    """
    proofs = await store.proofs()
    vault = existing_vault(proofs, key_file, key_text)
    if vault is None:
        file = KeyFile(key_file)
        file.create(new_keys())
        vault = Vault.of_file(file)
    key_id = vault.sealing_key_id
    while key_id not in proofs and not await store.add(key_id, vault.seal(_PROOF, _PROOF), proofs):
        # Another process was first, perhaps with a key of its own.
        proofs = await store.proofs()
        prove(vault, proofs)
    return vault


def existing_vault(proofs: Mapping[str, str], key_file: Path, key_text: str | None) -> Vault | None:
    """
    Return the vault of the keys that are there, once it has opened all the proofs of a database; changes nothing.

    None where there are neither keys nor proofs, before the service has run. Raises VaultKeyError as `open_vault` does.
    """
    file = KeyFile(key_file)
    if key_text is not None:
        vault = Vault(named_keys("SERVICE_VAULT_KEY", key_text))
    elif file.exists():
        vault = Vault.of_file(file)
    elif proofs:
        raise VaultKeyError(
            f"The database holds sealed credentials, but its key is missing. Put the key back to {key_file} or set "
            "SERVICE_VAULT_KEY. Without it the credentials cannot be opened."
        )
    else:
        return None
    prove(vault, proofs)
    return vault


def prove(vault: Vault, proofs: Mapping[str, str]) -> None:
    """Make sure that a vault opens what was sealed with the keys of these proofs, by key id; raises VaultKeyError."""
    missing = sorted(set(proofs) - set(vault.key_ids))
    if missing:
        raise VaultKeyError(
            f"The vault's key has no line with id {', '.join(missing)}, which sealed this database. All processes on a "
            "database need the same keys: copy the vault.key of the first one, or set SERVICE_VAULT_KEY."
        )
    for key_id, proof in proofs.items():
        try:
            vault.open(proof, _PROOF)
        except Unsealable as error:
            raise VaultKeyError(f"The vault's key {key_id} is not the one that sealed this database.") from error
