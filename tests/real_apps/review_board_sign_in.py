"""Goes through Review Board's login and consent pages as a browser would, with plain HTTP."""

import contextlib
import re
from collections.abc import Iterator
from html import unescape

import httpx
from attrs import frozen

_INPUT = re.compile(r"<input\b[^>]*>")
_ATTRIBUTE = re.compile(r'\b(name|value|type)="([^"]*)"')


@frozen
class Consent:
    """Review Board's page that asks whether the service may do what it wants."""

    visitor: httpx.Client
    url: str
    form: dict[str, str]

    def authorize(self) -> str:
        """Press the button; the address at the service that this leads to."""
        sent = self.visitor.post(self.url, data={**self.form, "allow": "Authorize"}, follow_redirects=False)
        assert sent.is_redirect, sent.text
        return str(sent.headers["location"])


@contextlib.contextmanager
def signed_in(url: str, login: str, password: str) -> Iterator[Consent]:
    """Open the address that the service sends a browser to, and sign in there."""
    with httpx.Client(trust_env=False, follow_redirects=True) as visitor:
        page = visitor.get(url)
        assert "/account/login/" in str(page.url), page.text
        page = visitor.post(str(page.url), data={**_form(page), "username": login, "password": password})
        assert "/oauth2/authorize/" in str(page.url.path), page.text
        yield Consent(visitor, str(page.url), _form(page))


def _form(page: httpx.Response) -> dict[str, str]:
    """The hidden fields of a page's form."""
    found = re.search(r"<form\b.*?</form>", page.text, re.DOTALL)
    assert found is not None, page.text
    inputs = [dict(_ATTRIBUTE.findall(tag)) for tag in _INPUT.findall(found.group())]
    return {each["name"]: unescape(each.get("value", "")) for each in inputs if each["type"] == "hidden"}
