"""The whole service in front of Kinto behind an OpenID provider, and its users as they come to it."""

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from attrs import frozen

from service_client import Client
from tests.real_apps.processes import Kinto, OidcProvider, kinto, oidc_provider
from tests.real_apps.running import free_port
from tests.real_apps.sign_in import allow
from tests.real_apps.typed_credentials import Front
from tests.service_server.processes import UNLIMITED, RunningService, configure_app, create_application, service

ACCESS_TOKEN_SECONDS = 5
SCHEMA = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": {"type": "string", "title": "Company name"},
        "stage": {"type": "string", "title": "Stage", "enum": ["lead", "won", "lost"]},
        "employees": {"type": "number", "title": "Employees"},
        "active": {"type": "boolean", "title": "Active customer"},
    },
}


@frozen
class KintoWorld:
    """The three running parts, and the ways of a user through them."""

    service: RunningService
    provider: OidcProvider
    kinto: Kinto

    @property
    def front(self) -> Front:
        """The service as users of Kinto see it."""
        return Front(self.service, "kinto")

    def client(self, user_id: str) -> contextlib.AbstractContextManager[Client]:
        """The service's own client, for a user."""
        return self.front.client(user_id)

    def connect(self, user_id: str, login: str, reconnect: int | None = None) -> int:
        """Connect an account as a user with a browser does; its id."""

        def allowed(url: str) -> str:
            return f"/oauth/callback?{urlencode(allow(self.provider, login, url))}"

        return self.front.connect_by_sign_in(user_id, allowed, reconnect)

    def token_requests(self) -> list[tuple[str, str]]:
        """What the provider's token endpoint was asked for so far: (`grant.success` or `grant.error`, grant type)."""
        events = self.provider.program.json_lines()
        grants = [line for line in events if line.get("event") in ("grant.success", "grant.error")]
        return [(line["event"], line["grant_type"]) for line in grants]


def wait_for_expiry() -> None:
    """Stay idle until every access token given so far has ended."""
    time.sleep(ACCESS_TOKEN_SECONDS + 0.2)


@contextlib.contextmanager
def kinto_world(folder: Path, *, access_token_seconds: int = ACCESS_TOKEN_SECONDS) -> Iterator[KintoWorld]:
    """Start all three, the service set up with Kinto as an operator does it."""
    port = free_port()
    application = create_application(folder, "Acme Desk")
    with (
        oidc_provider(f"http://127.0.0.1:{port}/oauth/callback", access_token_seconds=access_token_seconds) as provider,
        kinto(provider) as server,
    ):
        configure_app(
            folder,
            "kinto",
            client_id=provider.client_id,
            client_secret=provider.client_secret,
            variables={"server_url": server.url.removesuffix("/v1"), "issuer": provider.url},
        )
        with service(
            folder, *allowed_hosts(provider, server), port=port, application=application, env=UNLIMITED
        ) as started:
            yield KintoWorld(started, provider, server)


def allowed_hosts(provider: OidcProvider, server: Kinto) -> list[str]:
    """The options that let the service reach both on loopback."""
    return [part for url in (provider.url, server.url) for part in ("--allow-host", urlsplit(url).netloc)]


def create_companies(client: Client, bucket: str, account: int | None = None) -> dict[str, str]:
    """Make a bucket with a collection that follows the schema; the arguments that name the two."""
    where = {"bucket": bucket, "collection": "companies"}
    made = client.functions.call("kinto-create-bucket", {"bucket": bucket}, connected_account_id=account)
    assert made.network_code == "201", made
    made = client.functions.call("kinto-create-collection", {**where, "schema": SCHEMA}, connected_account_id=account)
    assert made.network_code == "201", made
    return where
