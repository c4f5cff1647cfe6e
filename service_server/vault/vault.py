"""Sealing and opening: authenticated encryption whose result can be opened only for the purpose it was sealed for."""

import asyncio
import base64
import binascii
import hashlib
import json
import secrets
import time
from collections.abc import Collection, Sequence
from typing import Any

import structlog
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from service_server.vault.key_file import KeyFile, Stamp
from service_server.vault.keys import Keys, VaultKeyError

NONCE_BYTES = 12
_PSEUDONYM_BYTES = 8
LOOK_SECONDS = 0.5
"""How long a key file that was replaced may stay unnoticed."""

_LOG = structlog.get_logger(__name__)


class Unsealable(Exception):
    """A sealed value that this vault cannot open for this purpose: forged, foreign, damaged or of an unknown key."""


class Vault:
    """
    Seals JSON values as `<key id>.<base64url of nonce and ciphertext>`.

    The purpose and the owner are authenticated with the value: credentials of one user do not open as another's, and
    a cursor does not open as a session token.

    With a key file the vault follows it, so that a key can be rotated while the service runs. A file that keeps the
    key which seals here is followed at once. Any other might be a mistake, so it is followed only after one of its keys
    has opened something; until then nothing is sealed, because the key that would seal may be gone for good.
    """

    def __init__(self, keys: Keys, file: KeyFile | None = None) -> None:
        self._keys = keys
        self._ciphers = _ciphers(keys)
        self._pseudonym_key = _pseudonym_key(keys)
        self._file = file
        self._stamp: Stamp | None = None
        self._looked_at = time.monotonic()
        self._unproven: Keys | None = None

    @classmethod
    def of_file(cls, file: KeyFile) -> "Vault":
        """A vault with the keys of a file, which it follows; VaultKeyError if they can't be read."""
        stamp = file.stamp()  # taken first: a change in between is read again
        vault = cls(file.read(), file)
        vault._stamp = stamp
        return vault

    @property
    def sealing_key_id(self) -> str:
        """The id of the key that seals new values."""
        return self._keys.sealing

    @property
    def key_ids(self) -> Collection[str]:
        """The ids of all keys that open."""
        return self._keys.by_id.keys()

    @property
    def can_seal(self) -> bool:
        """Whether `seal` works now; ask before doing what can't be undone and whose result must be kept."""
        self._follow()
        return self._unproven is None

    async def follow(self) -> None:
        """Follow the key file for ever, so that even an unused vault notices a rotation while both keys open."""
        while self._file is not None:
            await asyncio.sleep(LOOK_SECONDS)
            self._look()

    def seal(self, value: Any, purpose: str, *owner: str | int) -> str:
        """Seal a JSON value for a purpose and an owner; VaultKeyError while the key file holds other keys than ours."""
        return self._seal(json.dumps(value, separators=(",", ":")).encode(), purpose, owner)

    def open(self, sealed: str, purpose: str, *owner: str | int) -> Any:
        """Return what was sealed for this purpose and owner; Unsealable if it was not."""
        return json.loads(self._open(sealed, purpose, owner))

    def reseal(self, sealed: str, purposes: Sequence[str], *owner: str | int) -> str:
        """
        Seal with the sealing key what is sealed with another one, for the same owner and the one purpose that fits.

        What the sealing key has sealed is returned as it is, once it has been opened. Unsealable if no purpose fits.
        """
        failure = Unsealable("no purpose")
        for purpose in purposes:
            try:
                plain = self._open(sealed, purpose, owner)
            except Unsealable as unsealable:
                failure = unsealable
            else:
                current = sealed.startswith(f"{self.sealing_key_id}.")
                return sealed if current else self._seal(plain, purpose, owner)
        raise failure

    def pseudonym(self, *owner: str | int) -> str:
        """
        What stands for an owner in the log: 16 hex digits from which nobody without the key finds out who it is.

        All processes with the same keys say the same of an owner, until the key that seals is rotated.
        """
        # Unlike OpenSSL's HMAC it keeps Python's lock for so short a text, for which others would make it wait.
        keyed = hashlib.blake2b(json.dumps(owner).encode(), digest_size=_PSEUDONYM_BYTES, key=self._pseudonym_key)
        return keyed.hexdigest()

    def _seal(self, plain: bytes, purpose: str, owner: tuple[str | int, ...]) -> str:
        if not self.can_seal:
            raise VaultKeyError("the key file was replaced by one without the key that seals")
        key_id = self._keys.sealing
        nonce = secrets.token_bytes(NONCE_BYTES)
        sealed = self._ciphers[key_id].encrypt(nonce, plain, _bound_to(key_id, purpose, owner))
        return f"{key_id}.{_encode(nonce + sealed)}"

    def _open(self, sealed: str, purpose: str, owner: tuple[str | int, ...]) -> bytes:
        self._follow()
        key_id, _, encoded = sealed.partition(".")
        if key_id not in self._ciphers:
            self._look()  # nothing is sealed with a key that is not in the file yet
        if key_id in self._ciphers:
            return _decrypted(self._ciphers[key_id], encoded, _bound_to(key_id, purpose, owner))
        if self._unproven is not None and key_id in self._unproven.by_id:
            cipher = AESGCM(self._unproven.by_id[key_id])
            plain = _decrypted(cipher, encoded, _bound_to(key_id, purpose, owner))
            self._take(self._unproven)
            return plain
        raise Unsealable("sealed with a key this vault does not have")

    def _follow(self) -> None:
        if self._file is not None and time.monotonic() - self._looked_at >= LOOK_SECONDS:
            self._look()

    def _look(self) -> None:
        """Note whether the key file has been replaced; an unreadable file changes nothing."""
        if self._file is None:
            return
        self._looked_at = time.monotonic()
        stamp = self._file.stamp()
        if stamp is None or stamp == self._stamp:
            return
        self._stamp = stamp
        try:
            keys = self._file.read()
        except VaultKeyError as error:
            _LOG.error("vault.key_file_unreadable", problem=str(error))
            return
        common = keys.by_id.keys() & self._keys.by_id.keys()
        if self._keys.sealing in common and all(keys.by_id[each] == self._keys.by_id[each] for each in common):
            self._take(keys)
        else:
            self._unproven = keys
            _LOG.error("vault.key_file_foreign", sealing=self._keys.sealing, found=sorted(keys.by_id))

    def _take(self, keys: Keys) -> None:
        self._unproven = None
        if keys != self._keys:
            self._keys, self._ciphers = keys, _ciphers(keys)
            self._pseudonym_key = _pseudonym_key(keys)
            _LOG.info("vault.keys_taken_over", sealing=keys.sealing, opening=sorted(keys.by_id))


def _ciphers(keys: Keys) -> dict[str, AESGCM]:
    return {key_id: AESGCM(key) for key_id, key in keys.by_id.items()}


def _pseudonym_key(keys: Keys) -> bytes:
    """A key for nothing but pseudonyms, made of the one that seals."""
    return hashlib.blake2b(b"pseudonyms", key=keys.by_id[keys.sealing]).digest()


def _decrypted(cipher: AESGCM, encoded: str, bound_to: bytes) -> bytes:
    try:
        data = base64.b64decode(encoded + "=" * (-len(encoded) % 4), altchars=b"-_", validate=True)
        if _encode(data) != encoded:
            raise Unsealable("not as this vault writes it")
        return cipher.decrypt(data[:NONCE_BYTES], data[NONCE_BYTES:], bound_to)
    except (binascii.Error, InvalidTag, ValueError) as error:
        raise Unsealable("not sealed by this vault for this purpose") from error


def _encode(data: bytes) -> str:
    """The only spelling of sealed bytes: base64 allows several, and a sealed value must have just one."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _bound_to(key_id: str, purpose: str, owner: tuple[str | int, ...]) -> bytes:
    """What is authenticated along with the value; JSON, so that no two different owners read the same."""
    return json.dumps([key_id, purpose, *owner]).encode()
