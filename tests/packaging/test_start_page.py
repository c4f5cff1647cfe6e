"""Followed to the letter, "Start in ten minutes" leads from the released files to a ticket that a page created."""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.product import PATIENCE, allow_access
from tests.comboboxes import choose
from tests.packaging.conftest import Environment
from tests.real_apps.running import Running, free_port, running

from .trees import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.browser]

PAGE = (ROOT / "docs" / "start.md").read_text()
FILES = dict(re.findall(r"Save this as `(\w+\.py)`.*?^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
SHELL = "".join(re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
COMMANDS = SHELL.splitlines()


@pytest.fixture(scope="module")
def folder(server_environment: Environment, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the reader works: the environment is there, with the wheels in it, and so are the files to be saved."""
    folder = tmp_path_factory.mktemp("start")
    (folder / "functions").symlink_to(server_environment.folder)
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


def run(command: str, folder: Path, server_environment: Environment) -> list[str]:
    """A line of the page, where there is nothing but the environment; other tests have the usual ports."""
    assert command in COMMANDS
    free = {"SERVICE_PORT": "0", "PORT": str(free_port()), "PYTHONUNBUFFERED": "1"}
    variables = [f"{name}={value}" for name, value in (server_environment.variables | free).items()]
    program, *arguments = shlex.split(command)
    return ["env", "-i", *variables, str(folder / program), *arguments]


@pytest.fixture(scope="module")
def demo(folder: Path, server_environment: Environment) -> Iterator[Running]:
    """The demo, run in one terminal."""
    command = run("functions/bin/service-server demo", folder, server_environment)
    with running(command, cwd=folder) as program:
        program.wait_until(lambda: (folder / "data" / "demo.json").exists() or None)
        yield program


def test_all_of_the_page_is_followed() -> None:
    """No command and no file stands on it that this doesn't try; installing has its own tests."""
    tried = ["functions/bin/service-server demo", "functions/bin/python host.py", "functions/bin/python report.py"]
    installed = ["python3 -m venv functions", "functions/bin/pip install integration-functions-service"]

    assert [*installed, *tried] == COMMANDS
    assert ["host.py", "report.py"] == list(FILES)


def test_the_page_and_the_backend(
    folder: Path, demo: Running, server_environment: Environment, chromium: Browser
) -> None:
    """The own page connects an account and creates a ticket, and the backend finds it."""
    with running(run("functions/bin/python host.py", folder, server_environment), cwd=folder) as host:
        address = host.wait_until(lambda: re.search(r"^http://localhost:\d+$", host.output(), re.MULTILINE))
        page = chromium.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(address[0])
        create_ticket(page)

    command = run("functions/bin/python report.py", folder, server_environment)
    with running(command, cwd=folder) as report:
        assert 0 == report.process.wait(timeout=60)
        assert "Printer on fire" in report.output().splitlines()


@pytest.mark.usefixtures("demo")
def test_the_demos_own_page(folder: Path, chromium: Browser) -> None:
    """It becomes ready with the packed bundle, by its fastest start, and shows apps and the gallery."""
    told: list[str] = []
    page = chromium.new_page()
    page.set_default_timeout(PATIENCE)
    page.on("console", lambda message: told.append(message.text))
    page.goto(json.loads((folder / "data" / "demo.json").read_text())["host_url"])
    expect(page.locator("body[data-sdk=ready]")).to_have_count(1, timeout=PATIENCE)
    page.get_by_role("button", name="Show apps", exact=True).click()
    expect(page.get_by_role("dialog").get_by_text(re.compile("^Tickets sandbox"))).to_be_visible(timeout=PATIENCE)
    page.goto(f"{page.url}gallery")
    expect(page.locator("h1")).to_be_visible(timeout=PATIENCE)

    assert [] == told


def create_ticket(page: Page) -> None:
    """Press what the page tells to press, and fill in what the form asks for."""
    page.get_by_role("button", name="New ticket").click()
    with page.expect_popup() as popup:
        page.get_by_role("button", name="Connect Tickets").click()
    allow_access(popup.value)
    choose(page, "Project (required)", "Office")
    page.get_by_role("button", name="Create a ticket").click()
    expect(page.locator("output")).to_have_text(re.compile(r"^Ticket \w+ was created$"), timeout=PATIENCE)
