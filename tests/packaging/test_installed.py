"""Installed from the released files alone, far from any source tree and without Node, everything works."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.browser.conftest import PATIENCE
from tests.chromium import ARGUMENTS, CHROMIUM
from tests.examples.test_python_examples import connect_in_browser
from tests.real_apps.running import running

from .conftest import Environment

pytestmark = pytest.mark.slow

IMPORT_EVERYTHING = """
import importlib, json, pkgutil, shutil, sys

assert shutil.which("node") is None
RUN_BY_OTHERS = ("__main__", "service_server.store.migrations.env")  # by Python, by Alembic
EXTRAS = ("tools.langchain", "tools.llama_index", "tools.openai_agents", "tools.pydantic_ai")  # of the client
EXTRAS += ("predict.encoder.graph",)  # builds the model, which is packed already
EXTRAS += tuple(
    f"telemetry.{name}"
    for name in ("exposition", "figures", "instruments", "measuring", "providers", "running", "sent_metrics", "tracing")
)  # of the server
names = []
for package in sys.argv[1:]:
    names.append(package)
    for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
        if not module.name.endswith(RUN_BY_OTHERS + EXTRAS):
            importlib.import_module(module.name)
            names.append(module.name)
files = [str(module.__file__) for name, module in sys.modules.items() if name in names]
print(json.dumps({"names": names, "outside": [file for file in files if not file.startswith(sys.prefix)]}))
"""

CALL = """
import json, sys
from service_client import Client

demo = json.load(open(sys.argv[1]))
with Client(demo["base_url"], app_key=demo["app_key"], secret=demo["app_secret"], user_id=demo["user_id"]) as client:
    session = client.connect_sessions.create("sandbox")
    print(session.url, flush=True)
    while client.connect_sessions.get(session.id, wait=25).status == "pending":
        pass
    made = client.functions.call("sandbox-create-ticket", {"title": "Installed", "project_id": "documentation"})
    ticket = client.functions.call("sandbox-get-ticket", {"ticket_id": made.output["id"]})
    print(json.dumps([made.network_code, ticket.output["title"]]))
"""


@pytest.fixture(scope="module")
def demo(server_environment: Environment, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """`service-server demo` of the installed package; gives the file that says where it is."""
    folder = tmp_path_factory.mktemp("demo")
    file = folder / "demo.json"
    command = ["env", "-i", *(f"{name}={value}" for name, value in server_environment.variables.items())]
    command += [str(server_environment.program("service-server")), "demo", "--port", "0", "--data-dir", str(folder)]
    with running(command, cwd=server_environment.elsewhere) as program:
        program.wait_until(lambda: file.exists() or None)
        yield file


def imported(environment: Environment, *packages: str) -> list[str]:
    """Import every module of packages in an environment, all of them from there; gives their names."""
    found: dict[str, Any] = json.loads(environment.run("python", "-I", "-c", IMPORT_EVERYTHING, *packages))
    assert [] == found["outside"]
    names: list[str] = found["names"]
    return names


def test_the_client_alone_imports(client_environment: Environment) -> None:
    """Every module of the client imports where nothing is installed but what it asked for."""
    names = imported(client_environment, "service_client")
    installed = {line.partition("==")[0].lower() for line in client_environment.run("pip", "freeze", "--all").split()}

    assert {"service_client.transports.fetch", "service_client.testing.fake_service"} <= set(names)
    assert {"attrs", "cattrs", "httpx", "service-client"} <= installed
    assert not {"integration-functions-service", "litestar", "numpy", "babel"} & installed


def test_every_module_of_the_server_imports(server_environment: Environment) -> None:
    """Every module imports where nothing is installed but what the two packages asked for; no versions clash."""
    names = imported(server_environment, "service_server", "servicejs", "web_assets")

    assert {"service_server.app", "service_server.predict.reader.places", "servicejs.service_js"} <= set(names)
    assert "No broken requirements found.\n" == server_environment.run("pip", "check")


def test_the_command_answers(server_environment: Environment) -> None:
    """The console script starts and finds the connectors, and checks them."""
    assert "serve" in server_environment.run("service-server", "--help")
    listed = json.loads(server_environment.run("service-server", "connector", "list", "--json"))
    assert {"sandbox", "github"} <= {app["name"] for app in listed}


def test_prediction_needs_no_further_step(server_environment: Environment) -> None:
    """The model comes with the package: a function is found that words alone don't find, and nothing is fetched."""
    shown = json.loads(server_environment.run("service-server", "model", "show", "--json"))
    asked = ("service-server", "predict", "who pushed to acme/web lately?")

    assert shown["directory"].startswith(str(server_environment.folder))
    assert "github-list-commits" in server_environment.run(*asked).splitlines()[1]
    assert "github-list-commits" not in server_environment.run(*asked, "--without-model").splitlines()[1]
    assert "already" in server_environment.run("service-server", "model", "install")


def test_the_demo_takes_a_call_of_the_client(demo: Path, client_environment: Environment) -> None:
    """From one installed package to the other: an account is connected in the demo, and a ticket made there."""
    with subprocess.Popen(
        [client_environment.program("python"), "-I", "-c", CALL, demo],
        cwd=client_environment.elsewhere,
        env=client_environment.variables,
        stdout=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdout is not None
        assert "sandbox is connected" in connect_in_browser(program.stdout.readline().strip())
        answer = json.loads(program.stdout.readline())
    assert ["201", "Installed"] == answer


@pytest.mark.browser
def test_the_host_page_shows_apps(demo: Path) -> None:
    """The demo's host page becomes ready in Chromium with the packed bundle, by its fastest start, and shows apps."""
    told: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: told.append(message.text))
        page.goto(json.loads(demo.read_text())["host_url"])
        expect(page.locator("body[data-sdk=ready]")).to_have_count(1, timeout=PATIENCE)
        page.get_by_role("button", name="Show apps", exact=True).click()
        expect(page.get_by_role("dialog").get_by_text(re.compile("^Tickets sandbox"))).to_be_visible(timeout=PATIENCE)
        page.goto(f"{page.url}gallery")
        expect(page.locator("h1")).to_be_visible(timeout=PATIENCE)
        browser.close()

    assert [] == told
