"""Integry's own client from PyPI, of which nothing but the base address is changed, against the running service."""

import asyncio
import importlib
import json
import shutil
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.examples.processes import SandboxApp
from tests.service_server.calls.log_and_errors import logged
from tests.service_server.connecting import connect_by_key
from tests.service_server.processes import RunningService

pytestmark = pytest.mark.slow

INSTALLED = Path(__file__).parents[3] / ".cache" / "incumbent_client"
USER = "mover"
NOBODY = "mover without accounts"
PROMPT = 'create an urgent ticket in the website project titled "Login page is broken"'
TICKET = {"title": "Moved here", "project_id": "documentation"}


@pytest.fixture(scope="module")
def integry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """
    The client as it was published.

    One method is written with a type parameter, which Python 3.11 can't read: there, and only there, that is taken out.
    """
    if not INSTALLED.is_dir():
        pytest.skip("Integry's client isn't installed: run ./dev")
    folder = tmp_path_factory.mktemp("incumbent")
    shutil.copytree(INSTALLED / "integry", folder / "integry")
    if sys.version_info < (3, 12):
        types = folder / "integry" / "resources" / "functions" / "types.py"
        text = types.read_text()
        assert "as_langchain_tool[\n        T\n    ](" in text
        text = text.replace("as_langchain_tool[\n        T\n    ](", "as_langchain_tool(")
        types.write_text(text.replace("if TYPE_CHECKING:", "T = Any\nif TYPE_CHECKING:", 1))
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            patch.delenv(name, raising=False)
        yield importlib.import_module("integry")


@pytest.fixture(scope="module")
def account(called: tuple[RunningService, SandboxApp]) -> int:
    """The user's account."""
    running_service, app = called
    return connect_by_key(running_service, USER, app.api_keys["alice"])


@pytest.fixture
async def client(
    integry: ModuleType, running_service: RunningService, sandbox: SandboxApp, account: int
) -> AsyncIterator[Any]:
    """The client, with the address of the service."""
    assert account
    async with integry.Integry(running_service.app_key, running_service.app_secret, trust_env=False) as made:
        made.base_url = running_service.url
        yield made


async def test_apps(client: Any) -> None:
    """Apps are listed to their end, read by name, and told as connected."""
    apps = [app async for app in client.apps.list(USER)]
    page = await client.apps.list(USER)
    app = await client.apps.get("sandbox", USER)

    names = [each.name for each in apps]
    assert sorted(names) == names
    assert names[:50] == [each.name for each in page.apps]
    assert app in apps
    assert ["Tickets sandbox", 1] == [app.title, len(app.connected_accounts)]
    assert await client.apps.is_connected("sandbox", USER)
    assert not await client.apps.is_connected("sandbox", NOBODY)


async def test_every_function_is_listed_and_can_be_read(client: Any, running_service: RunningService) -> None:
    """All pages, with parameters that the client's own models take; filters and single pages, too."""
    functions = [each async for each in client.functions.list(USER)]
    first = await client.functions.list(USER)
    second = await client.functions.list(USER, cursor=first.cursor)
    changing = await client.functions.list(USER, app="sandbox", type="ACTION", include=["meta"], connected_only=True)
    asking = await client.functions.list(USER, app="sandbox", type="QUERY")
    with running_service.api(USER) as api:
        ours, cursor = list[str](), ""
        while cursor or not ours:
            page = api.get("/functions", params={"cursor": cursor}).json()
            ours, cursor = [*ours, *(each["name"] for each in page["functions"])], page["cursor"]

    assert ours == [each.name for each in functions]
    assert ours[:100] == [each.name for each in [*first.functions, *second.functions]]
    assert {"sandbox-create-ticket", "sandbox-delete-ticket", "sandbox-update-ticket"} == {
        each.name for each in changing.functions
    }
    assert {"mutation"} == {each.get_json_schema()["meta"]["type"] for each in changing.functions}
    assert "sandbox-list-tickets" in {each.name for each in asking.functions}
    assert [] == [each async for each in client.functions.list(NOBODY, connected_only=True)]


async def test_predictions(client: Any) -> None:
    """A prompt gives a function with arguments, and a function its arguments."""
    (predicted,) = await client.functions.predict(PROMPT, USER, predict_arguments=True, include=["meta"])
    (alone,) = await client.functions.predict(PROMPT, USER, connected_only=True)
    given = await client.functions.get("sandbox-create-ticket", USER, prompt=PROMPT, include=["meta"])
    plain = await client.functions.get("sandbox-create-ticket", USER)

    assert "sandbox-create-ticket" == predicted.name == alone.name
    assert "Login page is broken" == predicted.arguments["title"] == given.arguments["title"]
    assert {} == plain.arguments == alone.arguments
    assert [] == await client.functions.predict("qwzx", USER)


async def test_calls(client: Any, sandbox: SandboxApp, running_service: RunningService) -> None:
    """A call is executed once, awaited or blocking, also by what a function makes of itself, and stands in the log."""
    function = await client.functions.get("sandbox-create-ticket", USER)
    results = [
        await client.functions.call("sandbox-create-ticket", TICKET, USER),
        await function(USER, TICKET),
        await function._get_callable(USER)(**TICKET),
        await asyncio.to_thread(client.functions.call_sync, "sandbox-create-ticket", TICKET, USER),
    ]
    with running_service.api(USER) as api:
        answer = api.post("/functions/sandbox-create-ticket/call/", json=TICKET)

    assert [201] * 4 == [each.network_code for each in results]
    assert {"Moved here"} == {each.output["title"] for each in results}
    assert 5 == len([each for each in sandbox.received("/api/v1/tickets") if each["status"] == 201])
    assert ["sandbox-create-ticket"] == [
        each["function_name"] for each in logged(running_service.data_directory, answer.headers["request-id"])
    ]


async def test_pages_of_a_call(client: Any) -> None:
    """The cursor of a result leads on, under both names that the client has for it."""
    ids, arguments = list[str](), dict[str, Any]()
    while True:
        page = await client.functions.call("sandbox-list-tickets", arguments, USER)
        ids += [ticket["id"] for ticket in page.output]
        if not page.cursor:
            break
        arguments = {"cursor": page.cursor} if len(ids) % 2 else {"_cursor": page.cursor}

    assert len(ids) == len(set(ids)) > len(page.output)


async def test_tools_for_models(client: Any) -> None:
    """What a function becomes for an agent: its parameters as a model, and two ways to call it."""
    function = await client.functions.get("sandbox-list-tickets", USER)
    tool = function.as_langchain_tool(lambda **made: made, USER)

    assert {"cursor"} < set(tool["args_schema"].model_fields)
    assert 200 == (await tool["coroutine"]()).network_code
    assert 200 == (await asyncio.to_thread(tool["func"])).network_code


async def test_what_is_refused(integry: ModuleType, client: Any, running_service: RunningService) -> None:
    """Each in the exception that the client has for it; a call with variables is not executed without them."""
    errors = importlib.import_module("integry.exceptions")
    with pytest.raises(errors.NotFound, match="no app named"):
        await client.apps.get("nothing", USER)
    with pytest.raises(errors.NotFound, match="no function named"):
        await client.functions.call("sandbox-nothing", {}, USER)
    with pytest.raises(errors.FunctionCallError, match="not_connected"):
        await client.functions.call("sandbox-create-ticket", TICKET, NOBODY)
    with pytest.raises(errors.FunctionCallError, match="required"):
        await client.functions.call("sandbox-create-ticket", {}, USER)
    with pytest.raises(errors.FunctionCallError, match="_variables"):
        await client.functions.call("sandbox-create-ticket", TICKET, USER, variables={"a": "b"})
    with pytest.raises(Exception, match="bad_cursor"):
        await client.apps.list(USER, cursor="forged")
    stranger = integry.Integry(running_service.app_key, "wrong", trust_env=False)
    stranger.base_url = running_service.url
    async with stranger:
        with pytest.raises(Exception, match="unauthenticated"):
            await stranger.functions.list(USER)


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("/apps/list/", {"_cursor": 1}, "type"),
        ("/functions/list/", {"page": ""}, "unknown_parameter"),
        ("/functions/predict/", {}, "prompt_required"),
        ("/functions/predict/", {"prompt": "\ud800"}, "malformed_body"),
        ("/functions/predict/?prompt=two", {"prompt": "one"}, "type"),
        ("/functions/list/?type=OTHER", {}, "enum"),
        ("/apps/sandbox/get/", {"prompt": "what"}, "unknown_parameter"),
    ],
)
def test_what_the_client_never_sends(running_service: RunningService, path: str, body: Any, code: str) -> None:
    """It is refused, as the routes behind refuse it."""
    with running_service.api(USER) as api:
        answer = api.post(path, content=json.dumps(body), headers={"Content-Type": "application/json"})

    assert (400, code) == (answer.status_code, answer.json()["error_details"][0]["code"])
