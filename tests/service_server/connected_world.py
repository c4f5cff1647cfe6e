"""One service's connecting parts, put together on a database of their own, beside a real sandbox app."""

import contextlib
import re
import shutil
from collections.abc import AsyncIterator
from html import unescape
from pathlib import Path
from typing import Any, cast
from urllib.parse import parse_qs, urlsplit

import httpx
from attrs import define, evolve, frozen
from litestar import Litestar

from service_server.catalog.catalog import Catalog
from service_server.connect.pages.routes import CONNECT_ROUTES
from service_server.connect.pages.steps import Steps
from service_server.connect.sessions.parts import ConnectParts
from service_server.connect.sessions.sessions import Sessions
from service_server.oauth.app_settings import seal_client_secret
from service_server.oauth.credentials import Credentials
from service_server.onward.sender import Sender
from service_server.onward.settings import OnwardSettings
from service_server.settings import Settings
from service_server.store import Accounts, AppConfigurations, Application, Applications, ConnectSessions, Database
from service_server.vault import Vault, keys_from_text
from tests.examples.processes import NO_TLS, SandboxApp
from tests.examples.sign_in import decide, open_consent_page
from tests.service_server.connecting import given_values
from tests.service_server.shipped import shipped_catalog

PUBLIC_URL = "http://service.test"
CALLBACK_URL = f"{PUBLIC_URL}/oauth/callback"
VAULT_KEY = "test:" + "A" * 43 + "="
HOST_ORIGIN = "https://host.test"


@frozen
class World:
    """The parts of a service, for a test to hold."""

    connect: Sessions
    credentials: Credentials
    catalog: Catalog
    vault: Vault
    database: Database
    accounts: Accounts
    sessions: ConnectSessions
    configurations: AppConfigurations
    applications: Applications
    application: Application
    sender: Sender
    app: Litestar
    sandbox: SandboxApp
    database_folder: Path
    public_url: str

    @contextlib.asynccontextmanager
    async def browser(self) -> AsyncIterator["Browser"]:
        """A browser of its own, with its own cookies."""
        transport = httpx.ASGITransport(app=cast(Any, self.app))
        async with httpx.AsyncClient(
            transport=transport, base_url=self.public_url, trust_env=False, verify=NO_TLS
        ) as http:
            yield Browser(http)

    async def configure(self, client_id: str | None, client_secret: str = "", **variables: str) -> None:
        """Set the operator's settings of the sandbox app."""
        await self.configurations.change(
            "sandbox",
            lambda current: evolve(
                current,
                client_id=client_id,
                sealed_client_secret=seal_client_secret(self.vault, "sandbox", client_secret)
                if client_secret
                else None,
                variables=variables,
            ),
        )


@define
class Browser:
    """Opens pages, fills in their first form, and follows where that leads."""

    http: httpx.AsyncClient
    page: httpx.Response | None = None

    async def open(self, url: str) -> httpx.Response:
        """Open a page."""
        self.page = await self.http.get(url, follow_redirects=True)
        return self.page

    async def submit(self, action: str = "", **fields: str) -> httpx.Response:
        """Fill in the page's form and send it, by the button with this action if not the main one."""
        assert self.page is not None
        form = re.search(r'<form method="post" action="([^"]+)".*?</form>', self.page.text, re.DOTALL)
        assert form is not None, self.page.text
        self.page = await self.http.post(
            unescape(form.group(1)) + action, data=self.hidden() | fields, follow_redirects=True
        )
        return self.page

    async def type_key(self, url: str, key: str) -> httpx.Response:
        """Open a session's page, and type in an API key."""
        await self.open(url)
        await self.use("key")
        return await self.submit(**{"field.api_key": key})

    async def sign_in(self, url: str, sandbox: SandboxApp, username: str = "alice", **decided: str) -> httpx.Response:
        """Open a session's page, go to the provider's pages, and come back."""
        await self.open(url)
        await self.submit()
        return await self.open(provider_answer(sandbox, self.leads_to(), username, **decided))

    async def use(self, auth: str) -> httpx.Response:
        """Choose another way to sign in."""
        assert self.page is not None
        return await self.open(f"{self.page.url.path}?auth={auth}")

    def hidden(self) -> dict[str, str]:
        """What the page's form sends without the user's doing."""
        assert self.page is not None
        return given_values(self.page.text)

    def leads_to(self) -> str:
        """The address that the page goes on to by itself."""
        assert self.page is not None
        found = re.search(r'<meta http-equiv="refresh" content="0;url=([^"]+)"', self.page.text)
        assert found is not None, self.page.text
        return unescape(found.group(1))

    def data(self, name: str) -> str:
        """The value of a data attribute of the page."""
        assert self.page is not None
        found = re.search(rf'data-{name}="([^"]*)"', self.page.text)
        assert found is not None, self.page.text
        return unescape(found.group(1))


def provider_answer(sandbox: SandboxApp, authorize_url: str, username: str = "alice", decision: str = "allow") -> str:
    """Go through the sandbox's login and consent pages; gives the address that the browser is sent back to."""
    parameters = {name: values[0] for name, values in parse_qs(urlsplit(authorize_url).query).items()}
    with httpx.Client(base_url=sandbox.url, trust_env=False, verify=NO_TLS) as visitor:
        consent = open_consent_page(visitor, username, parameters)
        return str(decide(visitor, consent, decision).headers["location"])


@contextlib.asynccontextmanager
async def connected_world(
    empty_database: Path | None, folder: Path, sandbox: SandboxApp, **changed_settings: Any
) -> AsyncIterator[World]:
    """
    Put the parts together on a copy of a migrated database, with the sandbox app configured.

    None for the database: the one that stands in the folder already, as a second process would use it.
    """
    if empty_database is not None:
        shutil.copy(empty_database, folder / "service.db")
    host = urlsplit(sandbox.url).netloc
    settings = Settings(
        data_directory=folder,
        public_url=PUBLIC_URL,
        database_url=f"sqlite+aiosqlite:///{folder / 'service.db'}",
        allow_hosts=(host,),
    )
    settings = evolve(settings, **changed_settings)
    database = Database(settings.database_url)
    await database.open()
    vault = Vault(keys_from_text(VAULT_KEY))
    catalog = shipped_catalog()
    accounts, sessions = Accounts(database), ConnectSessions(database)
    applications, configurations = Applications(database), AppConfigurations(database)
    async with Sender(OnwardSettings(allow_hosts=settings.allow_hosts)) as sender:
        credentials = Credentials(
            catalog=catalog, vault=vault, accounts=accounts, configurations=configurations, sender=sender
        )
        parts = ConnectParts(
            settings=settings,
            catalog=catalog,
            vault=vault,
            applications=applications,
            accounts=accounts,
            sessions=sessions,
            sender=sender,
            credentials=credentials,
        )
        app = Litestar(CONNECT_ROUTES, openapi_config=None)
        app.state.connect_steps = Steps(parts, closing_grace_seconds=0.05)
        existing = await applications.everyone()
        world = World(
            connect=Sessions(parts),
            credentials=credentials,
            catalog=catalog,
            vault=vault,
            database=database,
            accounts=accounts,
            sessions=sessions,
            configurations=configurations,
            applications=applications,
            application=existing[0] if existing else await applications.create("Acme Desk", "key", [], [HOST_ORIGIN]),
            sender=sender,
            app=app,
            sandbox=sandbox,
            database_folder=folder,
            public_url=settings.public_url,
        )
        await world.configure(sandbox.client_id, sandbox.client_secret, base_url=sandbox.url)
        yield world
        await credentials.drain()
    await database.close()
