"""A RabbitMQ of its own in a temporary folder, an OpenID provider that it trusts, and the service in front of both."""

import base64
import contextlib
import os
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import httpx
import pytest
from attrs import field, frozen
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey, RSAPublicNumbers, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.real_apps.debian import needs, processes_of
from tests.real_apps.processes import OidcProvider, find_missing_provider, oidc_provider
from tests.real_apps.running import Running, free_port, running
from tests.real_apps.typed_credentials import Front
from tests.service_server.processes import service

PACKAGES = "rabbitmq-server"
SCOPE = "rabbitmq.tag:management rabbitmq.read:*/* rabbitmq.write:*/* rabbitmq.configure:*/*"
_SERVER = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")
_CONFIGURATION = """\
listeners.tcp = none
management.tcp.ip = 127.0.0.1
management.tcp.port = {port}
log.console = true
log.console.level = warning
default_user = admin
default_pass = {password}
loopback_users = none
auth_backends.1 = rabbit_auth_backend_oauth2
auth_backends.2 = internal
auth_oauth2.resource_server_id = rabbitmq
auth_oauth2.default_key = {key_id}
auth_oauth2.signing_keys.{key_id} = {key_path}
"""


@frozen
class Machine:
    """A client that has registered itself with the provider, and the way to delete it there."""

    client_id: str
    client_secret: str = field(repr=False)
    address: str
    address_token: str = field(repr=False)

    def delete(self) -> None:
        """Have the provider forget this client: it gets no tokens any more."""
        headers = {"authorization": f"Bearer {self.address_token}"}
        httpx.delete(self.address, headers=headers, trust_env=False).raise_for_status()


@frozen
class RabbitMQ:
    """A running RabbitMQ, its administrator's password, and the provider whose JWTs it takes."""

    url: str
    password: str = field(repr=False)
    provider: OidcProvider
    program: Running
    environment: Mapping[str, str] = field(repr=False)

    def api(self) -> httpx.Client:
        """RabbitMQ's own API, for the administrator."""
        return httpx.Client(base_url=f"{self.url}/api", auth=("admin", self.password), trust_env=False, timeout=30)

    def add_user(self, name: str, *, tags: str = "management", vhost: str = "/") -> str:
        """Add a user (or give one another password) with all rights in a virtual host; the password."""
        password = secrets.token_urlsafe(16)
        with self.api() as api:
            api.put(f"/users/{quote(name)}", json={"password": password, "tags": tags}).raise_for_status()
            rights = {"configure": ".*", "write": ".*", "read": ".*"}
            api.put(f"/permissions/{quote(vhost, safe='')}/{quote(name)}", json=rights).raise_for_status()
        return password

    @contextlib.contextmanager
    def trusting_another_key(self) -> Iterator[None]:
        """Have RabbitMQ know another key by the name of the provider's, so that it takes no JWT; then have it back."""
        other = generate_private_key(public_exponent=65537, key_size=2048).public_key()
        key_id, key = _signing_key(self.provider)
        self._trust(key_id, _pem(other))
        try:
            yield
        finally:
            self._trust(key_id, key)

    def register(self) -> Machine:
        """Register a client with the provider."""
        asked = {"grant_types": ["client_credentials"], "response_types": [], "redirect_uris": []}
        answer = httpx.post(f"{self.provider.url}/reg", json=asked, trust_env=False)
        assert answer.status_code == 201, answer.text
        made = answer.json()
        return Machine(
            made["client_id"], made["client_secret"], made["registration_client_uri"], made["registration_access_token"]
        )

    def _trust(self, key_id: str, pem: bytes) -> None:
        environment = {**os.environ, **self.environment}
        command: list[str | Path] = [_SERVER.with_name("rabbitmqctl"), "add_uaa_key", key_id, f"--pem={pem.decode()}"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


@frozen
class RabbitMQWorld:
    """RabbitMQ, and the service that users reach it by."""

    rabbitmq: RabbitMQ
    front: Front

    def by_password(self, name: str, password: str) -> dict[str, str]:
        """What a user of RabbitMQ types into the service's connect page."""
        return {"variable.server_url": self.rabbitmq.url, "field.username": name, "field.password": password}

    def by_client(self, machine: Machine) -> dict[str, str]:
        """What the owner of a client of the provider types into the service's connect page."""
        return {
            "variable.server_url": self.rabbitmq.url,
            "variable.token_url": f"{self.rabbitmq.provider.url}/token",
            "field.client_id": machine.client_id,
            "field.client_secret": machine.client_secret,
        }

    def tokens_given(self) -> int:
        """How many access tokens the provider has given by client_credentials so far."""
        lines = self.rabbitmq.provider.program.json_lines()
        return sum(
            1
            for line in lines
            if (line.get("event"), line.get("grant_type")) == ("grant.success", "client_credentials")
        )


def need_rabbitmq() -> None:
    """Skip where RabbitMQ or the provider is not installed."""
    needs(PACKAGES)
    missing = find_missing_provider()
    if missing is not None:
        pytest.skip(missing)


@contextlib.contextmanager
def rabbitmq(*, access_token_seconds: int = 5) -> Iterator[RabbitMQ]:
    """Run RabbitMQ with everything it writes in a temporary folder, and the provider whose keys it knows."""
    resource_server = {"audience": "rabbitmq", "scope": SCOPE}
    with (
        tempfile.TemporaryDirectory(prefix="rabbitmq-") as name,
        oidc_provider(
            "http://127.0.0.1:9/oauth/callback",
            access_token_seconds=access_token_seconds,
            resource_server=resource_server,
        ) as provider,
        _port_mapper() as mapper_port,
    ):
        folder, port, password = Path(name), free_port(), secrets.token_urlsafe(16)
        environment = _prepare(folder, port, password, provider) | {"ERL_EPMD_PORT": str(mapper_port)}
        with running([_SERVER], env=environment, cwd=folder) as program:
            started = RabbitMQ(f"http://127.0.0.1:{port}", password, provider, program, environment)
            program.wait_until(lambda: _is_ready(started))
            yield started
        assert [] == processes_of(folder)


@contextlib.contextmanager
def rabbitmq_world(folder: Path) -> Iterator[RabbitMQWorld]:
    """Start all; the operator has nothing to set up for RabbitMQ but that the service may reach both."""
    with rabbitmq() as app:
        hosts = [urlsplit(url).netloc for url in (app.url, app.provider.url)]
        with service(folder, *(part for host in hosts for part in ("--allow-host", host))) as started:
            yield RabbitMQWorld(app, Front(started, "rabbitmq"))


@contextlib.contextmanager
def _port_mapper() -> Iterator[int]:
    """Run Erlang's port mapper in the foreground; left to itself RabbitMQ starts one that stays for ever."""
    port = free_port()
    epmd = shutil.which("epmd") or "/usr/bin/epmd"
    with running([epmd, "-port", str(port), "-address", "127.0.0.1"]):
        yield port


def _prepare(folder: Path, port: int, password: str, provider: OidcProvider) -> dict[str, str]:
    """Write the configuration; the environment that makes RabbitMQ use it and write nowhere else."""
    key_id, key = _signing_key(provider)
    (folder / "key.pem").write_bytes(key)
    (folder / "rabbitmq.conf").write_text(
        _CONFIGURATION.format(port=port, password=password, key_id=key_id, key_path=folder / "key.pem")
    )
    (folder / "enabled_plugins").write_text("[rabbitmq_management,rabbitmq_auth_backend_oauth2].\n")
    return {
        "HOME": str(folder),
        "ERL_EPMD_ADDRESS": "127.0.0.1",
        "RABBITMQ_NODENAME": "rabbit@localhost",
        "RABBITMQ_DIST_PORT": str(free_port()),
        "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "-kernel inet_dist_use_interface {127,0,0,1}",
        "RABBITMQ_CONF_ENV_FILE": str(folder / "none"),
        "RABBITMQ_CONFIG_FILE": str(folder / "rabbitmq.conf"),
        "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "enabled_plugins"),
        "RABBITMQ_GENERATED_CONFIG_DIR": str(folder / "generated"),
        "RABBITMQ_SCHEMA_DIR": str(folder / "schema"),
        "RABBITMQ_MNESIA_BASE": str(folder / "mnesia"),
        "RABBITMQ_LOG_BASE": str(folder / "log"),
        "RABBITMQ_LOGS": "-",
    }


def _signing_key(provider: OidcProvider) -> tuple[str, bytes]:
    """The name of the key that the provider signs JWTs with, and its public part as PEM."""
    keys = httpx.get(f"{provider.url}/jwks", trust_env=False).json()["keys"]
    key: dict[str, Any] = next(each for each in keys if each["kty"] == "RSA")
    numbers = RSAPublicNumbers(e=_number(key["e"]), n=_number(key["n"]))
    return key["kid"], _pem(numbers.public_key())


def _pem(key: RSAPublicKey) -> bytes:
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def _number(text: str) -> int:
    return int.from_bytes(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), "big")


def _is_ready(app: RabbitMQ) -> bool | None:
    with contextlib.suppress(httpx.TransportError), app.api() as api:
        return api.get("/whoami").status_code == 200 or None
    return None
