"""Options that several commands share; each is also a `SERVICE_*` environment variable."""

import ipaddress
import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click

from service_server.cli.language_model import LANGUAGE_MODEL_HELP, language_model_from
from service_server.cli.logs import LOG_LEVELS
from service_server.cli.openid import OPENID_HELP, openid_from
from service_server.onward.target import parse_target
from service_server.onward.values import AllowedHost
from service_server.settings import (
    LIMITS,
    THIS_MACHINE,
    InvalidSetting,
    Settings,
    default_database_url,
    default_model_directory,
    limits_from,
)

DEFAULT_DATA_DIRECTORY = Path("data")
DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 8000
DEFAULT_PUBLIC_URL = f"http://{DEFAULT_HOST}:{DEFAULT_PORT}"
"""What `serve` takes by itself: apps compare callback URLs letter by letter, and cookies are for one name of a host."""


class _Folder(click.Path):
    """A path that may not be empty, which would mean the present folder where a variable was not set."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse it."""
        if value == "":
            self.fail("it is empty.", param, ctx)
        return super().convert(value, param, ctx)


class _SeenId(click.ParamType[str]):
    """The id of what was listed last; any other text would begin from the newest again, as if nothing had been seen."""

    name = "id"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Refuse what is no id."""
        from service_server.store.call_ids import is_place  # a command that reads no log starts without the store

        if not is_place(str(value)):
            self.fail("it is no id from the list.", param, ctx)
        return str(value)


SEEN_ID = _SeenId()
NUMBER = click.IntRange(1, 2**53 - 1)
"""Of an application, account or delivery; no database has larger ones."""

_FOLDER = _Folder(path_type=Path)
# The help also names the variable that sets an option.
_option = partial(click.option, show_envvar=True)
# Each is a decorator for commands that take it. The second text, or else the option, names the command's parameter.
data_directory = _option(
    "--data-dir",
    envvar="SERVICE_DATA_DIR",
    type=_FOLDER,
    default=DEFAULT_DATA_DIRECTORY,
    help="Where the database and the vault's key are kept.",
)
database_url = _option(
    "--database",
    envvar="SERVICE_DATABASE",
    help="postgresql://USER:PASSWORD@HOST:PORT/NAME (default: SQLite in the data directory).",
)
connector_directories = _option(
    "--connectors",
    envvar="SERVICE_CONNECTORS",
    type=_FOLDER,
    multiple=True,
    help="A folder of extra connectors (repeatable); a running service follows its changes.",
)
allowed_hosts = _option(
    "--allow-host",
    envvar="SERVICE_ALLOW_HOST",
    multiple=True,
    help="A private APP=HOST[:PORT] that the functions of an app may reach; without APP=, of all (repeatable).",
)
trusted_proxy = _option(
    "--trusted-proxy",
    envvar="SERVICE_TRUSTED_PROXIES",
    multiple=True,
    help="An address or network of proxies whose X-Forwarded-For is believed (repeatable; default: this machine).",
)
keep_alive = _option(
    "--keep-alive",
    envvar="SERVICE_KEEP_ALIVE",
    type=click.IntRange(1, 3600),
    default=75,
    help="Seconds that an idle connection is kept; longer than the proxy in front keeps its own.",
)
authorization_server = _option(
    "--authorization-server",
    envvar="SERVICE_AUTHORIZATION_SERVER",
    help="The issuer, the host application's own, at which the clients of agents get tokens for /mcp.",
)
public_address = _option(
    "--public-url", envvar="SERVICE_PUBLIC_URL", help="Where browsers reach it (default: http://HOST:PORT)."
)
model_directory = _option(
    "--model-dir",
    envvar="SERVICE_MODEL_DIR",
    type=_FOLDER,
    default=default_model_directory(),
    show_default="inside the package",
    help="Where the model for predictions is kept (`model install`).",
)
listening_host = _option("--host", envvar="SERVICE_HOST", default=DEFAULT_HOST, help="The address to listen at.")
listening_port = _option(
    "--port",
    envvar="SERVICE_PORT",
    type=click.IntRange(0, 65535),
    default=DEFAULT_PORT,
    help="0 takes a free one.",
)
worker_count = _option(
    "--workers",
    envvar="SERVICE_WORKERS",
    type=click.IntRange(1, 64),
    default=1,
    help="Processes that serve on the port; one that ends is replaced. Limits count in each of them.",
)
admin_host = _option(
    "--admin-host", envvar="SERVICE_ADMIN_HOST", default="127.0.0.1", help="The address of the port for operators."
)
admin_port = _option(
    "--admin-port",
    envvar="SERVICE_ADMIN_PORT",
    type=click.IntRange(1, 65535),
    help="Where the console and the admin API are, and nowhere else (default: where everything is).",
)
admin_address = _option(
    "--admin-url",
    envvar="SERVICE_ADMIN_URL",
    help="Where browsers of operators reach that (default: http://ADMIN_HOST:ADMIN_PORT).",
)
metrics_host = _option(
    "--metrics-host", envvar="SERVICE_METRICS_HOST", default="127.0.0.1", help="The address of the port for metrics."
)
metrics_port_number = _option(
    "--metrics-port",
    envvar="SERVICE_METRICS_PORT",
    type=click.IntRange(1, 65535),
    help="Where Prometheus fetches /metrics of all workers (default: nowhere).",
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")


def log_level(default: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The option `--log-level` of a command with a default of its own."""
    return _option("--log-level", envvar="SERVICE_LOG_LEVEL", default=default, help=", ".join(LOG_LEVELS))


LIMITS_HELP = (
    f"Limits are set by environment variables: {', '.join(f'SERVICE_{name.upper()}' for name in LIMITS)}. "
    f"{LANGUAGE_MODEL_HELP} {OPENID_HELP}"
)


def settings_for(
    data_directory: Path,
    database_url: str | None,
    public_url: str = DEFAULT_PUBLIC_URL,
    connectors: Sequence[Path] = (),
    allow_hosts: Sequence[str] = (),
    allow_local_origins: bool = False,
    model_dir: Path | None = None,
) -> Settings:
    """The settings that the shared options and the environment give; raises `InvalidSetting`."""
    return Settings(
        data_directory=data_directory,
        cache_directory=Path(os.environ.get("SERVICE_CACHE_DIR") or data_directory / "cache"),
        builds_directory=Path(os.environ.get("SERVICE_BUILDS_DIR") or data_directory / "builds"),
        model_directory=model_dir,
        public_url=public_url_or_default(public_url),
        database_url=database_url or default_database_url(data_directory),
        vault_key=os.environ.get("SERVICE_VAULT_KEY"),
        connector_directories=tuple(connectors),
        allow_hosts=tuple(_allowed_host(each) for each in allow_hosts),
        allow_local_origins=allow_local_origins,
        language_model=language_model_from(os.environ),
        openid=openid_from(os.environ),
        **limits_from(os.environ),
    )


def kept_connectors(data_directory: Path | None = None) -> Path | None:
    """
    Where services keep what they have read of connectors, for a command that reads them; None if it isn't there yet.

    A command makes no such directory: it might run as another user than the service, who could not write there then.
    """
    named = os.environ.get("SERVICE_CACHE_DIR")
    directory = Path(named) if named else data_directory and data_directory / "cache"
    return directory if directory and directory.is_dir() else None


def trusted_proxies(texts: Sequence[str]) -> tuple[str, ...]:
    """The addresses and networks that were given, or else this machine's own; raises `InvalidSetting`."""
    if not texts:
        return THIS_MACHINE
    found = []
    for text in (part.strip() for each in texts for part in each.split(",")):
        try:
            network = ipaddress.ip_network(text)
        except ValueError:
            raise InvalidSetting(
                f"--trusted-proxy takes an address or a network (10.0.0.0/8), not {text[:100]!r}."
            ) from None
        if network.prefixlen == 0:
            raise InvalidSetting("--trusted-proxy can't be everybody: then anybody could claim any address.")
        found.append(str(network.network_address) if network.num_addresses == 1 else str(network))
    return tuple(found)


def admin_url_of(url: str | None, host: str, port: int | None) -> str | None:
    """Where operators reach the console if it has a port of its own; raises `InvalidSetting`."""
    if port is None:
        if url is not None:
            raise InvalidSetting("--admin-url is that of a port of its own: give --admin-port, too.")
        return None
    url = url or f"http://{f'[{host}]' if ':' in host else host}:{port}"
    _check_address("--admin-url", url)
    return url.rstrip("/")


def public_url_or_default(url: str | None) -> str:
    """The address at which browsers reach the service, without a slash at its end; raises `InvalidSetting`."""
    url = url or DEFAULT_PUBLIC_URL
    _check_address("--public-url", url)
    return url.rstrip("/")


def issuer(url: str | None) -> str | None:
    """The issuer that was given, as it was; raises `InvalidSetting` for what is no address or not protected by TLS."""
    if url is None:
        return None
    _check_address("--authorization-server", url)
    host = urlsplit(url).hostname
    if urlsplit(url).scheme != "https" and host not in ("localhost", *THIS_MACHINE):
        raise InvalidSetting("--authorization-server takes an https address, unless it is on this machine.")
    return url


def _check_address(option: str, url: str) -> None:
    try:
        parse_target(url)
    except ValueError as error:
        raise InvalidSetting(f"{option} cannot be used: {error}.") from None
    if "?" in url or "#" in url:
        raise InvalidSetting(f"{option} takes an address without query and fragment.")


def _allowed_host(pattern: str) -> str:
    try:
        AllowedHost.parse(pattern)
    except ValueError:
        raise InvalidSetting(
            f"--allow-host takes APP=HOST[:PORT], or HOST[:PORT] for every app, not {pattern[:100]!r}."
        ) from None
    return pattern
