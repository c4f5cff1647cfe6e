"""What sdk_boot compares: our SDK, a bare Pyodide and a peer's script, all served by the service, and their pages."""

import contextlib
import hashlib
import http.server
import json
import queue
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from attrs import frozen

from tests.connectors.descriptions.packages import fetch_missing, npm
from tests.service_server.processes import SERVICE_SERVER, RunningService, service

ROOT = Path(__file__).resolve().parents[1]
NODE_MODULES = ROOT / "node_modules"
PYODIDE = NODE_MODULES / "pyodide"
PEER_SCRIPT = "dist/umd/index.umd.js"
PEER = npm("@integry/sdk@4.9.37").keeping(PEER_SCRIPT)
"""Only its script is fetched, when the benchmark runs: what it would be installed with is some hundred packages."""
SDK = Path("web_assets") / "dist" / "servicejs"
SUBJECTS = ("bare", "sdk", "peer")
USER_ID = "benchmark-user"
ANSWER_SECONDS = 120

_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title><link rel="icon" href="data:,">
<body><h1>Host</h1><script>
const started = performance.now();
const report = (values) => fetch("/report", {{ method: "POST", body: JSON.stringify(values) }});
const ready = () => report({{ milliseconds: performance.now() - started }});
const failed = (error) => report({{ error: String(error?.message ?? error) }});
addEventListener("error", (event) => failed(event.message));
</script>
{script}
</body></html>"""

_SCRIPTS = {
    "bare": """<script type="module">
        const {{ loadPyodide }} = await import("{files}/bare/{bare}").catch(failed);
        const python = await loadPyodide({{ indexURL: "{files}/bare/", stdLibURL: "{files}/bare/{stdlib}",
            lockFileURL: "{files}/bare/{lock}" }});
        if (python.runPython("lambda: 42")() === 42) ready();
        </script>""",
    "sdk": """<script src="{files}/servicejs.js"></script><script>
        const sdk = new ServiceJS({credentials});
        sdk.eventEmitter.on("ready", ready);
        sdk.eventEmitter.on("error", failed);
        </script>""",
    "peer": """<script src="{files}/bare/{peer}"></script><script>ready()</script>""",
}


@frozen
class Subjects:
    """Everything that is compared, served: the pages at `host_url`, their files by the service."""

    host_url: str
    service: RunningService
    reports: "queue.Queue[dict[str, Any]]"

    def page(self, subject: str) -> str:
        """Return the address of a subject's page, which reports once it is ready."""
        return f"{self.host_url}/{subject}"

    def milliseconds(self) -> float:
        """Wait for the report of the page that was opened last: from its script's start until it was ready."""
        report = self.reports.get(timeout=ANSWER_SECONDS)
        if "error" in report:
            raise RuntimeError(f"A page failed: {report['error']}")
        return float(report["milliseconds"])


@contextlib.contextmanager
def serve_subjects(folder: Path, *quality: str) -> Iterator[Subjects]:
    """Serve everything while the block lasts, with files that a browser may keep for ever."""
    names = add_peers(folder, *quality)
    pages = {"/nothing": _PAGE.format(script="")}
    reports: queue.Queue[dict[str, Any]] = queue.Queue()
    with serve_pages(pages, reports.put) as host_url, start_service(folder, host_url) as running:
        headers = running.headers(USER_ID)
        names["files"] = f"{running.url}/servicejs/v1"
        names["credentials"] = json.dumps(
            {"appKey": headers["App-Key"], "userId": headers["User-ID"], "hash": headers["Hash"]}
        )
        pages |= {f"/{subject}": _PAGE.format(script=_SCRIPTS[subject].format(**names)) for subject in SUBJECTS}
        yield Subjects(host_url, running, reports)


def start_service(folder: Path, origin: str) -> AbstractContextManager[RunningService]:
    """Start the service with the assets in `folder`, for pages of this origin."""
    environment = {"PYTHONPATH": f"{folder}:{ROOT}"}
    return service(folder / "data", origins=[origin], env=environment, program=[SERVICE_SERVER])


def add_peers(folder: Path, *quality: str) -> dict[str, str]:
    """Put our assets into `folder`, with the peers' files beside them, hashed and compressed as ours; their names."""
    shutil.copytree(ROOT / "web_assets", folder / "web_assets")
    bare = folder / SDK / "bare"
    bare.mkdir()
    names = {
        "wasm": add_file(bare, "pyodide.asm.wasm", (PYODIDE / "pyodide.asm.wasm").read_bytes()),
        "glue": add_file(bare, "pyodide.asm.mjs", (PYODIDE / "pyodide.asm.mjs").read_bytes()),
        "stdlib": add_file(bare, "python_stdlib.zip", (PYODIDE / "python_stdlib.zip").read_bytes()),
        "lock": add_file(bare, "pyodide-lock.json", (PYODIDE / "pyodide-lock.json").read_bytes()),
    }
    loader = (PYODIDE / "pyodide.mjs").read_text()
    loader = loader.replace("pyodide.asm.wasm", names["wasm"]).replace("pyodide.asm.mjs", names["glue"])
    names["bare"] = add_file(bare, "pyodide.mjs", loader.encode())
    names["peer"] = add_peer_script(bare)
    compress(bare, *quality)
    return names


def add_peer_script(folder: Path) -> str:
    """Put the peer's script into a folder, and return its name there."""
    folder.mkdir(exist_ok=True)
    fetch_missing([PEER])
    return add_file(folder, "peer.js", PEER.texts(PEER_SCRIPT)[PEER_SCRIPT].encode())


def compress(folder: Path, *quality: str) -> None:
    """Compress the files of a folder as the bundle's, or with another quality of brotli."""
    subprocess.run(["node", ROOT / "servicejs" / "bundle" / "compress_files.mjs", folder, *quality], check=True)


def add_file(folder: Path, name: str, content: bytes) -> str:
    """Write a file under its name with its hash in it, and return that."""
    stem, _, suffix = name.rpartition(".")
    hashed = f"{stem}.{hashlib.sha256(content).hexdigest()[:16]}.{suffix}"
    (folder / hashed).write_bytes(content)
    return hashed


@contextlib.contextmanager
def serve_pages(pages: dict[str, str], take: Callable[[dict[str, Any]], None]) -> Iterator[str]:
    """Serve the host's pages, and `take` their reports; gives their address, of another site than the service's."""

    class Host(http.server.BaseHTTPRequestHandler):
        """The host's own server."""

        def do_GET(self) -> None:
            """Answer with a page."""
            page = pages.get(urlsplit(self.path).path)
            self.answer(200 if page else 404, (page or "").encode())

        def do_POST(self) -> None:
            """Take a report."""
            take(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.answer(200, b"")

        def answer(self, status: int, content: bytes) -> None:
            """Send an answer that is not to be kept."""
            self.send_response(status)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *arguments: object) -> None:
            """Say nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Host)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://localhost:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def build_bundle(*options: str) -> None:
    """Have our own files as the sources say; with `--release` compressed as in a released package."""
    subprocess.run([sys.executable, "-m", "servicejs.bundle", *options], cwd=ROOT, check=True, stdout=sys.stderr)
