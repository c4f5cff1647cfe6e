"""GraphQL through the real service: errors in a 200 are relayed as they are, and mean what the connector says."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.service_server.catalog.connector_folder import ConnectorFolder, minimal_function, parameter
from tests.service_server.hostile_app import ME, HostileApp, connect, hostile_app
from tests.service_server.processes import RunningService, service

pytestmark = pytest.mark.slow

FIND = "query Find($text: String!, $after: String) { items(text: $text, after: $after) { nodes { id } } }"
RENAME = "mutation Rename($id: ID!, $name: String) { rename(id: $id, name: $name) { id } }"
READ = "/functions/hostile-find-items"
CHANGE = "/functions/hostile-rename-item"


def connector(port: int) -> ConnectorFolder:
    """Return a connector of a GraphQL app, named as the app of the tests with hostile answers."""
    key = {
        "id": "key",
        "type": "api_key",
        "title": "Key",
        "fields": {"key": {"title": "Key"}},
        "inject": {"header": {"Authorization": "${creds.key}"}},
    }
    folder = ConnectorFolder()
    folder.connector.update(
        name="hostile",
        base_url=f"http://127.0.0.1:{port}",
        auth=[key],
        test={"get": "/me"},
        account={"id": "${test.id}", "name": "${test.name}"},
        errors=[
            {"when": {"body": {"errors.*.extensions.code": "RATELIMITED"}}, "kind": "rate_limited"},
            {"when": {"body": {"errors.*.extensions.code": "UNAUTHENTICATED"}}, "kind": "reconnect"},
        ],
        retry={"max": 2},
    )
    text = {"text": parameter()}
    folder.functions = {
        "find-items": minimal_function()
        | {
            "request": {"post": "/graphql", "graphql": {"query": FIND, "variables": {"text": "${args.text}"}}},
            "parameters": {"type": "object", "required": ["text"], "properties": text},
            "output": "data.items.nodes",
            "paginate": {
                "type": "cursor",
                "send": "body.variables.after",
                "next": "body.data.items.pageInfo.endCursor",
                "more": "body.data.items.pageInfo.hasNextPage",
            },
        },
        "rename-item": minimal_function()
        | {
            "type": "mutation",
            "request": {
                "post": "/graphql",
                "graphql": {"query": RENAME, "variables": {"id": "${args.id}", "name": "${args.name?}"}},
            },
            "parameters": {
                "type": "object",
                "required": ["id"],
                "properties": {"id": parameter(), "name": parameter()},
            },
        },
    }
    return folder


@pytest.fixture(scope="module")
def graphql(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[HostileApp, RunningService]]:
    """The app and the service."""
    folder: Path = tmp_path_factory.mktemp("graphql")
    with hostile_app() as app:
        connector(app.port).write(folder / "connectors", "hostile")
        options = ("--connectors", str(folder / "connectors"), "--allow-host", f"127.0.0.1:{app.port}")
        with service(folder / "data", *options) as running:
            yield app, running


@pytest.fixture
def api(graphql: tuple[HostileApp, RunningService], request: pytest.FixtureRequest) -> Iterator[httpx.Client]:
    """The API as a user of this test alone, with an account."""
    app, running = graphql
    app.answers(ME)
    assert "connected" == connect(running, request.node.name)
    app.requests.clear()
    with running.api(request.node.name) as api:
        yield api


def failed(code: str) -> bytes:
    """Return an answer of which GraphQL says in its body that it is none."""
    errors = [{"message": "Other."}, {"message": "No.", "extensions": {"code": code}}]
    return json.dumps({"data": None, "errors": errors}).encode()


def sent(app: HostileApp) -> list[Any]:
    """Return the operations that the app got."""
    return [json.loads(request.partition(b"\r\n\r\n")[2]) for request in app.requests]


def test_pages_of_an_operation(graphql: tuple[HostileApp, RunningService], api: httpx.Client) -> None:
    """The variables are the arguments, the output is what is picked, and the cursor joins the variables."""
    info = {"endCursor": "c1", "hasNextPage": True}
    graphql[0].answers(json.dumps({"data": {"items": {"nodes": [{"id": "1"}], "pageInfo": info}}}).encode())
    first = api.post(READ, json={"text": "${args.id}"}).json()
    api.post(READ, json={"text": "${args.id}", "next_page": first["next_page"]})

    assert [{"id": "1"}] == first["output"]
    assert [
        {"query": FIND, "variables": {"text": "${args.id}"}},
        {"query": FIND, "variables": {"text": "${args.id}", "after": "c1"}},
    ] == sent(graphql[0])


def test_errors_in_a_200_are_relayed(graphql: tuple[HostileApp, RunningService], api: httpx.Client) -> None:
    """An error that no rule names is the answer: status 200 and the whole body."""
    graphql[0].answers(failed("BAD_INPUT"))
    answer = api.post(READ, json={"text": "x"}).json()

    assert ("200", failed("BAD_INPUT")) == (answer["network_code"], json.dumps(answer["output"]).encode())
    assert 1 == len(sent(graphql[0]))


def test_a_limit_told_in_the_body(graphql: tuple[HostileApp, RunningService], api: httpx.Client) -> None:
    """A query that hit a limit is asked again, by POST too; a mutation never; and the last answer is relayed."""
    graphql[0].answers(failed("RATELIMITED"), Retry_After="0")
    answer = api.post(READ, json={"text": "x"}).json()
    assert ("200", 3) == (answer["network_code"], len(sent(graphql[0])))

    graphql[0].requests.clear()
    changed = api.post(CHANGE, json={"id": "1"}).json()
    assert ("200", 1) == (changed["network_code"], len(sent(graphql[0])))


def test_a_limit_that_takes_longer_is_relayed(graphql: tuple[HostileApp, RunningService], api: httpx.Client) -> None:
    """Nobody is kept waiting for minutes: where the app asks for that, its answer is relayed at once."""
    graphql[0].answers(failed("RATELIMITED"), Retry_After="600")

    assert "200" == api.post(READ, json={"text": "x"}).json()["network_code"]
    assert 1 == len(sent(graphql[0]))


def test_refused_credentials_told_in_the_body(graphql: tuple[HostileApp, RunningService], api: httpx.Client) -> None:
    """A rule that means reconnecting marks the account, though the status is 200."""
    graphql[0].answers(failed("UNAUTHENTICATED"))
    api.post(READ, json={"text": "x"})

    (account,) = api.get("/apps/hostile").json()["connected_accounts"]
    assert "reconnect_required" == account["state"]
