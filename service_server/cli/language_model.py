"""The optional language model, as an operator sets it: `SERVICE_PREDICT_LLM_*` environment variables."""

import ipaddress
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from service_server.onward.target import Target, parse_target
from service_server.settings import InvalidSetting, LanguageModel

LANGUAGE_MODEL_HELP: Final = (
    "An OpenAI-compatible endpoint for prediction is set by SERVICE_PREDICT_LLM_URL, _MODEL and _KEY or _KEY_FILE "
    "(_ALLOW_HTTP=true for plain http to another machine), "
    "its limits by SERVICE_PREDICT_LLM_TIMEOUT_SECONDS, _MOST_AT_ONCE, _MAX_REQUEST_BYTES and _MAX_RESPONSE_BYTES."
)

_PREFIX = "SERVICE_PREDICT_LLM_"
_LIMITS = ("timeout_seconds", "most_at_once", "max_request_bytes", "max_response_bytes")
VARIABLES: Final = tuple(
    _PREFIX + name for name in ("URL", "MODEL", "KEY", "KEY_FILE", "ALLOW_HTTP", *(each.upper() for each in _LIMITS))
)
_PATH = "/chat/completions"


def language_model_from(environment: Mapping[str, str]) -> LanguageModel | None:
    """
    Return the language model that the environment sets, None where it names no address.

    Raises:
        InvalidSetting: says which variable can't be used and why; never with the key or the address.
    """
    given = {name.removeprefix(_PREFIX): text for name, text in environment.items() if name.startswith(_PREFIX)}
    if not given.get("URL"):
        if given.get("KEY") or given.get("KEY_FILE") or given.get("MODEL"):
            raise InvalidSetting(f"{_PREFIX}URL is missing: set it too, or none of the {_PREFIX} variables.")
        return None
    if not given.get("MODEL", "").strip():
        raise InvalidSetting(f"{_PREFIX}MODEL must name the model to ask.")
    url = _url(given["URL"].strip(), allow_http=given.get("ALLOW_HTTP", "").lower() in ("1", "true"))
    limits = {name: _limit(name, given[name.upper()]) for name in _LIMITS if name.upper() in given}
    return LanguageModel(
        url=url,
        model=given["MODEL"].strip(),
        key=_key(given),
        **limits,  # type: ignore[arg-type]  # whole numbers, except the one in seconds
    )


def _url(text: str, *, allow_http: bool) -> str:
    try:
        target = parse_target(text)
    except ValueError as error:
        raise InvalidSetting(f"{_PREFIX}URL cannot be used: {error}.") from None
    if "?" in text or "#" in text:
        raise InvalidSetting(f"{_PREFIX}URL takes an address without query and fragment.")
    if target.scheme == "http" and not allow_http and not _is_loopback(target):
        raise InvalidSetting(
            f"{_PREFIX}URL would send prompts and the key in the clear. Use https, or set {_PREFIX}ALLOW_HTTP=true "
            "if the network up to there is yours."
        )
    return text.rstrip("/").removesuffix(_PATH)


def _is_loopback(target: Target) -> bool:
    host = target.host
    return host == "localhost" if target.address is None else ipaddress.ip_address(host).is_loopback


def _key(given: Mapping[str, str]) -> str:
    if given.get("KEY") and given.get("KEY_FILE"):
        raise InvalidSetting(f"Set {_PREFIX}KEY or {_PREFIX}KEY_FILE, not both.")
    key = given.get("KEY", "").strip()
    if path := given.get("KEY_FILE"):
        try:
            key = Path(path).read_text(encoding="ascii").strip()
        except UnicodeDecodeError:
            raise InvalidSetting(f"The file of {_PREFIX}KEY_FILE holds something else than a key.") from None
        if not key:
            raise InvalidSetting(f"The file of {_PREFIX}KEY_FILE is empty.")
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise InvalidSetting(f"The key of {_PREFIX}KEY or {_PREFIX}KEY_FILE must be printable ASCII without blanks.")
    return key


def _limit(name: str, text: str) -> float | int:
    variable = _PREFIX + name.upper()
    try:
        number = float(text) if name.endswith("seconds") else int(text)
    except ValueError:
        raise InvalidSetting(f"{variable} must be a number.") from None
    smallest = 0.1 if name.endswith("seconds") else 1
    if not math.isfinite(number) or not smallest <= number < 2**31:
        raise InvalidSetting(f"{variable} must be at least {smallest}.")
    return number
