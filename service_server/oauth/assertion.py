"""Signs the JWTs that some apps take as credentials. Does no I/O."""

from joserfc import jwk, jwt
from joserfc.errors import JoseError

from service_server.catalog.auth import SignedAssertion
from service_server.catalog.expressions import Context, filled, filled_text
from service_server.catalog.format.keys import seconds_of
from service_server.store.clock import now

# Clocks differ; an assertion from the future is refused everywhere.
_BACKDATED_SECONDS = 60


class KeyUnusable(Exception):
    """What the user typed in is not a key for the algorithm. Holds none of it."""


def signed(auth: SignedAssertion, context: Context) -> str:
    """
    Return a fresh JWT, issued a minute ago and ending a `lifetime` from now.

    Raises:
        KeyUnusable: the key can't be read or does not fit the algorithm.
    """
    moment = int(now())
    header = {**filled(auth.header, context), "alg": auth.algorithm}
    claims = {
        **filled(auth.claims, context),
        "iat": moment - _BACKDATED_SECONDS,
        "exp": moment + int(seconds_of(auth.lifetime)),
    }
    try:
        return jwt.encode(
            header, claims, _key(auth, filled_text(auth.signing_key, context)), algorithms=[auth.algorithm]
        )
    except (JoseError, ValueError, TypeError):
        raise KeyUnusable from None  # its own message may hold what was typed in


def _key(auth: SignedAssertion, text: str) -> jwk.Key:
    if auth.algorithm.startswith("HS"):
        return jwk.OctKey.import_key(bytes.fromhex(text) if auth.key_encoding == "hex" else text)
    if auth.algorithm.startswith("ES"):
        return jwk.ECKey.import_key(text)
    return jwk.OKPKey.import_key(text) if auth.algorithm == "EdDSA" else jwk.RSAKey.import_key(text)
