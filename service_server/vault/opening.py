"""Opening the vault at start-up: a fresh one gets a key, an existing one without its key refuses."""

import contextlib
import os
import tempfile
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
        keys = _named("SERVICE_VAULT_KEY", key_text)
    elif key_file.exists():
        keys = _kept(key_file)
    elif proofs:
        raise VaultKeyError(
            f"The database holds sealed credentials, but its key is missing. Put the key back to {key_file} or set "
            "SERVICE_VAULT_KEY. Without it the credentials cannot be opened."
        )
    else:
        _write_private(key_file, new_keys())
        keys = _kept(key_file)
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


def _kept(path: Path) -> Keys:
    try:
        text = path.read_text()
    except OSError as error:
        raise VaultKeyError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError:
        raise VaultKeyError(f"{path}: the vault key is not text") from None
    return _named(str(path), text)


def _named(source: str, text: str) -> Keys:
    try:
        return keys_from_text(text)
    except VaultKeyError as error:
        raise VaultKeyError(f"{source}: {error}") from None


def _write_private(path: Path, keys: Keys) -> None:
    """Write the file whole, unless another process that starts at the same time was first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, prefix=f"{path.name}.") as file:  # mode 0600
        file.write(keys.text())
        file.flush()
        os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(file.name, path)
