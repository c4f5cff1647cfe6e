"""GraphQL: errors in a 200 are relayed as they are, and mean what the connector says."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from service_server.catalog.load import load_catalog
from service_server.onward.values import OnwardResponse
from tests.service_server.calls.scripted_calls import KEY, ScriptedCalls, calls_of, whole
from tests.service_server.catalog.connector_folder import ConnectorFolder, connector_with, minimal_function, parameter

FIND = "query Find($text: String!, $after: String) { items(text: $text, after: $after) { nodes { id } } }"
RENAME = "mutation Rename($id: ID!) { rename(id: $id) { id } }"


def connector() -> ConnectorFolder:
    """Return a connector of a GraphQL app."""
    rules = {"RATELIMITED": "rate_limited", "UNAUTHENTICATED": "reconnect"}
    folder = connector_with(
        auth=[KEY],
        errors=[{"when": {"body": {"errors.*.extensions.code": code}}, "kind": kind} for code, kind in rules.items()],
        retry={"max": 2},
    )
    page = "body.data.items.pageInfo"
    pages = {"send": "body.variables.after", "next": f"{page}.endCursor", "more": f"{page}.hasNextPage"}
    find = {"query": FIND, "variables": {"text": "${args.text?}"}}
    rename = {"query": RENAME, "variables": {"id": "${args.id?}"}}
    folder.functions = {
        "find": minimal_function()
        | {
            "request": {"post": "/graphql", "graphql": find},
            "parameters": {"type": "object", "properties": {"text": parameter()}},
            "output": "data.items.nodes",
            "paginate": {"type": "cursor", **pages},
        },
        "rename": minimal_function()
        | {
            "type": "mutation",
            "request": {"post": "/graphql", "graphql": rename},
            "parameters": {"type": "object", "properties": {"id": parameter()}},
        },
    }
    return folder


@pytest.fixture
async def graphql(empty_database: Path, tmp_path: Path) -> AsyncIterator[ScriptedCalls]:
    """The steps of a call to that app."""
    connector().write(tmp_path / "connectors")
    async with calls_of(load_catalog([tmp_path / "connectors"]), empty_database, tmp_path) as calls:
        yield calls


def failed(code: str, **headers: str) -> OnwardResponse:
    """Return an answer of which GraphQL says in its body that it is none."""
    errors = [{"message": "Other."}, {"message": "No.", "extensions": {"code": code}}]
    return whole(200, json.dumps({"data": None, "errors": errors}).encode(), **headers)


def sent(calls: ScriptedCalls) -> list[Any]:
    """Return the operations that the app got."""
    return [json.loads(request.body) for request in calls.sender.sent]


async def test_pages_of_an_operation(graphql: ScriptedCalls) -> None:
    """The variables are the arguments, the output is what is picked, and the cursor joins the variables."""
    page = {"nodes": [{"id": "1"}], "pageInfo": {"endCursor": "c1", "hasNextPage": True}}
    await graphql.script([whole(200, json.dumps({"data": {"items": page}}).encode())])
    first, _ = await graphql.call("find", arguments={"text": "${args.id}"})
    await graphql.call("find", arguments={"text": "${args.id}", "next_page": first.result.next_page})

    assert [{"id": "1"}] == first.result.output.value()
    variables = [{"text": "${args.id}"}, {"text": "${args.id}", "after": "c1"}]
    assert [{"query": FIND, "variables": each} for each in variables] == sent(graphql)


@pytest.mark.parametrize(
    ("function", "answer", "requests"),
    [
        ("find", failed("BAD_INPUT"), 1),  # no rule names it
        ("find", failed("RATELIMITED", **{"retry-after": "0"}), 3),  # a query is asked again, by POST too
        ("rename", failed("RATELIMITED", **{"retry-after": "0"}), 1),
        ("find", failed("RATELIMITED", **{"retry-after": "600"}), 1),  # nobody is kept waiting for minutes
    ],
)
async def test_errors_in_a_200_are_relayed(
    graphql: ScriptedCalls, function: str, answer: OnwardResponse, requests: int
) -> None:
    """The whole body with status 200; a limit that passes is waited for, where that changes nothing more."""
    await graphql.script([answer])
    executed, _ = await graphql.call(function)

    assert ("200", json.loads(answer.body)) == (executed.result.network_code, executed.result.output.value())
    assert requests == len(sent(graphql))


async def test_refused_credentials_told_in_the_body(graphql: ScriptedCalls) -> None:
    """A rule that means reconnecting marks the account, though the status is 200."""
    await graphql.script([failed("UNAUTHENTICATED")])
    await graphql.call("find")

    assert "reconnect_required" == (await graphql.account()).state
