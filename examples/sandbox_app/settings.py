"""What an operator of the sandbox app chooses."""

from pathlib import Path
from typing import Literal

from attrs import frozen

OpenerPolicy = Literal["unsafe-none", "same-origin"]


@frozen
class Settings:
    """
    The app's address, its one registered OAuth2 client, and its lifetimes in seconds.

    With a `grants_file` what users granted outlives a restart. With the opener policy `same-origin` a window that
    opened our pages loses its handle on them, as some providers do.
    """

    url: str
    client_id: str
    client_secret: str
    redirect_uris: tuple[str, ...] = ()
    code_seconds: float = 60
    access_token_seconds: float = 300
    refresh_token_seconds: float = 30 * 24 * 3600
    session_seconds: float = 12 * 3600
    opener_policy: OpenerPolicy = "unsafe-none"
    grants_file: Path | None = None
