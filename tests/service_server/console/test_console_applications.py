"""Applications in the console: keys, secrets, origins, and the code that embeds one."""

import asyncio
import json
import os
import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest
from attrs import evolve

from service_server.administration.administration import Administration
from service_server.administration.failures import AdministrationError
from service_server.administration.live_secrets import secret_fingerprint
from service_server.store import AppConfigurations, Applications
from service_server.vault import Vault, keys_from_text
from tests.service_server.actors import OWNER
from tests.service_server.administration.test_brands import png
from tests.service_server.console.operator_browser import OperatorBrowser, shown
from tests.service_server.processes import RunningService
from tests.service_server.store.databases import opened_copy


def status_of(service: RunningService, app_key: str, secret: str, **headers: str) -> int:
    """What the API answers to a request signed with a secret."""
    with evolve(service, app_key=app_key, app_secret=secret).api("u", **headers) as client:
        return client.get("/apps").status_code


def until(service: RunningService, app_key: str, secret: str, status: int, **headers: str) -> None:
    """Wait until the API answers with a status; changes take effect within seconds."""
    service.program.wait_until(lambda: status_of(service, app_key, secret, **headers) == status or None)


def create(operator: OperatorBrowser, name: str, origins: str = "") -> tuple[str, str, str]:
    """Create an application; its page's path, key and secret."""
    page = operator.page("/console/applications")
    answer = operator.submit(page, "/console/applications", name=name, origins=origins)
    assert answer.status_code == 200, answer.text
    path = re.search(r'href="(/console/applications/\d+)"', answer.text)
    return path.group(1), shown(answer.text, "app-key"), shown(answer.text, "app-secret")


def test_an_application_from_its_beginning(operator: OperatorBrowser, console_service: RunningService) -> None:
    """Its secret is shown once, origins let pages in, two secrets sign and no third is made; the newer one stays."""
    path, app_key, old = create(operator, "<b>Acme</b>", "https://a.example\r\nhttps://b.example:8443")
    for _ in range(2):
        answer = operator.submit(operator.page(path), f"{path}/origins", origin="https://c.example")
        assert (303, f"{path}?done=origin-added") == (answer.status_code, answer.headers["location"])
    page = operator.page(path)
    assert 1 == page.count("<code>https://c.example</code>")
    for each in (page, operator.page("/console/applications")):
        assert all(told in each for told in (app_key, "https://b.example:8443", "&lt;b&gt;Acme"))
        assert old not in each
    new = shown(operator.submit(page, f"{path}/rotate").text, "app-secret")
    until(console_service, app_key, new, 200, Origin="https://c.example")
    assert 200 == status_of(console_service, app_key, old)

    third = operator.submit(page, f"{path}/rotate")
    assert (422, True) == (third.status_code, "Retire the old one first" in third.text)
    assert 'id="app-secret"' not in third.text
    wrong = operator.submit(page, f"{path}/origins", origin="javascript:alert(1)")
    assert (422, True) == (wrong.status_code, 'id="origin-error"' in wrong.text)
    operator.submit(page, f"{path}/origins/remove", origin="https://c.example")
    page = operator.page(path)
    assert "<code>https://c.example</code>" not in page
    assert new not in page
    answer = operator.submit(page, f"{path}/retire")
    assert (303, f"{path}?done=retired") == (answer.status_code, answer.headers["location"])
    until(console_service, app_key, old, 401)
    assert 200 == status_of(console_service, app_key, new)

    operator.submit(operator.page(path), f"{path}/rotate")
    stale = operator.submit(page, f"{path}/retire")  # of a page that knows of older secrets
    assert (422, True) == (stale.status_code, "changed in the meantime" in stale.text)
    assert "Two: the new one and the old one" in operator.page(path)
    assert not any(secret in console_service.program.output() for secret in (old, new))


@pytest.mark.parametrize(
    ("name", "origins", "problem"),
    [
        ("x" * 201, "", "A name is 1 to 200 printable characters."),
        ("a\tb", "", "A name is 1 to 200 printable characters."),
        ("Acme", "https://a.example/path\nnot-an-origin", "https://a.example/path is not an origin"),
        ("Acme", "https://A.example:443", "write https://a.example."),
    ],
)
def test_wrong_application_is_not_created(operator: OperatorBrowser, name: str, origins: str, problem: str) -> None:
    """What is wrong is said, what was typed is kept, nothing is created."""
    page = operator.page("/console/applications")
    answer = operator.submit(page, "/console/applications", name=name, origins=origins)
    assert (422, True) == (answer.status_code, problem in answer.text)
    assert not origins or origins.splitlines()[0] in answer.text
    assert page.count('scope="row"') == operator.page("/console/applications").count('scope="row"')


def test_the_brand_is_set_and_shown(operator: OperatorBrowser) -> None:
    """Name, colour and logo are saved together or not at all; what is wrong is said at its field."""
    path, _, _ = create(operator, "acme-prod")
    wrong = {"name": "Acme", "accent": "teal"}
    refused = operator.upload(path, f"{path}/brand", {"logo": b"<svg onload='alert(1)'/>"}, **wrong)
    assert 422 == refused.status_code
    assert all(said in refused.text for said in ("A colour is written as #rrggbb", "SVG is not taken", 'value="teal"'))
    saved = operator.upload(path, f"{path}/brand", {"logo": png()}, name="Acme", accent="#FFD400")
    assert all(said in saved.text for said in ("Users see it from the next page on.", 'value="#ffd400"'))
    kept = operator.upload(path, f"{path}/brand", {"logo": b""}, name="", accent="#ffd400")
    gone = operator.upload(path, f"{path}/brand", {"logo": b""}, **{"name": "", "accent": "", "remove-logo": "on"})
    assert [True, True, False] == ["data:image/png;base64," in each.text for each in (saved, kept, gone)]


async def test_two_operators_at_once_lose_no_secret(empty_database: Path, tmp_path: Path) -> None:
    """Of two rotations at the same moment one is refused: each secret that was shown is live."""
    vault = Vault(keys_from_text("test:" + "A" * 43 + "="))
    async with opened_copy(empty_database, tmp_path) as database:
        administration = Administration(vault, Applications(database), AppConfigurations(database))
        application, _ = await administration.create_application(OWNER, "Acme", [])
        rotations = [administration.add_secret(OWNER, application) for _ in range(2)]
        done = await asyncio.gather(*rotations, return_exceptions=True)
        kept = await administration.applications.get(application.id)
    assert 1 == sum(isinstance(each, AdministrationError) for each in done)
    (changed,) = [each[0] for each in done if not isinstance(each, BaseException)]
    assert changed.sealed_secrets == kept.sealed_secrets
    assert application.sealed_secrets[0] == kept.sealed_secrets[1]
    assert secret_fingerprint(kept.sealed_secrets[0]) != secret_fingerprint(kept.sealed_secrets[1])


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
