"""What an operator may set for onward requests."""

from attrs import frozen


@frozen
class OnwardSettings:
    """
    Limits of onward requests, in seconds and bytes, and the private hosts they may reach.

    `timeout_seconds` covers a whole call, including redirects and reading the body. `max_response_bytes` counts the
    body after decompression. `allow_hosts` names hosts whose addresses need not be public, for one app
    (`APP=HOST[:PORT]`) or for all (`HOST[:PORT]`). With `pours_every_answer` a `Pour` gets the body of every answer,
    not of a 2xx alone.
    `extra_ca_pem` holds certificates of private authorities (PEM) that are trusted in addition to the public ones.
    """

    timeout_seconds: float = 30.0
    connect_timeout_seconds: float = 10.0
    max_response_bytes: int = 10 * 1024 * 1024
    max_redirects: int = 5
    pours_every_answer: bool = False
    allow_hosts: tuple[str, ...] = ()
    user_agent: str = "IntegrationFunctionsService"
    extra_ca_pem: bytes = b""
