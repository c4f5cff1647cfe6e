"""The host page: what its backend gives to a browser, and what it keeps."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import httpx
import pytest

from service_client import sign
from tests.examples.conftest import NO_TLS
from tests.real_apps.running import running

pytestmark = pytest.mark.slow

SERVICE = "https://functions.example:8443"
SECRET = "only-the-backend-knows"
USER = 'Zoë <& "Co">'
COMMAND = [sys.executable, "-m", "examples.browser", "--service-url", SERVICE, "--app-key", "app_1", "--user-id", USER]


@pytest.fixture(scope="module")
def host() -> Iterator[httpx.Client]:
    """A browser at the host page of a service that is not there."""
    with running(COMMAND, env={"DEMO_APP_SECRET": SECRET}) as program:
        url = program.first_json_line()["url"]
        with httpx.Client(base_url=url, trust_env=False, verify=NO_TLS) as client:
            yield client
        assert "Traceback" not in program.output()


def test_page_carries_the_hash_and_never_the_secret(host: httpx.Client) -> None:
    """The backend signs the user's id; the secret is in nothing a browser gets."""
    page = host.get("/").text
    found = {name: unescape(value) for name, value in re.findall(r'data-(app-key|hash|user-id)="([^"]*)"', page)}

    assert {"app-key": "app_1", "hash": sign(USER, SECRET), "user-id": USER} == found
    for path in ("/", "/static/helpdesk.js", "/static/helpdesk.css"):
        assert SECRET not in host.get(path).text


def test_one_script_tag_of_the_service_and_a_strict_policy(host: httpx.Client) -> None:
    """The SDK comes by one script tag; the policy names the service where ServiceJS needs it, and nothing is inline."""
    answer = host.get("/")
    header = answer.headers["content-security-policy"]
    policy = dict(directive.split(" ", 1) for directive in header.split("; "))

    scripts = [f"{SERVICE}/servicejs/v1/servicejs.js", "/static/helpdesk.js"]
    assert scripts == re.findall(r'<script src="([^"]+)"', answer.text)
    assert 2 == answer.text.count("<script")
    assert re.search(r"<style|\son\w+=|style=", answer.text) is None
    assert f"'self' {SERVICE} 'wasm-unsafe-eval'" == policy["script-src"]
    assert ("'none'", SERVICE, "blob:") == (policy["default-src"], policy["connect-src"], policy["worker-src"])
    assert "unsafe-inline" not in header


def test_another_name_gets_no_signed_page(host: httpx.Client) -> None:
    """A request under a name that is not the host page's is not answered with the user's hash."""
    response = host.get("/", headers={"host": "evil.example"})

    assert 421 == response.status_code
    assert sign(USER, SECRET) not in response.text


def test_only_its_own_files_are_served(host: httpx.Client) -> None:
    """Paths outside of the static files are not found."""
    for path in ("/static/../backend.py", "/static/%2e%2e/backend.py", "/static/helpdesk.html", "/helpdesk.js", "/x"):
        assert 404 == host.get(path).status_code


def test_every_button_has_its_place(host: httpx.Client) -> None:
    """The ids of the page are there once, and the script acts on each of its buttons."""
    page = host.get("/").text
    ids = re.findall(r'\bid="([^"]+)"', page)
    buttons = re.findall(r'<button id="([^"]+)"', page)

    assert len(ids) == len(set(ids))
    assert buttons
    assert set(buttons) == set(re.findall(r'onClick\("([^"]+)"', host.get("/static/helpdesk.js").text))


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [([], "--service-url"), (["--service-url", "functions.example"], "http(s) address"), (COMMAND[3:], "secret")],
)
def test_bad_command_lines_are_explained(arguments: list[str], complaint: str) -> None:
    """A missing or wrong option ends the program with a message."""
    command = [sys.executable, "-m", "examples.browser", *arguments]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60)

    assert 2 == ended.returncode
    assert complaint in ended.stderr


def test_python_examples_explain_what_is_missing(tmp_path: Path) -> None:
    """Without options, or with a file that is not there, the quickstarts say what to give."""
    for arguments, complaint in (([], "--base-url"), (["--demo-file", tmp_path / "none.json"], "Is the demo running?")):
        command = [sys.executable, "-m", "examples.python.quickstart", *arguments]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert 2 == ended.returncode
        assert complaint in ended.stderr


def test_ready_line_is_json() -> None:
    """The first line of output is the page's address, as browsers are to use it."""
    command = [*COMMAND, "--public-url", "http://localhost:1"]
    with running(command, env={"DEMO_APP_SECRET": SECRET}) as program:
        assert {"url": "http://localhost:1"} == program.first_json_line()
        assert 1 == len([line for line in program.output().splitlines() if json.loads(line)])
