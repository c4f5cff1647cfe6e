"""What GitLab's connector makes of arguments and answers, where the client's types can't tell."""

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

from service_server.onward.values import OnwardRequest
from tests.connectors.building import connector_of, request_of


def request(function: str, **arguments: Any) -> OnwardRequest:
    """Build the request that a function makes in a project."""
    connector = connector_of("gitlab")
    return request_of(connector, connector.functions[f"gitlab-{function}"], {"project": "acme/web", **arguments})


def read(function: str, answer: Any) -> Any:
    """Return what a function makes of an answer."""
    return connector_of("gitlab").functions[f"gitlab-{function}"].pick(answer)


def test_an_empty_list_takes_all_away() -> None:
    """People and labels that are left out stay, and an empty list is sent as one."""
    emptied = request("update-merge-request", merge_request=5, assignee_ids=[], reviewer_ids=[], labels=[])

    assert {"assignee_ids": [], "reviewer_ids": [], "labels": []} == json.loads(emptied.body)
    assert {"title": "T"} == json.loads(request("update-merge-request", merge_request=5, title="T").body)


def test_a_branch_is_one_segment() -> None:
    """A branch with a slash in its name is deleted, and no other one."""
    sent = request("delete-branch", branch="feature/login")

    assert "DELETE" == sent.method
    assert sent.url.endswith("/projects/acme%2Fweb/repository/branches/feature%2Flogin")


def test_a_tag_is_in_the_query() -> None:
    """A new tag and where it is set stand in the query, as GitLab documents it; what is said about it in the body."""
    plain, annotated = (
        request("create-tag", tag="v1", ref="main"),
        request("create-tag", tag="v1", ref="a", message="M"),
    )

    assert {"tag_name": ["v1"], "ref": ["main"]} == parse_qs(urlsplit(plain.url).query)
    assert plain.body in (b"", b"{}")
    assert {"message": "M"} == json.loads(annotated.body)


def test_pipelines_and_jobs_are_told_apart() -> None:
    """A pipeline has no name and a job's says little: what forms show has number, branch and state in it."""
    (pipeline,) = read("list-pipelines", [{"id": 61, "ref": "main", "status": "failed"}])
    (job,) = read("list-jobs", [{"id": 7, "name": "deploy", "status": "manual"}])

    assert (61, "#61 main failed") == (pipeline["id"], pipeline["label"])
    assert (7, "deploy manual") == (job["id"], job["label"])
