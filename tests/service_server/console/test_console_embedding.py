"""The code that embeds an application, as the console shows it: it runs, and its hash is the right one."""

import json
import os
import re
import subprocess
import sys
from html import unescape
from pathlib import Path

from tests.service_server.console.operator_browser import OperatorBrowser
from tests.service_server.processes import RunningService

PATH = "/console/applications/1/embedding"
USER = "jürgen@example.com"


def test_the_page_is_that_of_this_service(
    operator: OperatorBrowser, console_service: RunningService, tmp_path: Path
) -> None:
    """Its address and key are filled in, its secret is not; what the code of the page computes lets its user in."""
    boxes = re.findall(r'<pre [^>]*aria-labelledby="(\w+)">(.*?)</pre>', operator.page(PATH), re.DOTALL)
    shown = {name: unescape(text) for name, text in boxes}
    assert f'<script src="{console_service.url}/servicejs/v1/servicejs.js"></script>' in shown["page"]
    assert f"connect-src {console_service.url}" in shown["policy"]
    assert console_service.app_secret not in "".join(shown.values())
    assert f'href="{PATH}"' in operator.page("/console/applications/1")
    assert 404 == operator.get("/console/applications/99/embedding").status_code

    backend = tmp_path / "backend.mjs"
    backend.write_text(f"{shown['node']}\nconsole.log(JSON.stringify(serviceCredentials({json.dumps(USER)})));")
    code = f"{shown['python']}\nimport json\nprint(json.dumps(service_credentials({USER!r})))"
    headers = console_service.headers(USER)
    for program in ([sys.executable, "-c", code], ["node", str(backend)]):
        env = {**os.environ, "APP_SECRET": console_service.app_secret}
        printed = subprocess.run(program, env=env, capture_output=True, text=True, check=True).stdout
        assert {"appKey": headers["App-Key"], "userId": USER, "hash": headers["Hash"]} == json.loads(printed)
