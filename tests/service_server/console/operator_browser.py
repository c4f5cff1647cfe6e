"""An operator's browser: keeps cookies, fills in the forms of the console's pages."""

import re
from html import unescape

import httpx
from attrs import frozen

from tests.service_server.processes import RunningService, command, http

PASSWORD = "correct horse battery"


def add_operator(service: RunningService, name: str, password: str = PASSWORD) -> None:
    """Let someone sign in, or give them a new password."""
    file = service.data_directory / f"{name}.password"
    file.write_text(password)
    command(service.data_directory, "operator", "create", name, "--password-file", str(file))


@frozen
class OperatorBrowser:
    """One browser."""

    http: httpx.Client

    def get(self, path: str) -> httpx.Response:
        """Open a page, following nothing."""
        return self.http.get(path)

    def page(self, path: str) -> str:
        """The text of a page that must be there."""
        answer = self.get(path)
        assert answer.status_code == 200, answer.text
        return answer.text

    def sign_in(self, name: str, password: str = PASSWORD, next_page: str = "") -> httpx.Response:
        """Fill in the sign-in page."""
        token = hidden(self.page("/console"), "token")
        fields = {"operator": name, "password": password, "next": next_page, "token": token}
        return self.http.post("/console", data=fields)

    def submit(self, page: str, action: str, **fields: str) -> httpx.Response:
        """Fill in the form of a page that goes to `action`."""
        form = re.search(rf'<form method="post" action="{re.escape(action)}".*?</form>', page, re.DOTALL)
        assert form is not None, page
        found = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form.group())
        return self.http.post(action, data={name: unescape(value) for name, value in found} | fields)

    def add(self, name: str, role: str, **contents: str) -> None:
        """Let someone sign in."""
        page = self.page("/console/operators")
        added = self.submit(page, "/console/operators", name=name, password=PASSWORD, role=role, **contents)
        assert added.status_code == 303, added.text

    def upload(self, path: str, action: str, files: dict[str, bytes], **fields: str) -> httpx.Response:
        """Fill in a form with files, and follow where it leads; empty ones were not chosen."""
        token = hidden(self.page(path), "token")
        chosen = {name: (f"{name}.png" if content else "", content, "image/png") for name, content in files.items()}
        return self.http.post(action, data={"token": token, **fields}, files=chosen, follow_redirects=True)


def browser(service: RunningService) -> OperatorBrowser:
    """A browser without cookies."""
    return OperatorBrowser(http(service.url))


def hidden(page: str, name: str) -> str:
    """The value of the first hidden field of this name."""
    found = re.search(rf'<input type="hidden" name="{name}" value="([^"]*)"', page)
    assert found is not None, page
    return unescape(found.group(1))


def shown(page: str, element_id: str) -> str:
    """The text of the code element with this id."""
    found = re.search(rf'<code class="copy" id="{element_id}">([^<]*)</code>', page)
    assert found is not None, page
    return unescape(found.group(1))


def table_rows(page: str) -> list[str]:
    """The rows of the page's table body, as HTML."""
    body = re.search(r"<tbody[^>]*>(.*?)</tbody>", page, re.DOTALL)
    return [] if body is None else re.findall(r"<tr.*?</tr>", body.group(1), re.DOTALL)
