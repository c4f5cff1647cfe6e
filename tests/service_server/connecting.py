"""Connects accounts of the sandbox app the way a user's browser does, over plain HTTP against real processes."""

import re
from html import unescape
from typing import Any, Protocol

import httpx

from tests.examples.sign_in import decide, open_consent_page
from tests.service_server.processes import RunningService, http


class AtAddress(Protocol):
    """An app that runs somewhere."""

    @property
    def url(self) -> str:
        """Where."""


def connect_by_key(
    service: RunningService,
    user_id: str,
    api_key: str,
    *,
    pages: str | None = None,
    app: str = "sandbox",
    way: str = "key",
) -> int:
    """Connect with an API key; the id of the account. `pages`: where the browser goes, if not to the same process."""
    return _account_of(type_in(service, user_id, app, {"field.api_key": api_key}, way, pages))


def type_in(
    service: RunningService, user_id: str, app: str, fields: dict[str, str], way: str = "key", pages: str | None = None
) -> dict[str, Any]:
    """Fill in an app's connect page once; how the connect session stands then."""
    with service.api(user_id) as api, http(pages or service.url) as browser:
        session = _opened(api, app)
        page = browser.get(f"{session['url'].removeprefix(service.url)}?auth={way}")
        answer = submit(browser, page, **fields)
        assert answer.status_code < 500, answer.text
        state: dict[str, Any] = api.get(f"/connect_sessions/{session['id']}").json()
        return state


def connect_by_sign_in(
    service: RunningService, sandbox: AtAddress, user_id: str, login: str, app: str = "sandbox", **wanted: Any
) -> int:
    """Connect by the sandbox's login and consent pages; the id of the account. `wanted` goes into the session."""
    with service.api(user_id) as api, http(service.url) as browser, http(sandbox.url) as visitor:
        session = _opened(api, app, **wanted)
        page = browser.get(session["url"].removeprefix(service.url))
        answer = submit(browser, page)
        target = answer.headers.get("location") or leads_to(answer.text)
        parameters = dict(httpx.URL(target).params)
        decided = decide(visitor, open_consent_page(visitor, login, parameters), "allow")
        callback = decided.headers["location"]
        final = browser.get(callback.removeprefix(service.url), follow_redirects=True)
        assert final.status_code == 200, final.text
        return _account_of(api.get(f"/connect_sessions/{session['id']}", params={"wait": 20}).json())


def leads_to(page: str) -> str:
    """Where a page that only leads on leads to."""
    found = re.search(r'href="([^"]+/oauth/authorize[^"]+)"', page)
    assert found is not None, page
    return unescape(found.group(1))


def given_values(form: str) -> dict[str, str]:
    """What a form sends without the user's doing: its hidden fields, and the way to sign in that is chosen."""
    found = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form)
    found += re.findall(r'<input type="radio" name="([^"]+)" value="([^"]*)"[^>]* checked>', form)
    return {name: unescape(value) for name, value in found}


def _opened(api: httpx.Client, app: str, **wanted: Any) -> dict[str, str]:
    answer = api.post(f"/apps/{app}/connect_sessions", json=wanted)
    assert answer.status_code == 201, answer.text
    session: dict[str, str] = answer.json()
    return session


def submit(browser: httpx.Client, page: httpx.Response, **fields: str) -> httpx.Response:
    """Send the first form of a page, filled in."""
    form = re.search(r'<form method="post" action="([^"]+)".*?</form>', page.text, re.DOTALL)
    assert form is not None, page.text
    return browser.post(page.url.join(unescape(form.group(1))), data=given_values(form.group()) | fields)


def _account_of(state: dict[str, Any]) -> int:
    assert state["status"] == "connected", state
    return int(state["connected_account_id"])
