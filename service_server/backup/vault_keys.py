"""Whether the vault's keys on this machine open what a backup holds."""

from collections.abc import Mapping

from service_server.settings import Settings
from service_server.vault import KeyFile, Keys, Vault, VaultKeyError, keys_from_text, prove


def keys_here(settings: Settings) -> Keys | None:
    """The keys of the environment or else of the key file; None if there are none. Raises VaultKeyError."""
    if settings.vault_key is not None:
        return keys_from_text(settings.vault_key)
    file = KeyFile(settings.vault_key_file)
    return file.read() if file.exists() else None


def keys_that_open(keys: Keys | None, proofs: Mapping[str, str], what: str) -> Keys | None:
    """
    Return the keys, once they have opened what was sealed with each key of the proofs.

    VaultKeyError says which are missing or wrong. None only if nothing was ever sealed and there are no keys.
    """
    missing = sorted(set(proofs) - set(keys.by_id if keys is not None else ()))
    if missing:
        raise VaultKeyError(
            f"The vault's {'key' if len(missing) == 1 else 'keys'} {', '.join(missing)}, which sealed the secrets in "
            f"{what}, {'is' if len(missing) == 1 else 'are'} not here. Put the vault.key that belongs to it into the "
            "data directory, or its content into SERVICE_VAULT_KEY."
        )
    if keys is not None:
        prove(Vault(keys), proofs)
    return keys
