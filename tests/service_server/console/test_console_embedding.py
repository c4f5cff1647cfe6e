"""The code that embeds an application, as the console shows it: it runs, and its hash is the right one."""

import json
import os
import re
import shutil
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

from tests.service_server.console.operator_browser import OperatorBrowser
from tests.service_server.processes import RunningService

pytestmark = pytest.mark.slow

PATH = "/console/applications/1/embedding"
USER = "jürgen@example.com"


@pytest.fixture
def shown(operator: OperatorBrowser) -> dict[str, str]:
    """The boxes of the page, by their id."""
    found = re.findall(r'<pre [^>]*aria-labelledby="(\w+)">(.*?)</pre>', operator.page(PATH), re.DOTALL)
    return {name: unescape(text) for name, text in found}


def test_the_page_is_that_of_this_service(
    shown: dict[str, str], console_service: RunningService, operator: OperatorBrowser
) -> None:
    """Its address and key are filled in, its secret is not; an application's page leads there."""
    assert f'<script src="{console_service.url}/servicejs/v1/servicejs.js"></script>' in shown["page"]
    assert f"connect-src {console_service.url}" in shown["policy"]
    assert all(console_service.app_key in shown[name] for name in ("python", "node"))
    assert console_service.app_secret not in "".join(shown.values())
    assert f'href="{PATH}"' in operator.page("/console/applications/1")
    assert 404 == operator.get("/console/applications/99/embedding").status_code


@pytest.mark.parametrize("language", ["python", "node"])
def test_a_backends_hash_is_taken(
    shown: dict[str, str], console_service: RunningService, tmp_path: Path, language: str
) -> None:
    """What the code of the page computes lets its user in."""
    env = {**os.environ, "APP_SECRET": console_service.app_secret}
    if language == "python":
        code = f"{shown['python']}\nimport json\nprint(json.dumps(service_credentials({USER!r})))"
        ran = [sys.executable, "-c", code]
    else:
        node = shutil.which("node")
        assert node is not None
        file = tmp_path / "backend.mjs"
        file.write_text(f"{shown['node']}\nconsole.log(JSON.stringify(serviceCredentials({json.dumps(USER)})));")
        ran = [node, str(file)]
    printed = subprocess.run(ran, env=env, capture_output=True, text=True, check=True).stdout
    headers = console_service.headers(USER)

    assert {"appKey": headers["App-Key"], "userId": USER, "hash": headers["Hash"]} == json.loads(printed)
