"""What an operator can set, by command-line option or `SERVICE_*` environment variable."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import Factory, field, frozen

KIBIBYTE = 1024
MEBIBYTE = 1024 * KIBIBYTE
THIS_MACHINE = ("127.0.0.1", "::1")


@frozen(kw_only=True)
class LanguageModel:
    """
    The endpoint of an OpenAI-compatible language model that chooses among the functions which prediction ranked first.

    `url` is what stands before `/chat/completions`. `timeout_seconds` spans waiting for a free place, sending and
    reading; at most `most_at_once` requests are under way. Sizes are bytes.
    """

    url: str
    model: str
    key: str = field(default="", repr=False)
    timeout_seconds: float = 8.0
    most_at_once: int = 4
    max_request_bytes: int = 64 * KIBIBYTE
    max_response_bytes: int = 256 * KIBIBYTE


@frozen(kw_only=True)
class OpenIdSettings:
    """
    The OpenID provider at which operators may sign in, and our client there.

    They are called what `name_claim` says. `roles` holds the values of `role_claim` that give a role.
    """

    issuer: str
    client_id: str
    client_secret: str = field(default="", repr=False)
    scopes: str = "openid profile email"
    name_claim: str = "email"
    role_claim: str = "groups"
    roles: Mapping[str, tuple[str, ...]] = Factory(dict)


@frozen(kw_only=True)
class Settings:
    """
    The settings of one service process.

    Sizes are bytes, times seconds. `public_url` is where browsers reach the service (no trailing slash): icon, connect
    and callback URLs start with it. `admin_url` is where operators reach the console and the admin API if these have an
    address of their own. `cache_directory` holds what only makes starts faster; without one nothing is kept.
    `builds_directory` holds the browser files of former builds, for pages that still use them.
    `model_directory` holds the model that predictions are made with; without one they are made by words alone.
    `allow_hosts` names the private onward addresses (`[APP=]HOST[:PORT]`) that are allowed. Without a `language_model`
    nobody else sees a prompt. Requests a minute and calls at a time are limited for each user and for each application;
    0 is no limit. Of `trusted_proxies` (addresses and networks) it is believed for whom they forward; a connection on
    which nothing happens is kept for `keep_alive_seconds`. `authorization_server` is the issuer at which the clients of
    agents get tokens for `/mcp`: the host application's own. `openid` is where operators sign in beside passwords.
    """

    data_directory: Path
    public_url: str
    admin_url: str | None = None
    database_url: str = field(repr=False)  # may hold a password
    vault_key: str | None = field(default=None, repr=False)
    cache_directory: Path | None = None
    builds_directory: Path = Factory(lambda self: self.data_directory / "builds", takes_self=True)
    model_directory: Path | None = None
    connector_directories: tuple[Path, ...] = ()
    allow_hosts: tuple[str, ...] = ()
    allow_local_origins: bool = False
    max_body_bytes: int = MEBIBYTE
    max_target_bytes: int = 64 * 1024
    max_onward_response_bytes: int = 10 * MEBIBYTE
    max_file_bytes: int = 25 * MEBIBYTE
    max_user_files_bytes: int = 200 * MEBIBYTE
    onward_timeout_seconds: float = 30.0
    shutdown_seconds: float = field()
    max_log_entry_bytes: int = 32 * 1024
    max_kept_answer_bytes: int = 256 * KIBIBYTE
    call_retention_days: int = 90
    audit_retention_days: int = 400
    migration_wait_seconds: float = 300.0
    rate_limit_per_minute: int = 1200
    application_rate_limit_per_minute: int = 60_000
    calls_at_once: int = 32
    application_calls_at_once: int = 512
    trusted_proxies: tuple[str, ...] = THIS_MACHINE
    keep_alive_seconds: int = 75
    language_model: LanguageModel | None = None
    authorization_server: str | None = None
    openid: OpenIdSettings | None = None

    @shutdown_seconds.default
    def _longer_than_a_call(self) -> float:
        return self.onward_timeout_seconds + 5

    @property
    def vault_key_file(self) -> Path:
        """Where the vault's keys are kept unless they come from the environment."""
        return self.data_directory / "vault.key"

    @property
    def console_url(self) -> str:
        """Where operators reach the console."""
        return self.admin_url or self.public_url

    @property
    def callback_url(self) -> str:
        """The redirect URI to register with every OAuth2 provider."""
        return callback_url_of(self.public_url)


def callback_url_of(public_url: str) -> str:
    """Where OAuth2 providers send browsers back to, at a service with this address."""
    return f"{public_url}/oauth/callback"


class InvalidSetting(Exception):
    """A setting that can't be used; says which and why."""


MAY_BE_OFF = (
    "rate_limit_per_minute",
    "application_rate_limit_per_minute",
    "calls_at_once",
    "application_calls_at_once",
)
MOST_DAYS = 36_500
"""A hundred years; no date lies much further back than the year 1."""
LIMITS = {
    "max_body_bytes": "The largest body of a request to the service, files apart.",
    "max_onward_response_bytes": "The largest answer that is taken from a third-party app.",
    "max_file_bytes": "The largest file.",
    "max_user_files_bytes": "All files together that a user keeps at a time.",
    "onward_timeout_seconds": "How long a third-party app may take to answer.",
    "shutdown_seconds": "How long calls under way may take once the process was told to end; "
    "five seconds more than a call may take unless set.",
    "max_log_entry_bytes": "How much of a call's arguments, and of its output, the log keeps.",
    "max_kept_answer_bytes": "The largest answer that an idempotency key keeps.",
    "call_retention_days": "How long calls stay in the log.",
    "audit_retention_days": "How long lines of the audit trail are kept.",
    "migration_wait_seconds": "How long a start waits for others who hold up a change of the schema.",
    "rate_limit_per_minute": "Requests of a user a minute; 0 is no limit.",
    "application_rate_limit_per_minute": "Requests of an application a minute; 0 is no limit.",
    "calls_at_once": "Calls of a user at a time; 0 is no limit.",
    "application_calls_at_once": "Calls of an application at a time; 0 is no limit.",
}
"""The limits an operator may set as `SERVICE_<NAME>`, and what each is for."""


def limits_from(environment: Mapping[str, str]) -> dict[str, Any]:
    """The limits that the environment sets, ready for `Settings`; raises `InvalidSetting`."""
    limits: dict[str, Any] = {}
    for name in LIMITS:
        variable = f"SERVICE_{name.upper()}"
        text = environment.get(variable)
        if text is None:
            continue
        smallest = 0 if name in MAY_BE_OFF else 1
        largest = MOST_DAYS if name.endswith("days") else 2**53
        kind: type[float | int] = float if name.endswith("seconds") else int
        try:
            number = kind(text)
        except ValueError:
            what = "a number" if kind is float else "a whole number"
            raise InvalidSetting(f"{variable} must be {what}.") from None
        if not smallest <= number <= largest:
            raise InvalidSetting(f"{variable} must be from {smallest} to {largest}.")
        limits[name] = number
    return limits


def default_model_directory() -> Path:
    """Where the model lies in a released package, and where `service-server model install` puts it in a checkout."""
    return Path(__file__).parent / "predict" / "installed_model"


def default_database_url(data_directory: Path) -> str:
    """SQLite in the data directory: nothing to install."""
    return f"sqlite+aiosqlite:///{data_directory.resolve() / 'service.db'}"
