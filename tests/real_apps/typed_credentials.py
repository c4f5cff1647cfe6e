"""The whole service in front of one app, and its users as they come to it."""

import contextlib
import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from html import unescape
from typing import Any

import httpx
import pytest
from attrs import frozen

from service_client import AsyncClient, CallRefusedError, Client, ConnectedAccount, ConnectSession
from service_client.transports.httpx import AsyncHttpxTransport, HttpxTransport
from tests.service_server.connecting import submit
from tests.service_server.processes import RunningService, http


@frozen
class Attempt:
    """What came of filling in the service's connect page once: its answer, and how the session stands."""

    page: httpx.Response
    status: str
    account: int | None

    def problem(self) -> str:
        """What the page says is wrong, without its markup."""
        found = re.search(r'<div class="problem".*?</div>', self.page.text, re.DOTALL)
        assert found is not None, self.page.text
        return " ".join(re.sub(r"<[^>]+>", " ", unescape(found.group())).split())


@frozen
class Front:
    """A running service, and the one app that its users come for."""

    service: RunningService
    app: str

    @contextlib.contextmanager
    def client(self, user_id: str) -> Iterator[Client]:
        """The service's own client, for a user."""
        with httpx.Client(trust_env=False, timeout=60) as connections:
            yield Client(transport=HttpxTransport(connections), **self._credentials(user_id))

    @contextlib.asynccontextmanager
    async def async_client(self, user_id: str, base_url: str | None = None) -> AsyncIterator[AsyncClient]:
        """The service's own asynchronous client, for a user; another process of the service by its address."""
        credentials = self._credentials(user_id) | ({} if base_url is None else {"base_url": base_url})
        limits = httpx.Limits(max_connections=None)
        async with httpx.AsyncClient(trust_env=False, timeout=60, limits=limits) as connections:
            yield AsyncClient(transport=AsyncHttpxTransport(connections), **credentials)

    def _credentials(self, user_id: str) -> dict[str, Any]:
        running = self.service
        return {"base_url": running.url, "app_key": running.app_key, "user_id": user_id, "secret": running.app_secret}

    def try_to_connect(
        self, user_id: str, auth: str, fields: Mapping[str, str], reconnect: int | None = None
    ) -> Attempt:
        """Open the connect page, choose a way to sign in and fill in its fields (by their names on the page)."""
        with self.client(user_id) as client:
            session = client.connect_sessions.create(self.app, connected_account_id=reconnect)
            page = self._fill_in(session, auth, fields)
            state = client.connect_sessions.get(session.id)
        return Attempt(page, state.status, state.connected_account_id)

    def connect(self, user_id: str, auth: str, fields: Mapping[str, str], reconnect: int | None = None) -> int:
        """Connect an account, which must succeed; its id."""
        attempt = self.try_to_connect(user_id, auth, fields, reconnect)
        assert attempt.status == "connected", attempt.page.text
        assert attempt.account is not None
        return int(attempt.account)

    def connect_by_sign_in(self, user_id: str, allow: Callable[[str], str], reconnect: int | None = None) -> int:
        """
        Connect an account by pages of the app's own, which must succeed; its id.

        `allow` goes through these, from an address to the one at the service that they lead back to.
        """
        with self.client(user_id) as client, http(self.service.url) as browser:
            session = client.connect_sessions.create(self.app, connected_account_id=reconnect)
            left = submit(browser, browser.get(session.url.removeprefix(self.service.url)))
            target = re.search(r'href="(http[^"]+client_id=[^"]+)"', left.text)
            assert target is not None, left.text
            back = allow(unescape(target[1]))
            page = browser.get(back.removeprefix(self.service.url), follow_redirects=True)
            state = client.connect_sessions.get(session.id)
        assert state.status == "connected", page.text
        assert state.connected_account_id is not None
        return int(state.connected_account_id)

    def accounts(self, user_id: str) -> list[ConnectedAccount]:
        """The user's accounts in the app, newest first."""
        with self.client(user_id) as client:
            return list(client.connected_accounts.list(self.app))

    def must_reconnect(
        self, user_id: str, function: str, arguments: Mapping[str, Any] | None = None, why: str = ""
    ) -> int:
        """The user's only account, which is marked as to be reconnected; a call is refused for it, with the reason."""
        with self.client(user_id) as client, pytest.raises(CallRefusedError) as refused:
            client.functions.call(function, arguments or {})
        (marked,) = self.accounts(user_id)
        assert ("reconnect_required", "reconnect") == (refused.value.code, refused.value.action)
        assert "reconnect_required" == marked.state
        assert (True, True) == (why in str(refused.value), why in str(marked.state_reason))
        return marked.id

    def _fill_in(self, session: ConnectSession, auth: str, fields: Mapping[str, str]) -> httpx.Response:
        with http(self.service.url) as browser:
            page = browser.get(f"{session.url.removeprefix(self.service.url)}?auth={auth}")
            asked = set(re.findall(r'<(?:input|textarea)[^>]*? name="([^"]+)"', page.text))
            assert set(fields) <= asked, (asked, page.text)
            answer = submit(browser, page, auth=auth, **fields)
            return browser.send(answer.next_request, follow_redirects=True) if answer.next_request else answer
