"""Who gets into the console, and how its pages keep to themselves."""

from pathlib import Path

import pytest

from tests.real_apps.running import free_port
from tests.service_server.commands import forked
from tests.service_server.console.operator_browser import PASSWORD, OperatorBrowser, add_operator, browser, hidden
from tests.service_server.processes import RunningService


def test_signing_in_opens_the_overview(stranger: OperatorBrowser) -> None:
    """The right password opens the console and the page of it that was asked for, by a cookie of this browser."""
    for target in ("https://evil.example", "//evil.example", "/console/../apps", "/consoles", "/\\e"):
        assert "/console" == stranger.sign_in("ada", next_page=target).headers["location"], target
        stranger.http.cookies.clear()
    answer = stranger.sign_in("ada", next_page="/console/calls")
    assert (303, "/console/calls") == (answer.status_code, answer.headers["location"])
    cookie = answer.headers["set-cookie"].lower()
    assert {"httponly", "samesite=strict", "path=/", "max-age=43200"} <= {part.strip() for part in cookie.split(";")}
    assert "<h1>Overview</h1>" in stranger.page("/console")


def test_wrong_password_is_refused(stranger: OperatorBrowser) -> None:
    """A wrong password and an unknown operator look the same, and no session begins."""
    for name, password in (("ada", "wrong"), ("nobody", "wrong"), ("", ""), ("ada", "é�")):
        answer = stranger.sign_in(name, password)
        assert (403, True) == (answer.status_code, "The operator or the password is wrong." in answer.text)
        assert "console" not in answer.cookies
        assert 303 == stranger.get("/console/calls").status_code


def test_signing_in_needs_the_token_of_the_page(stranger: OperatorBrowser, console_service: RunningService) -> None:
    """Another site can't sign a visitor in: the form's token must be the one of this browser."""
    right = {"operator": "ada", "password": PASSWORD}
    assert 403 == stranger.http.post("/console", data=right).status_code
    with browser(console_service).http as other:
        foreign = hidden(other.get("/console").text, "token")
    stranger.page("/console")
    assert 403 == stranger.http.post("/console", data={**right, "token": foreign}).status_code


def test_cookie_is_secure_over_https(tmp_path: Path) -> None:
    """Behind https the cookies are sent over https only, and no other host of the domain can set them."""
    port = free_port()
    arguments = ["serve", "--port", str(port), "--data-dir", tmp_path, "--public-url", "https://service.example"]
    with forked(arguments) as program:
        running_service = RunningService(f"http://127.0.0.1:{port}", tmp_path, program, "", "")
        program.answers(f"{running_service.url}/health")
        add_operator(running_service, "ada")
        with browser(running_service).http as client:
            page = client.get("/console")
            visitor = page.headers["set-cookie"]
            fields = {"operator": "ada", "password": PASSWORD, "token": hidden(page.text, "token")}
            # The client keeps secure cookies from http, so they are sent by hand.
            cookie = {"Cookie": visitor.partition(";")[0]}
            session = client.post("/console", data=fields, headers=cookie).headers["set-cookie"]
    for name, header in (("__Host-console-visitor", visitor), ("__Host-console", session)):
        assert header.startswith(f"{name}=")
        assert {"secure", "httponly", "samesite=strict"} <= {part.strip().lower() for part in header.split(";")}


def test_signing_out_ends_the_session(stranger: OperatorBrowser) -> None:
    """After signing out even a copy of the cookie opens nothing."""
    stranger.sign_in("ada")
    copied = stranger.http.cookies["console"]
    assert 303 == stranger.submit(stranger.page("/console"), "/console/sign-out").status_code
    for value in (None, copied, "x"):
        if value:
            stranger.http.cookies.set("console", value)
        assert 303 == stranger.get("/console/calls").status_code


def test_pages_keep_to_themselves(operator: OperatorBrowser) -> None:
    """No page is cached or framed, and none runs a script."""
    for path in ("/console", "/console/apps", "/console/nothing"):
        headers = operator.get(path).headers
        policy = headers["content-security-policy"]
        assert "no-store" == headers["cache-control"]
        assert "frame-ancestors 'none'" in policy
        assert "default-src 'none'" in policy
        assert "script-src" not in policy
        assert "unsafe" not in policy
        assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/console/nothing", 404),
        ("GET", "/console/apps/nothing", 404),
        *(("GET", f"/console/applications/{number}", 404) for number in ("-1", "9" * 30, "9" * 5000, "x")),
        ("GET", "/console/calls/nothing", 404),
        ("PUT", "/console/calls", 405),
    ],
)
def test_failures_are_pages(operator: OperatorBrowser, method: str, path: str, status: int) -> None:
    """What is not there, or can't be, is said on a page."""
    answer = operator.http.request(method, path)
    assert (status, True) == (answer.status_code, "<h1>" in answer.text)
    assert answer.headers["content-type"].startswith("text/html")


def test_form_that_cannot_be_read_is_a_page(operator: OperatorBrowser) -> None:
    """A body that no form makes, or one that is too large, is refused with a page."""
    for body, status in ((b"name=%ff\xff", 400), (b"&".join([b"a=b"] * 300), 400), (b"a" * 70_000, 413)):
        answer = operator.http.post(
            "/console/applications", content=body, headers={"Content-Type": "application/x-www-form-urlencoded"}
        )
        assert status == answer.status_code
        assert answer.headers["content-type"].startswith("text/html")
