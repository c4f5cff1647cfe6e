"""Runs the whole service with an app whose server is the benchmark's upstream, and an account connected to it."""

import asyncio
import contextlib
import hashlib
import hmac
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from attrs import frozen

from benchmarks.load import Repeated
from benchmarks.processes import running
from tests.real_apps.running import free_port

USER_ID = "benchmark-user"
APP = "upstream"
# One user calls as fast as can be, which nobody does in earnest.
NO_LIMITS = {
    "SERVICE_RATE_LIMIT_PER_MINUTE": "0",
    "SERVICE_APPLICATION_RATE_LIMIT_PER_MINUTE": "0",
    "SERVICE_CALLS_AT_ONCE": "0",
    "SERVICE_APPLICATION_CALLS_AT_ONCE": "0",
}

_CONNECTOR = """
name: upstream
title: Upstream
description: The server that every call of the benchmark ends at.
base_url: http://127.0.0.1:{port}
auth:
  - id: key
    type: api_key
    title: API key
    fields: {{api_key: {{title: API key}}}}
    inject: {{header: {{Authorization: "Bearer ${{creds.api_key}}"}}}}
test: {{get: /me}}
account: {{id: "${{test.id}}", name: "${{test.title}}"}}
"""
_PARAMETERS = """
parameters:
  type: object
  required: [title, project]
  properties:
    title: {type: string, title: Title, description: What it is about.}
    project: {type: number, title: Project, description: Where it belongs.}
    urgent: {type: boolean, title: Urgent, description: Whether it has to be solved first.}
"""
_FUNCTIONS = {
    "create-ticket": """
type: mutation
title: Create a ticket
description: Create a ticket.
request: {post: /tickets, body: {title: "${args.title}", project: "${args.project}", urgent: "${args.urgent?}"}}
""",
    "find-ticket": """
type: query
title: Find a ticket
description: Find a ticket.
request: {get: /tickets, query: {title: "${args.title}", project: "${args.project}", urgent: "${args.urgent?}"}}
""",
}
_ICON = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M12 2 2 22h20z"/></svg>'


@frozen
class WholeService:
    """The running service: its address, the number of its first process, and the headers of a user."""

    url: str
    pid: int
    headers: dict[str, str]

    def call(self, function: str, body: str) -> Repeated:
        """
        The call of a function of the upstream app.

        That is `create-ticket` (a mutation, logged before and after it is sent) or `find-ticket` (a query).
        """
        headers = {"Content-Type": "application/json", **self.headers}
        return Repeated(f"{self.url}/functions/{APP}-{function}/", body, headers)

    def page_of_functions(self) -> Repeated:
        """The request for the first page of all functions."""
        return Repeated(f"{self.url}/functions", None, self.headers)


@contextlib.contextmanager
def whole_service(
    upstream_port: int,
    folder: Path,
    workers: int = 1,
    *,
    options: Sequence[str] = ("--log-level", "error"),
    env: Mapping[str, str] = MappingProxyType({}),
    before: str = "",
) -> Iterator[WholeService]:
    """Serve while the block lasts, in one process or several; `before` is Python that is run before the service."""
    folder.mkdir()
    _write_connector(folder / "connectors" / APP, upstream_port)
    app_key, secret = asyncio.run(_set_up(folder))
    port = free_port()
    command = [
        *(sys.executable, "-c", f"{before}\nfrom service_server.cli import main; main()", "serve"),
        *("--data-dir", str(folder / "data"), "--connectors", str(folder / "connectors")),
        *("--port", str(port), "--allow-host", f"127.0.0.1:{upstream_port}"),
        *("--workers", str(workers), *options),
    ]
    headers = {
        "App-Key": app_key,
        "User-ID": USER_ID,
        "Hash": hmac.new(secret.encode(), USER_ID.encode(), hashlib.sha256).hexdigest(),
    }
    with running(command, port, log=folder / "service.log", env={**NO_LIMITS, **env}) as process:
        yield WholeService(f"http://127.0.0.1:{port}", process.pid, headers)


def _write_connector(folder: Path, upstream_port: int) -> None:
    (folder / "functions").mkdir(parents=True)
    (folder / "connector.yaml").write_text(_CONNECTOR.format(port=upstream_port))
    (folder / "icon.svg").write_text(_ICON)
    for name, text in _FUNCTIONS.items():
        (folder / "functions" / f"{name}.yaml").write_text(text + _PARAMETERS)


async def _set_up(folder: Path) -> tuple[str, str]:
    """Make an application and, on the database directly, the account; gives the application's key and secret."""
    from service_server.administration.actors import command_line
    from service_server.cli.administration import administration, make_database, opened_database
    from service_server.oauth.secrets_of_account import Secrets, seal_secrets
    from service_server.settings import Settings, default_database_url
    from service_server.store import Accounts, ConnectSessions, NewAccount
    from service_server.store.connect_sessions import ConnectSessionRow

    data = folder / "data"
    data.mkdir()
    settings = Settings(data_directory=data, public_url="http://127.0.0.1", database_url=default_database_url(data))
    await asyncio.to_thread(make_database, settings)
    async with opened_database(settings) as database, administration(settings) as opened:
        application, secret = await opened.create_application(command_line(), "Benchmark", [])
        owner = (application.id, USER_ID, APP)
        sealed = seal_secrets(opened.vault, Secrets(creds={"api_key": "benchmark"}), *owner)
        session = ConnectSessionRow(
            id="benchmark",
            application_id=application.id,
            user_id=USER_ID,
            app_name=APP,
            created_at=time.time(),
            expires_at=time.time() + 600,
        )
        await ConnectSessions(database).create(session)
        account = NewAccount(
            application_id=application.id,
            user_id=USER_ID,
            app_name=APP,
            auth_id="key",
            external_id="1",
            display_name="Benchmark",
            sealed_credentials=sealed,
        )
        await Accounts(database).connect(account, session_id=session.id)
        return application.app_key, secret
