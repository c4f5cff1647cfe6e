"""The apps in the console: what they can do and what the operator sets for them."""

import re
from pathlib import Path

from service_server.catalog.folders import connector_folders
from service_server.catalog.load import SHIPPED
from tests.service_server.catalog.connector_folder import connector_with
from tests.service_server.console.operator_browser import OperatorBrowser, add_operator, browser, hidden, table_rows
from tests.service_server.processes import RunningService, service

SECRET = "a-client-secret-of-kinto"


def test_apps_tell_what_is_missing(operator: OperatorBrowser) -> None:
    """Each app of the catalogue, by name and fifty a page, with its icon, its functions and what is still to be set."""
    shown = [operator.page("/console/apps")]
    while following := re.search(r'<a href="(/console/apps\?after=\w+)" rel="next">', shown[-1]):
        shown.append(operator.page(following[1]))
    pages = [{re.findall(r"<code>(\w+)</code>", row)[0]: row for row in table_rows(page)} for page in shown]
    rows = {name: row for page in pages for name, row in page.items()}
    assert (50, sorted(rows)) == (len(pages[0]), list(rows))
    assert len(list(connector_folders(SHIPPED, []))) == len(rows) == sum(map(len, pages))
    assert "There are no more apps." in operator.page("/console/apps?after=zzz")
    assert "Ready" in rows["sandbox"]
    assert all(told in rows["github"] for told in ("Partly set up", "client id, client secret"))
    icon = re.search(r'<img src="(/icons/sandbox\.[0-9a-f]+\.svg)"', rows["sandbox"])
    assert "image/svg+xml" == operator.get(icon.group(1)).headers["content-type"].partition(";")[0]


def test_functions_are_listed_with_their_parameters(operator: OperatorBrowser, console_service: RunningService) -> None:
    """The page of an app holds every function with type and description, and its parameters by path."""
    page = operator.page("/console/apps/sandbox")
    with console_service.api("anyone") as api:
        functions = api.get("/functions", params={"app": "sandbox"}).json()["functions"]
    for function in functions:
        assert f'<code class="copy">{function["name"]}</code>' in page
    assert '<span class="badge mutation">mutation</span>' in page
    assert '<span class="badge wrong">destructive</span>' in page
    assert re.search(r"<code>project_id</code></th><td[^>]*>string</td><td>Yes</td>", page)
    assert re.search(r"<code>labels</code></th><td[^>]*>array of string</td><td>No</td>", page)


def test_settings_are_saved_and_the_secret_never_shown(
    operator: OperatorBrowser, console_service: RunningService
) -> None:
    """An app is ready once everything is set; a secret left empty is kept, and removed when asked to."""
    path = "/console/apps/kinto"
    settings = {
        "variable.server_url": "https://kinto.example",
        "variable.issuer": "https://login.example",
        "client_id": "kinto-client",
        "client_secret": SECRET,
    }
    answer = operator.submit(operator.page(path), path, **settings)
    assert (303, f"{path}?done=saved") == (answer.status_code, answer.headers["location"])
    page = operator.page(f"{path}?done=saved")
    for told in ("The settings were saved.", "Ready", 'value="https://kinto.example"', "/oauth/callback"):
        assert told in page
    assert SECRET not in page
    settings |= {"client_id": "another-client", "client_secret": ""}
    operator.submit(page, path, **settings)
    page = operator.page(path)
    assert all(told in page for told in ('value="another-client"', "Ready"))
    operator.submit(page, path, **settings, remove_client_secret="yes")
    assert "Still to be set: client secret" in operator.page(path)
    operator.submit(operator.page(path), path, **{**settings, "variable.issuer": "", "client_id": ""})
    assert "Still to be set: OpenID provider, client id" in operator.page(path)
    assert SECRET not in console_service.program.output()


def test_an_application_has_settings_of_its_own(operator: OperatorBrowser) -> None:
    """They are chosen by the application, saved for it alone, named on the others' page, and taken away again."""
    path, of_first = "/console/apps/kinto", "/console/apps/kinto?application=1"
    before = operator.page(of_first)
    assert "does with what is set for all applications" in before
    saved = operator.submit(before, path, application="1", client_id="own-client", client_secret="own-secret")
    assert (303, f"{of_first}&done=saved") == (saved.status_code, saved.headers["location"])
    page = operator.page(of_first)
    assert 'value="own-client"' in page
    assert "own-secret" not in page
    assert "own-client" not in operator.page(path)
    assert f'<a href="{of_first}">Test host</a>' in operator.page(path)
    wrong = operator.submit(page, path, application="1", client_id="clíent")
    assert (422, True) == (wrong.status_code, 'name="application" value="1"' in wrong.text)
    for _ in range(2):  # it may have been done meanwhile
        taken = operator.submit(page, f"{path}/share", application="1")
        assert f"{of_first}&done=shared" == taken.headers["location"]
    assert "does with what is set for all applications" in operator.page(of_first)
    for nobody in ("987654", "x", "9" * 30):
        assert 404 == operator.get(f"{path}?application={nobody}").status_code


def test_sign_in_settings_are_tried(operator: OperatorBrowser) -> None:
    """With the app itself; where something is missing the page says what, step by step, and nothing is tried."""
    path = "/console/apps/sandbox"
    tried = operator.submit(operator.page(path), f"{path}/try")
    assert 200 == tried.status_code
    assert 2 == tried.text.count(">Works</span>")
    page = operator.page("/console/apps/github")
    assert "The callback URL is, to the letter" in page
    assert "Still to be set: client id, client secret" in page
    answer = operator.http.post("/console/apps/github/try", data={"token": hidden(page, "token")})
    assert (422, True) == (answer.status_code, "Complete the settings first." in answer.text)


def test_wrong_settings_are_said_at_their_fields(operator: OperatorBrowser) -> None:
    """Each is told, what was typed is kept, nothing is saved, no secret is sent back; other fields don't count."""
    path = "/console/apps/kinto"
    before = operator.page(path)
    typed = {
        "variable.server_url": "https://kinto.example/",
        "variable.issuer": '"><script>alert(1)</script>',
        "variable.token_path": "no-slash",
        "client_id": "clíent",
        "client_secret": "typed-sécret",
    }
    answer = operator.submit(before, path, **typed)
    assert 422 == answer.status_code
    assert all(f'id="{field}-error"' in answer.text for field in typed)
    assert 'value="https://kinto.example/"' in answer.text
    assert not any(text in answer.text for text in ("typed-sécret", "<script"))
    assert "no-slash" not in operator.page(path)
    assert 303 == operator.submit(before, path, **{"variable.unheard_of": "x", "client_id": ""}).status_code
    assert "unheard_of" not in operator.page(path)


def test_the_overview_of_very_many_apps_tells_their_number(tmp_path: Path) -> None:
    """How far each is set up would take a while."""
    total = 201
    for number in range(total - len(list(connector_folders(SHIPPED, [])))):
        name = f"copy_{number:03}"
        connector_with(name=name).write(tmp_path / "connectors", name)
    with service(tmp_path / "data", "--connectors", str(tmp_path / "connectors")) as running:
        add_operator(running, "ada")
        with (visitor := browser(running)).http:
            visitor.sign_in("ada")
            assert f'<p class="figure">{total}</p>' in visitor.page("/console")
