"""Signing in of operators by OpenID Connect, as an operator sets it: `SERVICE_OIDC_*` environment variables."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from service_server.onward.target import parse_target
from service_server.settings import THIS_MACHINE, InvalidSetting, OpenIdSettings

OPENID_HELP: Final = (
    "Operators sign in by OpenID Connect where SERVICE_OIDC_ISSUER and SERVICE_OIDC_CLIENT_ID are set "
    "(_CLIENT_SECRET or _CLIENT_SECRET_FILE, _SCOPES, _NAME_CLAIM); _ROLE_CLAIM and the values in _OWNERS, _DEVELOPERS "
    "and _VIEWERS, with commas, say who is what."
)

_PREFIX = "SERVICE_OIDC_"
_ROLES = {"owner": "OWNERS", "developer": "DEVELOPERS", "viewer": "VIEWERS"}
_NAMES = {"scopes": "SCOPES", "name_claim": "NAME_CLAIM", "role_claim": "ROLE_CLAIM"}
VARIABLES: Final = tuple(
    _PREFIX + name
    for name in ("ISSUER", "CLIENT_ID", "CLIENT_SECRET", "CLIENT_SECRET_FILE", *_NAMES.values(), *_ROLES.values())
)


def openid_from(environment: Mapping[str, str]) -> OpenIdSettings | None:
    """
    Return the OpenID provider of operators, None where the environment names none.

    Raises:
        InvalidSetting: says which variable can't be used and why; never with the secret.
    """
    given = {name.removeprefix(_PREFIX): text.strip() for name, text in environment.items() if name.startswith(_PREFIX)}
    if not any(given.values()):
        return None
    for name in ("ISSUER", "CLIENT_ID"):
        if not given.get(name):
            raise InvalidSetting(f"{_PREFIX}{name} is missing: set it too, or none of the {_PREFIX} variables.")
    roles = {role: tuple(each.strip() for each in given.get(name, "").split(",")) for role, name in _ROLES.items()}
    kept = {role: tuple(each for each in values if each) for role, values in roles.items()}
    if not any(kept.values()):
        raise InvalidSetting(f"{_PREFIX}OWNERS is missing: without it nobody who signs in would have a role.")
    settings = OpenIdSettings(
        issuer=_issuer(given["ISSUER"]),
        client_id=given["CLIENT_ID"],
        client_secret=_secret(given),
        roles=kept,
        **{name: given[variable] for name, variable in _NAMES.items() if given.get(variable)},
    )
    if "openid" not in settings.scopes.split():
        raise InvalidSetting(f"{_PREFIX}SCOPES must hold openid.")
    return settings


def _issuer(url: str) -> str:
    try:
        parse_target(url)
    except ValueError as error:
        raise InvalidSetting(f"{_PREFIX}ISSUER cannot be used: {error}.") from None
    if "?" in url or "#" in url:
        raise InvalidSetting(f"{_PREFIX}ISSUER takes an address without query and fragment.")
    if urlsplit(url).scheme != "https" and urlsplit(url).hostname not in ("localhost", *THIS_MACHINE):
        raise InvalidSetting(f"{_PREFIX}ISSUER takes an https address, unless it is on this machine.")
    return url


def _secret(given: Mapping[str, str]) -> str:
    file = given.get("CLIENT_SECRET_FILE")
    if not file:
        return given.get("CLIENT_SECRET", "")
    if given.get("CLIENT_SECRET"):
        raise InvalidSetting(f"Set {_PREFIX}CLIENT_SECRET or {_PREFIX}CLIENT_SECRET_FILE, not both.")
    try:
        return Path(file).read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidSetting(f"{_PREFIX}CLIENT_SECRET_FILE can't be read ({type(error).__name__}).") from None
