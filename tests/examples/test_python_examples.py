"""The Python examples against the whole demo: service, sandbox app and host page as processes."""

import re
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import httpx
import pytest

from tests.examples.conftest import NO_TLS
from tests.real_apps.running import Running, running
from tests.service_server.connecting import submit
from tests.service_server.processes import SERVICE_SERVER

pytestmark = pytest.mark.slow


@pytest.fixture
def demo_file(tmp_path: Path) -> Iterator[Path]:
    """The file with the addresses of the running demo, on free ports with fresh data."""
    file = tmp_path / "demo.json"
    with running([SERVICE_SERVER, "demo", "--port", "0", "--data-dir", tmp_path]) as program:
        program.wait_until(lambda: file.exists() or None)
        yield file


def example(name: str, demo_file: Path) -> list[str]:
    """The command that runs a Python example against the demo."""
    return [sys.executable, "-u", "-m", f"examples.python.{name}", "--demo-file", str(demo_file)]


def connect_in_browser(url: str) -> str:
    """Connect Alice's sandbox account at a connect session's address; gives the last page."""
    with httpx.Client(trust_env=False, verify=NO_TLS, follow_redirects=True) as browser:
        page = go_on(browser, submit(browser, browser.get(url)))
        page = submit(browser, page, username="alice", password="alice-password")
        return submit(browser, page, decision="allow").text


def go_on(browser: httpx.Client, page: httpx.Response) -> httpx.Response:
    """Follow a page that leads on by itself."""
    target = re.search(r'<meta http-equiv="refresh" content="0;url=([^"]+)"', page.text)
    return browser.get(unescape(target.group(1))) if target else page


def test_both_quickstarts_go_through_everything(demo_file: Path) -> None:
    """From no account to pages of tickets: connect in a browser, predict, call, page, passthrough, be refused."""
    with running(example("quickstart", demo_file)) as program:
        assert "sandbox is connected" in connect_in_browser(program.wait_until(lambda: connect_address(program)))
        assert 0 == program.process.wait(timeout=60)
        check_output(program.output())

    awaited = subprocess.run(example("quickstart_async", demo_file), capture_output=True, text=True, timeout=60)
    assert (0, "") == (awaited.returncode, awaited.stderr)
    assert "source    sandbox-list-users: ['Alice Andersson'" in awaited.stdout
    check_output(awaited.stdout)


def connect_address(program: Running) -> str | None:
    """The address that the program asks to open, once it has."""
    found = re.search(r"Open (\S+) in a browser", program.output())
    return found.group(1) if found else None


def check_output(output: str) -> None:
    """The parts that both quickstarts show."""
    assert "account   Alice Andersson (Acme)" in output
    assert "predict   sandbox-create-ticket" in output
    assert "call      201 {'id': 10" in output
    assert 2 == output.count(" 20 tickets")
    assert "request   200 {'id': 'u-alice'" in output
    assert "refused   title: " in output
