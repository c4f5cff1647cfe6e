"""Attempts to connect an app as a browser makes them, without one: pages are asked for and forms sent."""

import re
from html import unescape
from typing import Any

import httpx

from tests.service_server.connecting import given_values
from tests.service_server.processes import RunningService, http


class Browser:
    """What a user does on the pages of one attempt to connect an app, in one browser."""

    def __init__(self, served: RunningService, app: str, user: str, **options: object) -> None:
        self._served, self._user = served, user
        with served.api(user) as api:
            self.session: dict[str, Any] = api.post(f"/apps/{app}/connect_sessions", json=options).json()
        self._http = http(served.url)

    def sign_in(self) -> httpx.Response:
        """Go to the provider's page and come back; what is shown then."""
        page = self._http.get(f"{self.session['url']}?auth=oauth")
        leaving = self._http.post(self.session["url"], data={**given_values(page.text), "auth": "oauth"})
        address = unescape(re.findall(r'https?://[^"<>]*/authorize\?[^"<>]+', leaving.text)[0])
        return self._http.get(address, follow_redirects=True)

    def type_in(self, way: str, **fields: str) -> httpx.Response:
        """Sign in with what a user types into the fields of a way to sign in; what is shown then."""
        page = self._http.get(f"{self.session['url']}?auth={way}")
        form = {**given_values(page.text), "auth": way}
        for name, value in fields.items():
            of_the_way = f"field.{name}.{way}"  # ways that mean different things by one name have one each
            form[of_the_way if f'name="{of_the_way}"' in page.text else f"field.{name}"] = value
        return self._http.post(self.session["url"], data=form, follow_redirects=True)

    def look(self, words: str = "") -> httpx.Response:
        """Load the page again, or search its choices."""
        return self._http.get(self.session["url"], params={"search": words} if words else {})

    def choose(self, page: httpx.Response, value: str) -> httpx.Response:
        """Choose a site."""
        return self._http.post(
            self.session["url"], data={**given_values(page.text), "choice": value}, follow_redirects=True
        )

    def cancel(self, page: httpx.Response) -> None:
        """Give up."""
        self._http.post(f"{self.session['url']}/cancel", data=given_values(page.text))

    def status(self) -> str:
        """How the session stands."""
        with self._served.api(self._user) as api:
            return str(api.get(f"/connect_sessions/{self.session['id']}").json()["status"])

    def close(self) -> None:
        """Close the browser."""
        self._http.close()


def accounts(served: RunningService, app: str, user: str) -> list[dict[str, Any]]:
    """The user's accounts of an app."""
    with served.api(user) as api:
        return list(api.get(f"/apps/{app}").json()["connected_accounts"])


def names(served: RunningService, app: str, user: str) -> list[str]:
    """What they are called."""
    return [each["display_name"] for each in accounts(served, app, user)]


def call(served: RunningService, user: str, function: str, **arguments: object) -> httpx.Response:
    """Call a function with the user's account."""
    with served.api(user) as api:
        return api.post(f"/functions/{function}", json=arguments)
