"""
The forms of the twenty commonest actions in Chromium: chosen, searched, filled in and sent, by connectors as they ship.

Nobody types an id anywhere: whatever the app knows by one is chosen by its name.
"""

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import jmespath
import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from service_client.models import sign
from tests.connectors.filled_forms.actions import ACTIONS, Action
from tests.connectors.filled_forms.opened import write_opened
from tests.connectors.filled_forms.recorder import Recorder, recorder
from tests.connectors.filled_forms.steps import STEPS
from tests.emulators.pointed import PREFIX
from tests.real_apps.running import ROOT, free_port
from tests.service_server.connect.signing_in.attempts import Browser as Attempt
from tests.service_server.processes import RunningService, create_application, service

pytestmark = [pytest.mark.slow, pytest.mark.browser]

PATIENCE = 30_000  # milliseconds; a cold start of the SDK on a busy machine takes seconds
USER = "ada"


@pytest.fixture(scope="module")
def apps() -> Iterator[Recorder]:
    """What stands in the vendors' place."""
    with recorder() as running:
        running.answers = {action.app: action.answers for action in ACTIONS}
        yield running


@pytest.fixture(scope="module")
def host() -> str:
    """The origin of the page that the forms are on; nothing listens there, the browser is told what it shows."""
    return f"http://localhost:{free_port()}"


@pytest.fixture(scope="module")
def served(apps: Recorder, host: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """The service, with the bundle built as the sources say, and with a user who has connected all the apps."""
    subprocess.run([sys.executable, "-m", "servicejs.bundle"], cwd=ROOT, check=True)
    folder: Path = tmp_path_factory.mktemp("forms")
    for name in sorted({action.app for action in ACTIONS}):
        write_opened(name, folder / "connectors", apps.url)
    application = create_application(folder / "data", "Acme", host)
    options = ["--connectors", str(folder / "connectors"), "--allow-host", urlsplit(apps.url).netloc]
    with service(folder / "data", *options, application=application) as started:
        for name in sorted({action.app for action in ACTIONS}):
            with contextlib.closing(Attempt(started, f"{PREFIX}{name}", USER)) as attempt:
                assert "is connected" in attempt.type_in("key", key="k").text
        yield started


@pytest.fixture(scope="module")
def page(chromium: Browser, served: RunningService, host: str) -> Iterator[Page]:
    """A page of the host's that has loaded the SDK."""
    with contextlib.closing(chromium.new_context(timezone_id="Europe/Berlin")) as context:
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        script = f"{served.url}/servicejs/v1/servicejs.js"
        html = f'<!doctype html><html lang="en"><title>Host</title><body><script src="{script}"></script>'

        def fulfil(route: Route) -> None:
            route.fulfill(body=html, headers={"Content-Type": "text/html"})

        page.route(f"{host}/", fulfil)
        page.goto(f"{host}/")
        options = {"appKey": served.app_key, "userId": USER, "hash": sign(USER, served.app_secret)}
        page.evaluate("options => { window.sdk = new ServiceJS(options) }", options)
        yield page


@pytest.fixture
def form(page: Page, apps: Recorder, action: Action) -> Iterator[Locator]:
    """The form of the action, with all its fields in sight; it is taken away in the end, whatever became of it."""
    apps.forget()
    page.evaluate(
        """name => {
          window.leaving = new AbortController();
          const given = [name, {}, undefined, { signal: leaving.signal }];
          window.filled = sdk.showFunctionUI(...given).catch((error) => ({ error: String(error) }));
        }""",
        action.name,
    )
    form = page.get_by_role("dialog")
    expect(form.get_by_role("button", name=action.button, exact=True)).to_be_visible(timeout=PATIENCE)
    more = form.locator("details:not([open]) > summary")
    if more.count():
        more.click()
    yield form
    page.evaluate("leaving.abort()")
    expect(form).to_have_count(0)


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.name)
def test_a_person_fills_it_in(action: Action, form: Locator, page: Page, apps: Recorder) -> None:
    """What is chosen and typed into the form arrives at the app, in its own words and types, and nothing else does."""
    for step in action.steps:
        ((kind, done),) = step.items()
        ((field, words),) = done.items()
        STEPS[kind](form, field, *(words if isinstance(words, list) else [words]))
    form.get_by_role("button", name=action.button, exact=True).click()
    if action.confirms:
        form.locator("#form-confirm").click()
    expect(form).to_have_count(0, timeout=PATIENCE)
    result = page.evaluate("async name => sdk.invokeFunction(name, await window.filled)", action.name)

    assert "200" == result["network_code"], result
    sent = apps.sent(action.app, action.request)[-1]
    assert action.body == jmespath.search(action.reads, sent.body)
    assert action.query.items() <= sent.query.items()
    assert [] == apps.unknown  # every list that the form asked for was there
