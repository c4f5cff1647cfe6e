"""Sealing and opening: authenticated encryption whose result can be opened only for the purpose it was sealed for."""

import base64
import binascii
import json
import secrets
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from service_server.vault.keys import Keys

NONCE_BYTES = 12


class Unsealable(Exception):
    """A sealed value that this vault cannot open for this purpose: forged, foreign, damaged or of an unknown key."""


class Vault:
    """
    Seals JSON values as `<key id>.<base64url of nonce and ciphertext>`.

    The purpose and the owner are authenticated with the value: credentials of one user do not open as another's, and
    a cursor does not open as a session token.
    """

    def __init__(self, keys: Keys) -> None:
        self._sealing = keys.sealing
        self._ciphers = {key_id: AESGCM(key) for key_id, key in keys.by_id.items()}

    @property
    def sealing_key_id(self) -> str:
        """The id of the key that seals new values."""
        return self._sealing

    def seal(self, value: Any, purpose: str, *owner: str | int) -> str:
        """Seal a JSON value for a purpose and an owner."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        plain = json.dumps(value, separators=(",", ":")).encode()
        sealed = self._ciphers[self._sealing].encrypt(nonce, plain, _bound_to(self._sealing, purpose, owner))
        return f"{self._sealing}.{_encode(nonce + sealed)}"

    def open(self, sealed: str, purpose: str, *owner: str | int) -> Any:
        """Return what was sealed for this purpose and owner; Unsealable if it was not."""
        key_id, _, encoded = sealed.partition(".")
        cipher = self._ciphers.get(key_id)
        if cipher is None:
            raise Unsealable("sealed with a key this vault does not have")
        try:
            data = base64.b64decode(encoded + "=" * (-len(encoded) % 4), altchars=b"-_", validate=True)
            if _encode(data) != encoded:
                raise Unsealable("not as this vault writes it")
            plain = cipher.decrypt(data[:NONCE_BYTES], data[NONCE_BYTES:], _bound_to(key_id, purpose, owner))
        except (binascii.Error, InvalidTag, ValueError) as error:
            raise Unsealable("not sealed by this vault for this purpose") from error
        return json.loads(plain)


def _encode(data: bytes) -> str:
    """The one spelling of sealed bytes: base64 has several, and a value must not have any to choose from."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _bound_to(key_id: str, purpose: str, owner: tuple[str | int, ...]) -> bytes:
    """What is authenticated beside the value; JSON, so that no two different owners read the same."""
    return json.dumps([key_id, purpose, *owner]).encode()
