"""Operators' passwords: kept as scrypt hashes, never as they are."""

import base64
import hashlib
import hmac
import secrets

from service_server.administration.failures import AdministrationError

COST, BLOCK_SIZE, PARALLELISM = 2**15, 8, 1  # 32 MiB and some 60 ms a check
MEMORY_BYTES = 64 * 1024 * 1024
SHORTEST, LONGEST = 8, 1024
"""How many characters a new password has, as NIST SP 800-63B asks: length counts, not which characters they are."""
_SALT_BYTES, _HASH_BYTES = 16, 32
_NOBODY = f"scrypt:{base64.b64encode(bytes(_SALT_BYTES)).decode()}:{base64.b64encode(bytes(_HASH_BYTES)).decode()}"


def check_length(password: str) -> None:
    """Refuse a new password that is too short or too long; those there are from before go on opening the console."""
    if not password:
        raise AdministrationError("The password is empty.")
    if not SHORTEST <= len(password) <= LONGEST:
        raise AdministrationError(f"A password has {SHORTEST} to {LONGEST:,} characters, whichever you like.")


def hash_password(password: str) -> str:
    """Return `scrypt:<salt>:<hash>` of a password."""
    salt = secrets.token_bytes(_SALT_BYTES)
    return f"scrypt:{base64.b64encode(salt).decode()}:{base64.b64encode(_derive(password, salt)).decode()}"


def check_password(password: str, hashed: str | None) -> bool:
    """Whether a password is the right one; takes just as long when there is no such operator."""
    _, salt, expected = (hashed or _NOBODY).split(":")
    matches = hmac.compare_digest(_derive(password, base64.b64decode(salt)), base64.b64decode(expected))
    return matches and hashed is not None


def _derive(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(
        password.encode(), salt=salt, n=COST, r=BLOCK_SIZE, p=PARALLELISM, maxmem=MEMORY_BYTES, dklen=_HASH_BYTES
    )
