"""Applications in the console: keys, secrets and origins."""

import asyncio
import re
import time
from pathlib import Path

import pytest

from service_client.models import sign
from service_server.administration.administration import Administration, secret_fingerprint
from service_server.administration.failures import AdministrationError
from service_server.store import AppConfigurations, Applications, Database
from service_server.store.migrations import upgrade
from service_server.vault import Vault, keys_from_text
from tests.service_server.actors import OWNER
from tests.service_server.administration.test_brands import png
from tests.service_server.console.operator_browser import OperatorBrowser, shown
from tests.service_server.processes import RunningService, http

pytestmark = pytest.mark.slow

WAIT_SECONDS = 30


def status_of(service: RunningService, app_key: str, secret: str) -> int:
    """What the API answers to a request signed with a secret."""
    headers = {"App-Key": app_key, "User-ID": "u", "Hash": sign("u", secret)}
    with http(service.url, headers) as client:
        return client.get("/apps").status_code


def becomes(service: RunningService, app_key: str, secret: str, status: int) -> bool:
    """Whether the API comes to answer with a status; changes take effect within seconds."""
    deadline = time.monotonic() + WAIT_SECONDS
    while (seen := status_of(service, app_key, secret)) != status and time.monotonic() < deadline:
        time.sleep(0.1)
    return seen == status


def create(operator: OperatorBrowser, name: str, origins: str = "") -> tuple[str, str, str]:
    """Create an application; its page's path, key and secret."""
    page = operator.page("/console/applications")
    answer = operator.submit(page, "/console/applications", name=name, origins=origins)
    assert answer.status_code == 200, answer.text
    path = re.search(r'href="(/console/applications/\d+)"', answer.text)
    assert path is not None
    return path.group(1), shown(answer.text, "app-key"), shown(answer.text, "app-secret")


def test_created_application_works(operator: OperatorBrowser, console_service: RunningService) -> None:
    """The key and secret shown are good for the API, and the secret is shown nowhere again."""
    path, app_key, secret = create(operator, "Acme Desk", "https://a.example\r\nhttps://b.example:8443")
    assert becomes(console_service, app_key, secret, 200)
    for page in (operator.page(path), operator.page("/console/applications")):
        assert app_key in page
        assert secret not in page
        assert "https://b.example:8443" in page
    assert secret not in console_service.program.output()


@pytest.mark.parametrize(
    ("name", "origins", "problem"),
    [
        ("", "", "A name is 1 to 200 printable characters."),
        ("x" * 201, "", "A name is 1 to 200 printable characters."),
        ("a\tb", "", "A name is 1 to 200 printable characters."),
        ("Acme", "https://a.example/path\nnot-an-origin", "not-an-origin is not an origin"),
        ("Acme", "https://A.example:443", "write https://a.example."),
    ],
)
def test_wrong_application_is_not_created(operator: OperatorBrowser, name: str, origins: str, problem: str) -> None:
    """What is wrong is said, what was typed is kept, nothing is created."""
    before = operator.page("/console/applications").count('scope="row"')
    answer = operator.submit(
        operator.page("/console/applications"), "/console/applications", name=name, origins=origins
    )
    if "path" in origins:
        problem = "https://a.example/path is not an origin"
    assert 422 == answer.status_code
    assert problem in answer.text
    assert not origins or origins.splitlines()[0] in answer.text
    assert before == operator.page("/console/applications").count('scope="row"')


def test_origins_are_added_and_removed(operator: OperatorBrowser) -> None:
    """An origin can be added once, and removed; a wrong one is said at the field."""
    path, _, _ = create(operator, "Origins")
    for _ in range(2):
        answer = operator.submit(operator.page(path), f"{path}/origins", origin="https://c.example")
        assert (303, f"{path}?done=origin-added") == (answer.status_code, answer.headers["location"])
    assert 1 == operator.page(path).count("<code>https://c.example</code>")
    wrong = operator.submit(operator.page(path), f"{path}/origins", origin="javascript:alert(1)")
    assert 422 == wrong.status_code
    assert 'id="origin-error"' in wrong.text
    operator.submit(operator.page(path), f"{path}/origins/remove", origin="https://c.example")
    assert "<code>https://c.example</code>" not in operator.page(path)


def test_added_origin_lets_pages_in(operator: OperatorBrowser, console_service: RunningService) -> None:
    """A page of an added origin may call soon after."""
    path, app_key, secret = create(operator, "Browser host")
    operator.submit(operator.page(path), f"{path}/origins", origin="https://page.example")
    headers = {"App-Key": app_key, "User-ID": "u", "Hash": sign("u", secret), "Origin": "https://page.example"}
    deadline = time.monotonic() + WAIT_SECONDS
    with http(console_service.url, headers) as client:
        while (answer := client.get("/apps")).status_code != 200 and time.monotonic() < deadline:
            time.sleep(0.1)
    assert "https://page.example" == answer.headers["access-control-allow-origin"]


def test_rotation_keeps_both_secrets_until_the_old_is_retired(
    operator: OperatorBrowser, console_service: RunningService
) -> None:
    """With two live secrets both sign; retiring the old one leaves the new one."""
    path, app_key, old = create(operator, "Rotating")
    assert becomes(console_service, app_key, old, 200)
    answer = operator.submit(operator.page(path), f"{path}/rotate")
    new = shown(answer.text, "app-secret")
    assert becomes(console_service, app_key, new, 200)
    assert 200 == status_of(console_service, app_key, old)
    page = operator.page(path)
    assert new not in page
    answer = operator.submit(page, f"{path}/retire")
    assert (303, f"{path}?done=retired") == (answer.status_code, answer.headers["location"])
    assert becomes(console_service, app_key, old, 401)
    assert 200 == status_of(console_service, app_key, new)


def test_third_secret_is_refused(operator: OperatorBrowser) -> None:
    """While two secrets are live no third is made, or the first would be lost."""
    path, _, _ = create(operator, "Twice")
    page = operator.page(path)
    assert 200 == operator.submit(page, f"{path}/rotate").status_code
    again = operator.submit(page, f"{path}/rotate")
    assert 422 == again.status_code
    assert "Retire the old one first" in again.text
    assert 'id="app-secret"' not in again.text


def test_page_out_of_date_retires_nothing(operator: OperatorBrowser) -> None:
    """A page that knows of older secrets can't retire the one that is in use by now."""
    path, _, _ = create(operator, "Stale")
    operator.submit(operator.page(path), f"{path}/rotate")
    stale = operator.page(path)
    operator.submit(stale, f"{path}/retire")
    operator.submit(operator.page(path), f"{path}/rotate")
    answer = operator.submit(stale, f"{path}/retire")
    assert 422 == answer.status_code
    assert "changed in the meantime" in answer.text
    assert "Two: the new one and the old one" in operator.page(path)


def test_names_are_escaped(operator: OperatorBrowser) -> None:
    """A name is text, wherever it is shown, and nothing in it is invisible."""
    create(operator, "</option><script>alert(1)</script>")
    for path in ("/console/applications", "/console/calls", "/console"):
        page = operator.page(path)
        assert "<script>" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in operator.page("/console/applications")


def test_the_brand_is_set_and_shown(operator: OperatorBrowser) -> None:
    """Name, colour and logo are saved together or not at all; what is wrong is said at its field."""
    path, _, _ = create(operator, "acme-prod")
    wrong = {"name": "Acme", "accent": "teal"}
    refused = operator.upload(path, f"{path}/brand", {"logo": b"<svg onload='alert(1)'/>"}, **wrong)
    assert refused.status_code == 422
    assert "A colour is written as #rrggbb" in refused.text
    assert "SVG is not taken" in refused.text
    assert 'value="teal"' in refused.text

    saved = operator.upload(path, f"{path}/brand", {"logo": png()}, name="Acme", accent="#FFD400")
    assert "Users see it from the next page on." in saved.text
    assert 'value="#ffd400"' in saved.text
    assert "data:image/png;base64," in saved.text
    kept = operator.upload(path, f"{path}/brand", {"logo": b""}, name="", accent="#ffd400")
    assert "data:image/png;base64," in kept.text
    gone = operator.upload(path, f"{path}/brand", {"logo": b""}, **{"name": "", "accent": "", "remove-logo": "on"})
    assert "data:image/png;base64," not in gone.text


async def test_two_operators_at_once_lose_no_secret(tmp_path: Path) -> None:
    """Of two rotations at the same moment one is refused: each secret that was shown is live."""
    url = f"sqlite+aiosqlite:///{tmp_path / 'service.db'}"
    await asyncio.to_thread(upgrade, url)
    database = Database(url)
    await database.open()
    vault = Vault(keys_from_text("test:" + "A" * 43 + "="))
    administration = Administration(vault, Applications(database), AppConfigurations(database))
    application, _ = await administration.create_application(OWNER, "Acme", [])
    done = await asyncio.gather(
        *[administration.add_secret(OWNER, application) for _ in range(2)], return_exceptions=True
    )
    assert 1 == sum(isinstance(each, AdministrationError) for each in done)
    (changed,) = [each[0] for each in done if not isinstance(each, BaseException)]
    kept = await administration.applications.get(application.id)
    assert kept is not None
    assert changed.sealed_secrets == kept.sealed_secrets
    assert application.sealed_secrets[0] == kept.sealed_secrets[1]
    assert secret_fingerprint(kept.sealed_secrets[0]) != secret_fingerprint(kept.sealed_secrets[1])
    await database.close()
