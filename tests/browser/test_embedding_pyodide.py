"""Any other page with Pyodide installs the Python client from the service, and calls it."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Route

from servicejs.bundle.contents import PYODIDE
from tests.connectors.descriptions.packages import fetch_missing, pypi

from .conftest import Troubles
from .product import PATIENCE, Demo, connect, start_over

MICROPIP = pypi("micropip==0.11.1", "sha256:768de165adb8e66906039d8fec4127a57f522dfdf8e6fbff877a4616941ecfd3").keeping(
    "micropip*"
)
"""What Pyodide's own distribution has under this name; npm's package of Pyodide is without."""

WHEEL = f"micropip-{MICROPIP.package.version}-py3-none-any.whl"
TYPES = {".mjs": "text/javascript", ".wasm": "application/wasm", ".json": "application/json", ".html": "text/html"}
MICROPIP_PROGRAM = """
import micropip
await micropip.install("service-client", index_urls=f"{base_url}/pyodide/simple")
"""
PROGRAM = """
import json, sys
from service_client import AsyncClient, CallRefusedError

async with AsyncClient(base_url, app_key=app_key, user_id=user_id, hash=hash) as client:
    apps = [app.name async for app in client.apps.list()]
    signature = await client.functions.get("sandbox-create-ticket")
    try:
        await client.functions.call("sandbox-create-ticket", {"title": "From Pyodide"})
        codes = ()
    except CallRefusedError as refused:
        codes = refused.codes
required = list(signature.parameters.required)
json.dumps({"apps": apps, "required": required, "codes": codes, "httpx": "httpx" in sys.modules})
"""


def open_bare_page(profile: BrowserContext, demo: Demo) -> Page:
    """Open a page of the host's origin that has nothing of ours, only the files of npm's Pyodide beside it."""
    fetch_missing([MICROPIP])

    def answer(route: Route) -> None:
        name = route.request.url.rpartition("/")[2]
        if name == WHEEL:
            route.fulfill(body=MICROPIP.file.read_bytes(), content_type="application/zip")
        elif name == "page.html":
            route.fulfill(body='<!doctype html><html lang="en"><title>Bare</title>', content_type="text/html")
        else:
            route.fulfill(path=PYODIDE / name, content_type=TYPES.get(Path(name).suffix, "application/octet-stream"))

    profile.route(f"{demo.host_url}/bare/*", answer)
    page = profile.new_page()
    page.goto(f"{demo.host_url}/bare/page.html")
    return page


LOAD_BY_MICROPIP = """
async ([given, wheel, program]) => {
  const { loadPyodide } = await import("/bare/pyodide.mjs");
  const pyodide = await loadPyodide();
  await pyodide.loadPackage(new URL(wheel, location.href).href);
  for (const [name, value] of Object.entries(given)) pyodide.globals.set(name, value);
  return pyodide.runPythonAsync(program);
}
"""
LOAD_BY_LOCK_FILE = """
async ([given, wheel, program]) => {
  const { loadPyodide } = await import("/bare/pyodide.mjs");
  const pyodide = await loadPyodide({ lockFileURL: `${given.base_url}/pyodide/pyodide-lock.json` });
  await pyodide.loadPackage("service-client");
  for (const [name, value] of Object.entries(given)) pyodide.globals.set(name, value);
  return pyodide.runPythonAsync(program);
}
"""


@pytest.mark.parametrize(
    ("load", "program"),
    [(LOAD_BY_MICROPIP, MICROPIP_PROGRAM + PROGRAM), (LOAD_BY_LOCK_FILE, PROGRAM)],
    ids=["micropip", "loadPackage"],
)
def test_a_bare_pyodide_installs_the_client_and_calls(
    profile: BrowserContext, demo: Demo, troubles: Troubles, load: str, program: str
) -> None:
    """
    Neither `micropip` nor `loadPackage` needs anything but the service.

    Hashes fit, and requests go through the browser's `fetch`.
    """
    troubles.expect("400 (Bad Request)")  # the call that is refused
    start_over(demo)
    page = open_bare_page(profile, demo)
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    credentials = demo.credentials()
    given = {
        "base_url": demo.base_url,
        "app_key": credentials["appKey"],
        "user_id": credentials["userId"],
        "hash": credentials["hash"],
    }
    page.set_default_timeout(2 * PATIENCE)
    answer = page.evaluate(load, [given, WHEEL, program])

    found = json.loads(answer)
    assert "sandbox" in found["apps"]
    assert {"required": ["title", "project_id"], "httpx": False}.items() <= found.items()
    assert found["codes"]
    elsewhere = [url for url in requested if not url.startswith((demo.base_url, demo.host_url, "blob:", "data:"))]
    assert [] == elsewhere
    assert 4 == sum(url.endswith(".whl") and url.startswith(demo.base_url) for url in requested)


NOTEBOOK = Path(__file__).parents[2] / "examples" / "notebook" / "functions.ipynb"
RUN_CELLS = """
async ([given, wheel, cells]) => {
  const { loadPyodide } = await import("/bare/pyodide.mjs");
  const pyodide = await loadPyodide();
  await pyodide.loadPackage(new URL(wheel, location.href).href);
  for (const [name, value] of Object.entries(given)) pyodide.globals.set(name, value);
  const shown = [];
  for (const cell of cells) shown.push((await pyodide.runPythonAsync(cell))?._repr_html_?.() ?? "");
  return shown;
}
"""


def test_the_notebook_runs_in_a_page(profile: BrowserContext, demo: Demo) -> None:
    """As its words say for JupyterLite: the client from the service's own index, with a session token; all is shown."""
    start_over(demo)
    connect(demo)
    with demo.client() as client:
        token = client.session_tokens.create(origin=demo.host_url).token
    first, *cells = [
        "".join(cell["source"]) for cell in json.loads(NOTEBOOK.read_text())["cells"] if cell["cell_type"] == "code"
    ]
    assert "client = AsyncClient(" in first
    client_with_token = "from service_client import AsyncClient\nclient = AsyncClient(base_url, token=token)"
    page = open_bare_page(profile, demo)
    page.set_default_timeout(2 * PATIENCE)
    given = {"base_url": demo.base_url, "token": token}
    *_, app, function, tickets, made = page.evaluate(
        RUN_CELLS, [given, WHEEL, [MICROPIP_PROGRAM, client_with_token, *cells]]
    )
    assert "Tickets sandbox" in app
    assert "sandbox-create-ticket" in function
    assert "<table" in tickets
    assert "Renew the certificate" in made
