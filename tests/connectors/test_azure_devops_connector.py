"""Azure DevOps' fields, branches and conditions, as the connector's hooks write and read them."""

import json
from typing import Any

import pytest

from service_server.catalog.hooks import InvalidRequest
from service_server.onward.values import OnwardRequest
from tests.connectors.building import connector_of, prior_requests_of, request_of


def request(function: str, **arguments: Any) -> OnwardRequest:
    """Build the request that a function makes."""
    connector = connector_of("azure_devops")
    return request_of(connector, connector.functions[f"azure_devops-{function}"], arguments)


def read(function: str, answer: Any) -> Any:
    """Return what a function makes of an answer."""
    return connector_of("azure_devops").functions[f"azure_devops-{function}"].pick(answer)


def test_fields_are_set_one_by_one() -> None:
    """Each field that is given is an operation, tags are one text; what only offers choices isn't sent."""
    sent = request("update-work-item", project="Web", type="Bug", work_item=42, state="Closed", tags=["a", "b c"])

    assert "https://dev.azure.com/acme/_apis/wit/workItems/42" == sent.url
    assert "application/json-patch+json" == {name.lower(): value for name, value in sent.headers}["content-type"]
    assert [
        {"op": "add", "path": "/fields/System.State", "value": "Closed"},
        {"op": "add", "path": "/fields/System.Tags", "value": "a; b c"},
    ] == json.loads(sent.body)


def test_a_change_of_nothing_is_refused() -> None:
    """A call that gives no field is refused at the title, before anything is sent."""
    with pytest.raises(InvalidRequest) as problem:
        request("update-work-item", work_item=42)

    assert "title" == problem.value.field


def test_a_type_stands_behind_a_dollar_sign() -> None:
    """The type of a new work item is one segment of the path, whatever is in its name."""
    sent = request("create-work-item", project="Web site", type="User/Story", title="T")

    assert sent.url.endswith("/acme/Web%20site/_apis/wit/workItems/$User%2FStory")


def test_a_search_has_conditions() -> None:
    """A search goes to another host, with a list for each condition; work items are shown by number and title."""
    sent = request("list-work-items", search="login", type="Bug")
    fields = {"system.id": "42", "system.title": "Login", "system.state": "New"}

    assert sent.url.startswith("https://almsearch.dev.azure.com/acme/_apis/search/")
    assert {"System.WorkItemType": ["Bug"]} == json.loads(sent.body)["filters"]
    assert "filters" not in json.loads(request("list-work-items", search="login").body)
    assert ["7 Old"] == [each["label"] for each in read("list-work-items", {"value": [{"id": 7, "title": "Old"}]})]
    (found,) = (
        connector_of("azure_devops")
        .functions["azure_devops-list-work-items"]
        .given({"search": "login"})
        .pick({"results": [{"project": {"name": "Web"}, "fields": fields}]})
    )
    assert (42, "42 Login") == (found["id"], found["label"])


def test_branches_have_the_names_that_people_say() -> None:
    """What Git puts before the names of branches is left out, and put there again; a whole name stays as it is."""
    listed = read("list-branches", {"value": [{"name": "refs/heads/feature/login"}]})
    arguments = {"project": "Web", "repository": "R", "title": "T", "work_items": [42]}
    sent = json.loads(request("create-pull-request", source="login", target="refs/heads/main", **arguments).body)
    runs = json.loads(request("run-pipeline", project="Web", pipeline=7, branch="main").body)

    assert ["feature/login"] == [each["branch"] for each in listed]
    assert ("refs/heads/login", "refs/heads/main") == (sent["sourceRefName"], sent["targetRefName"])
    assert [{"id": "42"}] == sent["workItemRefs"]
    assert "refs/heads/main" == runs["resources"]["repositories"]["self"]["refName"]
    assert {} == json.loads(request("run-pipeline", project="Web", pipeline=7).body)


def test_a_review_is_that_of_who_is_signed_in() -> None:
    """Who is signed in is asked as the connection test asks it, and the vote is theirs."""
    arguments = {"project": "Web", "repository": "R", "pull_request": 22, "vote": -10}
    connector = connector_of("azure_devops")
    (asked,) = prior_requests_of(connector, connector.functions["azure_devops-review-pull-request"], arguments)
    sent = request("review-pull-request", **arguments)

    assert "https://dev.azure.com/acme/_apis/ConnectionData" == asked.url
    assert sent.url.endswith("/acme/Web/_apis/git/repositories/R/pullRequests/22/reviewers/1")
    assert {"vote": -10} == json.loads(sent.body)


def test_only_the_commit_that_was_read_is_merged() -> None:
    """The pull request is read, and what is merged is its last commit; options that nobody gave aren't sent."""
    arguments = {"project": "Web", "repository": "R", "pull_request": 22}
    connector = connector_of("azure_devops")
    (read_before,) = prior_requests_of(connector, connector.functions["azure_devops-complete-pull-request"], arguments)
    completed = {"status": "completed", "lastMergeSourceCommit": {"commitId": "1"}}
    squashed = json.loads(request("complete-pull-request", method="squash", **arguments).body)

    assert ("GET", request("complete-pull-request", **arguments).url) == (read_before.method, read_before.url)
    assert completed == json.loads(request("complete-pull-request", **arguments).body)
    assert {**completed, "completionOptions": {"mergeStrategy": "squash"}} == squashed
