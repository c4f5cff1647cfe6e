"""What the connectors for planning and documents make of arguments and answers, where a description can't tell."""

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from service_server.catalog.hooks import InvalidRequest
from service_server.catalog.pagination import Following
from service_server.catalog.values import AccountIdentity, FunctionDefinition
from service_server.onward.values import OnwardRequest, OnwardResponse
from tests.connectors.building import connector_of, request_of

HUNDRED = [{"token": f"t{number}"} for number in range(100)]
PAGE = {"page": {"nodes": [], "pageInfo": {"hasNextPage": True, "endCursor": "c2"}}}


def function_of(name: str) -> FunctionDefinition:
    """Return a function by its full name."""
    return connector_of(name.partition("-")[0]).functions[name]


def built(name: str, arguments: dict[str, Any]) -> OnwardRequest:
    """Build a request, of arguments that the function takes."""
    function = function_of(name)
    assert [] == [error.message for error in function.validator.iter_errors(arguments)]
    return request_of(connector_of(function.app_name), function, arguments)


def answer(body: Any = None, status: int = 200, **headers: str) -> OnwardResponse:
    """Return an answer with a body in JSON."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return OnwardResponse(status, named, json.dumps(body).encode(), "https://app.example.com/")


@pytest.mark.parametrize(
    ("name", "arguments", "query"),
    [
        ("jira-list-issues", {}, {"jql": "updated >= -30d ORDER BY updated DESC"}),
        (
            "jira-list-issues",
            {"project": "WEB", "status": 'Not "yet"', "search": "log-in: (now)"},
            {"jql": r'project = "WEB" AND status = "Not \"yet\"" AND text ~ "log in now" ORDER BY updated DESC'},
        ),
        (
            "confluence-find-pages",
            {"search": '"; x'},
            {"cql": 'type = page AND title ~ "x*" ORDER BY lastmodified DESC'},
        ),
        ("trello-find-cards", {}, {"query": "is:open"}),
        ("trello-find-cards", {"search": "@me"}, {"query": "is:open @me"}),
        (
            "airtable-search-records",
            {"base": "app1", "table": "T", "field": "Full name", "text": 'A "B" \\'},
            {"filterByFormula": r'FIND("a \"b\" \\", LOWER({Full name} & ""))'},
        ),
        (
            "airtable-list-records",
            {"base": "app1", "table": "T", "sort_by": "Age", "direction": "desc"},
            {"sort[0][field]": "Age", "sort[0][direction]": "desc", "pageSize": "100"},
        ),
        (
            "clickup-search-tasks",
            {"workspace": "9", "due_before": "1970-01-01T00:00:01+00:00", "statuses": ["to do"]},
            {"due_date_lt": "1000", "statuses[]": "to do", "page": "0"},
        ),
        ("gitlab-list-issues", {"project": "a/b", "labels": ["x", "y"]}, {"labels": "x,y", "per_page": "50"}),
    ],
)
def test_queries(name: str, arguments: dict[str, Any], query: dict[str, str]) -> None:
    """Conditions become the app's own query language, with what users type quoted in it."""
    sent = {key: values[0] for key, values in parse_qs(urlsplit(built(name, arguments).url).query).items()}

    assert query == {key: sent.get(key) for key in query}
    assert "+" not in urlsplit(built(name, arguments).url).query


@pytest.mark.parametrize(
    ("name", "arguments", "body"),
    [
        (
            "jira-create-issue",
            {"project": "WEB", "issue_type": "1", "summary": "S", "assignee": "a1", "fields": {"summary": "other"}},
            {"fields": {"summary": "S", "assignee": {"id": "a1"}, "project": {"key": "WEB"}, "issuetype": {"id": "1"}}},
        ),
        (
            "jira-update-issue",
            {"issue": "WEB-1", "labels": ["x"]},
            {"fields": {}, "update": {"labels": [{"add": "x"}]}},
        ),
        ("jira-unassign-issue", {"issue": "WEB-1"}, {"accountId": None}),
        ("trello-create-card", {"list": "l", "name": "N"}, {"idList": "l", "name": "N"}),
        ("trello-update-card", {"card": "c", "labels": []}, {"idLabels": ""}),
        ("trello-update-card", {"card": "c", "members": ["a", "b"]}, {"idMembers": "a,b"}),
        (
            "clickup-create-task",
            {"list": "1", "name": "N", "due": "1970-01-01T00:00:02Z", "estimate": 1.5},
            {"name": "N", "due_date": 2000, "due_date_time": True, "time_estimate": 5_400_000},
        ),
        ("clickup-update-task", {"task": "t", "name": "N"}, {"name": "N"}),
        ("clickup-update-task", {"task": "t", "add_assignees": [7]}, {"assignees": {"add": [7], "rem": []}}),
        ("typeform-create-form", {"title": "T"}, {"title": "T"}),
        (
            "typeform-create-form",
            {"title": "T", "workspace": "w1"},
            {"title": "T", "workspace": {"href": "https://api.typeform.com/workspaces/w1"}},
        ),
        ("asana-create-task", {"workspace": "1", "name": "N"}, {"data": {"workspace": "1", "name": "N"}}),
    ],
)
def test_bodies(name: str, arguments: dict[str, Any], body: Any) -> None:
    """Values are wrapped as the app wants them, and what isn't given isn't sent."""
    assert body == json.loads(built(name, arguments).body)


@pytest.mark.parametrize(
    ("name", "arguments", "variables"),
    [
        ("linear-list-users", {}, {}),
        ("linear-list-users", {"search": "ada"}, {"filter": {"name": {"containsIgnoreCase": "ada"}}}),
        ("linear-list-issues", {}, {}),
        (
            "linear-list-issues",
            {"team": "t", "state": "s", "state_types": ["started"]},
            {"filter": {"team": {"id": {"eq": "t"}}, "state": {"id": {"eq": "s"}, "type": {"in": ["started"]}}}},
        ),
        ("monday-create-item", {"board": "1", "name": "N"}, {"board": "1", "name": "N"}),
        (
            "monday-create-item",
            {"board": "1", "name": "N", "values": {"status": {"label": "Fertig ü"}}},
            {"board": "1", "name": "N", "values": '{"status": {"label": "Fertig ü"}}'},
        ),
        ("monday-find-items", {"board": "1"}, {"board": ["1"]}),
    ],
)
def test_variables(name: str, arguments: dict[str, Any], variables: dict[str, Any]) -> None:
    """The variables of GraphQL hold only the conditions that are given."""
    assert variables == json.loads(built(name, arguments).body).get("variables", {})


@pytest.mark.parametrize(
    ("name", "arguments", "field"),
    [("airtable-search-records", {"base": "b", "table": "t", "field": "a}b", "text": "x"}, "field")],
)
def test_refusals(name: str, arguments: dict[str, Any], field: str) -> None:
    """What would be a meaningless or a dangerous request is refused, and says at which field."""
    with pytest.raises(InvalidRequest) as caught:
        built(name, arguments)
    assert field == caught.value.field


@pytest.mark.parametrize(
    ("name", "body", "output"),
    [
        (
            "notion-list-pages",
            {
                "results": [
                    {
                        "id": "p",
                        "properties": {"Tags": {}, "Name": {"title": [{"plain_text": "A "}, {"plain_text": "B"}]}},
                    }
                ]
            },
            [{"id": "p", "name": "A B"}],
        ),
        ("notion-list-databases", {"results": [{"id": "d", "title": []}]}, [{"id": "d", "name": ""}]),
        (
            "jira-list-issues",
            {"issues": [{"key": "WEB-1", "fields": {"summary": "S"}}]},
            [{"key": "WEB-1", "summary": "S"}],
        ),
        (
            "trello-list-lists",
            [{"id": "b", "name": "Board", "lists": [{"id": "l", "name": "Doing"}]}],
            [{"id": "l", "name": "Board / Doing", "board": "Board"}],
        ),
        (
            "airtable-list-records",
            {"records": [{"id": "r1", "fields": {"Paid": True, "Name": "Ada"}}, {"id": "r2", "fields": {}}]},
            [{"id": "r1", "name": "Ada"}, {"id": "r2", "name": "r2"}],
        ),
        (
            "dropbox-find-files",
            {"matches": [{"metadata": {".tag": "metadata", "metadata": {"path_display": "/A"}}}]},
            [{"path_display": "/A"}],
        ),
        (
            "monday-list-groups",
            {"data": {"boards": [{"groups": [{"id": "g", "title": "G"}]}]}},
            [{"id": "g", "title": "G"}],
        ),
    ],
)
def test_outputs(name: str, body: Any, output: list[dict[str, Any]]) -> None:
    """The list is picked out of the answer, and each row has a name to choose it by."""
    rows = function_of(name).pick(body)

    assert output == [{key: row[key] for key in expected} for row, expected in zip(rows, output, strict=True)]


@pytest.mark.parametrize(
    ("name", "arguments", "response", "position"),
    [
        ("typeform-list-responses", {"form": "f"}, answer({"items": HUNDRED}), "t99"),
        ("typeform-list-responses", {"form": "f"}, answer({"items": HUNDRED[:99]}), None),
        ("asana-list-workspaces", {}, answer({"data": [1], "next_page": {"offset": "o"}}), "o"),
        ("asana-list-workspaces", {}, answer({"data": [1], "next_page": None}), None),
        ("notion-list-pages", {}, answer({"results": [], "has_more": True, "next_cursor": "n"}), "n"),
        ("linear-list-teams", {}, answer({"data": PAGE}), "c2"),
        ("monday-list-items", {"board": "1"}, answer({"data": {"boards": [{"items_page": {"cursor": "c"}}]}}), "c"),
        ("monday-list-items", {"board": "1"}, answer({"data": {"boards": [{"items_page": {"cursor": None}}]}}), None),
        (
            "confluence-list-spaces",
            {},
            answer({"results": []}, link='</wiki/api/v2/spaces?cursor=c>; rel="next", <https://x>; rel="base"'),
            "https://acme.atlassian.net/wiki/api/v2/spaces?cursor=c",
        ),
    ],
)
def test_next_pages(name: str, arguments: dict[str, Any], response: OnwardResponse, position: str | None) -> None:
    """The next page is found where the app tells it, and there is none after the last one."""
    function = function_of(name)
    body = json.loads(response.body)
    assert function.pagination is not None

    assert Following(position=position) == function.pagination.following(
        None, built(name, arguments), response, body, function.pick(body)
    )


@pytest.mark.parametrize(
    ("name", "arguments", "position", "body"),
    [
        ("notion-list-pages", {"search": "x"}, "n", {"query": "x", "start_cursor": "n"}),
        ("linear-search-issues", {"text": "x"}, "n", {"variables": {"term": "x", "after": "n"}}),
        ("monday-list-items", {"board": "1"}, "n", {"variables": {"board": ["1"], "cursor": "n"}}),
    ],
)
def test_cursors_in_bodies(name: str, arguments: dict[str, Any], position: str, body: dict[str, Any]) -> None:
    """The cursor of the next page is put into the body beside what the first page was asked with."""
    pagination = function_of(name).pagination
    assert pagination is not None
    sent = json.loads(pagination.apply(built(name, arguments), position).body)

    assert body == {key: sent[key] for key in body}


@pytest.mark.parametrize(
    ("app", "variables", "test", "identity"),
    [
        (
            "gitlab",
            {"server_url": "https://git.example"},
            {"id": 7, "name": "Ada", "username": "ada"},
            AccountIdentity("https://git.example/users/7", "Ada (ada) at https://git.example"),
        ),
        (
            "notion",
            {},
            {"id": "b", "name": "Bot", "bot": {"owner": {"user": {"name": "Ada"}}, "workspace_name": "Acme"}},
            AccountIdentity("b", "Ada at Acme"),
        ),
        (
            "notion",
            {},
            {"id": "b", "name": "Bot", "bot": {"owner": {"workspace": True}, "workspace_name": "Acme"}},
            AccountIdentity("b", "Bot at Acme"),
        ),
        ("airtable", {}, {"id": "usr1"}, AccountIdentity("usr1", "Airtable user usr1")),
        (
            "jira",
            {"site": "acme"},
            {"accountId": "5b", "displayName": "Ada"},
            AccountIdentity("acme/5b", "Ada at acme"),
        ),
        ("asana", {}, {"data": {"gid": "1", "name": "Ada"}}, AccountIdentity("1", "Ada")),
        (
            "linear",
            {},
            {"data": {"viewer": {"id": "u", "name": "Ada", "organization": {"name": "Acme"}}}},
            AccountIdentity("u", "Ada at Acme"),
        ),
    ],
)
def test_accounts(app: str, variables: dict[str, str], test: Any, identity: AccountIdentity) -> None:
    """Accounts are told apart by the app's own ids, and named so that people know which is which."""
    assert identity == connector_of(app).identity({"vars": variables, "test": test, "creds": {}, "token": {}})


@pytest.mark.parametrize(
    ("app", "response", "kind"),
    [
        ("linear", answer({"errors": [{"extensions": {"code": "RATELIMITED"}}]}, 400), "rate_limited"),
        ("linear", answer({"errors": [{"extensions": {"code": "AUTHENTICATION_ERROR"}}]}, 400), "reconnect"),
        ("linear", answer({"errors": [{"extensions": {"code": "INVALID_INPUT"}}]}, 400), None),
        ("monday", answer({"errors": [{"extensions": {"code": "COMPLEXITY_BUDGET_EXHAUSTED"}}]}), "rate_limited"),
        ("dropbox", answer({"error": {"required_scope": "sharing.write"}}, 401), "forbidden"),
        ("gitlab", answer({}, 429), "rate_limited"),
    ],
)
def test_error_kinds(app: str, response: OnwardResponse, kind: str | None) -> None:
    """What an answer means is told by the app's own codes, also where the status doesn't tell."""
    assert kind == connector_of(app).error_kind(response, json.loads(response.body))
