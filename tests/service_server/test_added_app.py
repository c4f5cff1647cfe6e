"""One app more is one folder more: from there it is in the API, in the form and in the prediction."""

import subprocess
from collections.abc import Iterator

import pytest

from service_client.testing import HttpRequest, Response
from tests.examples.processes import SandboxApp
from tests.real_apps.running import ROOT
from tests.service_server.connecting import connect_by_key
from tests.service_server.helpline import helpline
from tests.service_server.processes import SERVICE_SERVER, RunningService, service
from tests.servicejs.conftest import Sdk, settle

pytestmark = pytest.mark.slow

USER = "ann"


@pytest.fixture(scope="module")
def helpdesk(tmp_path_factory: pytest.TempPathFactory, running_tickets: SandboxApp) -> Iterator[RunningService]:
    """The service with a directory of one connector, an account of it connected."""
    folder = tmp_path_factory.mktemp("added")
    written = helpline(running_tickets.url).write(folder / "connectors", "helpline")
    done = subprocess.run(
        [SERVICE_SERVER, "connector", "check", str(written)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert "No problems found." == done.stdout.strip(), done.stderr
    host = running_tickets.url.removeprefix("http://")
    with service(folder / "data", "--connectors", str(folder / "connectors"), "--allow-host", host) as running:
        connect_by_key(running, USER, running_tickets.api_keys["alice"], app="helpline")
        yield running


def test_by_the_api_and_by_a_prompt(helpdesk: RunningService) -> None:
    """The app is listed with its account, and its functions are found by the words of their files, and called."""
    ask = {"predict_function": "true", "predict_arguments": "true", "prompt": 'open a helpline case "Wet floor"'}
    with helpdesk.api(USER) as api:
        (account,) = api.get("/apps/helpline").json()["connected_accounts"]
        projects = api.post("/functions/helpline-list-projects", json={}).json()["output"]
        (found,) = api.get("/functions", params=ask).json()["functions"]
        wrong = api.post(f"/functions/{found['name']}", json={"subject": "Door"})
        case = api.post(f"/functions/{found['name']}", json={"subject": "Door", "project": "documentation"}).json()

    assert "Alice" in account["display_name"]
    assert "documentation" in [each["id"] for each in projects]
    assert ("project", 400) == (wrong.json()["error_details"][0]["field"], wrong.status_code)
    assert ("201", "Door") == (case["network_code"], case["output"]["title"])
    assert ("helpline-open-case", {"subject": "Wet floor"}) == (found["name"], found["arguments"])
    assert ["project"] == found["prediction"]["missing"]


async def test_by_the_form(helpdesk: RunningService) -> None:
    """The SDK makes a form of the function, fills its list from the app, and gives back what was filled in."""
    with helpdesk.api(USER) as api:

        def answer(request: HttpRequest) -> Response:
            there = api.request(request.method, request.url, headers=dict(request.headers), content=request.content)
            return Response(there.status_code, there.content, dict(there.headers))

        sdk = Sdk(answer=answer)
        headers = helpdesk.headers(USER)
        await sdk.start(appKey=headers["App-Key"], userId=USER, hash=headers["Hash"], baseUrl=helpdesk.url)
        showing = sdk.begin("showFunctionUI", functionName="helpline-open-case", params={}, surface="form")
        await settle()
        assert "Open a case" in sdk.page.surfaces["form"]
        await sdk.act("form", "search", "project", value="", kind="input")
        await settle()
        assert 'data-value="documentation"' in sdk.page.surfaces["form"]
        await sdk.act("form", "set", "subject", value="Squeaky hinge", kind="input")
        await sdk.act("form", "set", "project", value="documentation", kind="change")
        await sdk.act("form", "submit", kind="submit")
        filled_in = await showing

    assert {"subject": "Squeaky hinge", "project": "documentation"} == filled_in["arguments"]
