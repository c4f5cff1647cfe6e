"""Any other page with Pyodide installs the Python client from the service, and calls it."""

import json
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, Route

from servicejs.bundle.contents import PYODIDE
from tests.connectors.descriptions.packages import fetch_missing, pypi
from tests.real_apps.running import ROOT

from .conftest import Troubles
from .product import PATIENCE, Demo, connect, start_over

MICROPIP = pypi("micropip==0.11.1").keeping("micropip*")
"""What Pyodide's own distribution has under this name; npm's package of Pyodide is without."""

WHEEL = f"micropip-{MICROPIP.package.version}-py3-none-any.whl"
TYPES = {".mjs": "text/javascript", ".wasm": "application/wasm", ".json": "application/json", ".html": "text/html"}
INSTALL = """
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
NOTEBOOK = ROOT / "examples" / "notebook" / "functions.ipynb"
LOAD = """
async ([given, wheel, cells]) => {
  const { loadPyodide } = await import("/bare/pyodide.mjs");
  const lockFileURL = `${given.base_url}/pyodide/pyodide-lock.json`;
  const pyodide = await loadPyodide(wheel ? {} : { lockFileURL });
  await pyodide.loadPackage(wheel ? new URL(wheel, location.href).href : "service-client");
  for (const [name, value] of Object.entries(given)) pyodide.globals.set(name, value);
  const shown = [];
  for (const cell of cells) {
    const last = await pyodide.runPythonAsync(cell);
    shown.push(last?._repr_html_?.() ?? String(last));
  }
  return shown;
}
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


def run(page: Page, demo: Demo, wheel: str, cells: list[str], **given: str) -> list[str]:
    """Run cells in a Pyodide that needs nothing but the service; what their last lines show."""
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.set_default_timeout(2 * PATIENCE)
    shown: list[str] = page.evaluate(LOAD, [{"base_url": demo.base_url, **given}, wheel, cells])
    assert [] == [url for url in requested if not url.startswith((demo.base_url, demo.host_url, "blob:", "data:"))]
    assert 4 == sum(url.endswith(".whl") and url.startswith(demo.base_url) for url in requested)
    return shown


def test_a_bare_pyodide_loads_the_client_and_calls(profile: BrowserContext, demo: Demo, troubles: Troubles) -> None:
    """`loadPackage` needs the service's lock file alone; requests go through the browser's `fetch`."""
    troubles.expect("400 (Bad Request)")  # the call that is refused
    page = open_bare_page(profile, demo)
    given = demo.credentials()
    user = {"app_key": given["appKey"], "user_id": given["userId"], "hash": given["hash"]}
    found = json.loads(run(page, demo, "", [PROGRAM], **user)[0])

    assert "sandbox" in found["apps"]
    assert {"required": ["title", "project_id"], "httpx": False}.items() <= found.items()
    assert found["codes"]


def test_the_notebook_runs_in_a_page(profile: BrowserContext, demo: Demo) -> None:
    """As its words say for JupyterLite: the client by `micropip` from the service's own index, with a session token."""
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
    shown = run(page, demo, WHEEL, [INSTALL, client_with_token, *cells], token=token)

    *_, app, function, tickets, made = shown
    assert "Tickets sandbox" in app
    assert "sandbox-create-ticket" in function
    assert "<table" in tickets
    assert "Renew the certificate" in made
