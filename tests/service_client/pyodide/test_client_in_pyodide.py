"""The client in Pyodide under Node: real WebAssembly Python, the real `fetch`, a real server."""

import json
import re
import shutil
import subprocess
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.service_client.scripted_server import (
    Handler,
    Reply,
    ScriptedServer,
    Step,
    flood,
    hang,
    reset,
    trickle,
    truncate,
)

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
# All that the client needs there; HTTPX is left out on purpose.
PACKAGES = ("attr", "attrs", "cattrs", "typing_extensions", "service_client")
CHECKS = re.findall(r"@check\nasync def (\w+)", (HERE / "scenario.py").read_text())

# Node 20 and later can suspend WebAssembly behind this flag; the newest need none and refuse it.
SUSPENDING = "--experimental-wasm-stack-switching"


def answer_app(handler: Handler) -> None:
    """Answer with an app named as the path says."""
    name = handler.path.rsplit("/", 1)[-1]
    Reply({"id": 1, "name": name, "title": "", "icon_url": ""})(handler)


def answer_when_asked_again(times: int) -> Step:
    """Be busy so many times, and then answer."""

    def answer(handler: Handler) -> None:
        before = sum(asked.target == handler.path for asked in handler.server.asked[:-1])
        if before < times:
            Reply({"error": "Slower."}, 429, {"Retry-After": "0"})(handler)
        else:
            answer_app(handler)

    return answer


def answer_echo(handler: Handler) -> None:
    """Answer a call with what was asked."""
    asked = handler.server.asked[-1]
    output = {"method": asked.method, "target": asked.target, "headers": asked.headers, "body": asked.body.decode()}
    Reply({"network_code": "200", "output": output}, headers={"Request-Id": "r-7"})(handler)


ANSWERS: dict[str, Step] = {
    "hang": hang,
    "reset": reset,
    "truncated": truncate,
    "trickle": trickle,
    "empty": Reply(status=204),
    "redirect": Reply(b"", 307, {"Location": "/apps/ok"}),
    "html": Reply(b"<html>"),
    "busy-once": answer_when_asked_again(1),
    "busy-twice": answer_when_asked_again(2),
    "flood": flood,
    "a-echo": answer_echo,
    "a%2Fb-echo": answer_echo,
    "ok": answer_app,
}


def answer_by_name(handler: Handler) -> None:
    """Answer as the last part of the path says."""
    ANSWERS[handler.path.partition("?")[0].rsplit("/", 1)[-1]](handler)


def build_archive(path: Path) -> Path:
    """Zip the pure Python sources that the client needs, as installed here."""
    with zipfile.ZipFile(path, "w") as archive:
        for name in PACKAGES:
            spec = find_spec(name)
            assert spec.origin is not None
            origin = Path(spec.origin)
            files = origin.parent.rglob("*.py") if origin.name == "__init__.py" else [origin]
            base = origin.parent.parent if origin.name == "__init__.py" else origin.parent
            for file in sorted(files):
                archive.write(file, file.relative_to(base).as_posix())
    return path


def missing() -> str:
    """Return why the scenario cannot run here, or nothing."""
    if shutil.which("node") is None:
        return "the client in Pyodide was NOT tested: there is no `node` on the path"
    if not (ROOT / "node_modules" / "pyodide").is_dir():
        return "the client in Pyodide was NOT tested: node_modules/pyodide is missing (run `npm ci`)"
    return ""


def accepted(flag: str) -> bool:
    """Tell whether this Node knows a flag."""
    return subprocess.run(["node", flag, "--version"], capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(bool(missing()), reason=missing())
def test_the_client_works_in_pyodide(server: ScriptedServer, tmp_path: Path) -> None:
    """Every check of the scenario passes, on the WebAssembly Python and its `fetch`; who can't block is told."""
    flags = [SUSPENDING] if accepted(SUSPENDING) else []
    server.script = [answer_by_name]
    archive = build_archive(tmp_path / "packages.zip")
    command = ["node", *flags, str(HERE / "run_scenario.mjs"), str(archive), str(HERE / "scenario.py"), server.url]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    report = json.loads(done.stdout.splitlines()[-1])

    assert CHECKS
    assert dict.fromkeys(CHECKS, "") == report["failures"]
    (refusal,) = report["refusals"]
    assert "Use AsyncClient" in refusal
