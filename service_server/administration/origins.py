"""Origins of the host application, and the addresses on them that users may be sent back to."""

import ipaddress
from urllib.parse import SplitResult, quote, urlsplit, urlunsplit

from service_server.store import Application

_LONGEST_URL = 2048
_DEFAULT_PORTS = {"http": 80, "https": 443}


def origin_of(url: str) -> str | None:
    """Return the origin of an http(s) URL as browsers write it; None for any other text."""
    parts = _split(url)
    if parts is None:
        return None
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    port = "" if parts.port in (None, _DEFAULT_PORTS[parts.scheme]) else f":{parts.port}"
    return f"{parts.scheme}://{host}{port}"


def may_return_to(url: str, application: Application, *, allow_local: bool) -> bool:
    """Whether a URL is on one of the application's origins; with `allow_local` this machine's count as well."""
    origin = origin_of(url)
    return origin is not None and allows(application, origin, allow_local=allow_local)


def allows(application: Application, origin: str, *, allow_local: bool) -> bool:
    """Whether an application lists an origin; with `allow_local` this machine's count as well."""
    return origin in application.allowed_origins or (allow_local and is_local(origin))


def with_parameters(url: str, parameters: dict[str, str]) -> str:
    """Add query parameters to a URL, leaving all else as it is."""
    parts = urlsplit(url)
    added = "&".join(f"{name}={quote(value, safe='')}" for name, value in parameters.items())
    query = f"{parts.query}&{added}" if parts.query else added
    return urlunsplit(parts._replace(query=query))


def _split(url: str) -> SplitResult | None:
    # Browsers read `\` as `/` and drop tabs and line breaks, so such a URL could lead elsewhere than it seems to.
    if len(url) > _LONGEST_URL or not url.isascii() or not url.isprintable() or "\\" in url or " " in url:
        return None
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname or "@" in parts.netloc:
        return None
    return parts


def is_local(origin: str) -> bool:
    """Whether an origin is that of a page served from this machine."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    host = parts.hostname or ""
    if parts.scheme not in _DEFAULT_PORTS:
        return False
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
