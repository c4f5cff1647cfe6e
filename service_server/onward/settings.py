"""What an operator may set for onward requests."""

from attrs import frozen


@frozen
class OnwardSettings:
    """
    Limits of onward requests, in seconds and bytes, and the private hosts they may reach.

    `timeout_seconds` covers a whole call, including redirects and reading the body. `max_response_bytes` counts the
    body after decompression. `allow_hosts` names hosts whose addresses need not be public, for one app
    (`APP=HOST[:PORT]`) or for all (`HOST[:PORT]`).
    `extra_ca_pem` holds certificates of private authorities (PEM) that are trusted in addition to the public ones.
    """

    timeout_seconds: float = 30.0
    connect_timeout_seconds: float = 10.0
    max_response_bytes: int = 10 * 1024 * 1024
    max_redirects: int = 5
    allow_hosts: tuple[str, ...] = ()
    user_agent: str = "IntegrationFunctionsService"
    extra_ca_pem: bytes = b""
