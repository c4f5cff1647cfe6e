"""Functions are named as people would name them."""

from typing import Any

import pytest

from tests.service_server.openapi_import.made_documents import answer, document, taken

LIST = answer({"type": "array", "items": {"type": "object", "properties": {"id": {"type": "string"}}}})


def names(*operations: tuple[str, str, dict[str, Any]], app: str = "acme") -> list[str]:
    """Import operations and return their functions' names in the document's order."""
    paths: dict[str, Any] = {}
    for method, path, operation in operations:
        paths.setdefault(path, {})[method] = {**operation}
    return list(taken(document(paths), keeps_all=True).functions)


@pytest.mark.parametrize(
    ("method", "path", "operation", "name"),
    [
        ("post", "/issues", {"operationId": "createIssue"}, "create-issue"),
        ("post", "/issues", {"operationId": "issues/create"}, "create-issue"),
        ("get", "/repos/issues", {"operationId": "issueListIssues", "tags": ["issue"]}, "list-issues"),
        ("post", "/labels", {"operationId": "labelCreateLabel", "tags": ["label"]}, "create-label"),
        ("post", "/exports/start", {"operationId": "startExportJob"}, "start-export-job"),
        ("get", "/importErrors", {"operationId": "get_import_errors"}, "list-import-errors"),
        ("get", "/importErrors", {}, "list-import-errors"),
        ("post", "/importErrors", {}, "create-import-error"),
        ("post", "/error/errors/import", {}, "import-error"),
        ("get", "/labels/{idLabel}", {"operationId": "get-labels-by-id-label"}, "get-label"),
        ("get", "/issues", {"operationId": "issues/list"}, "list-issues"),
        ("get", "/issues", {"operationId": "issues_list"}, "list-issues"),
        ("get", "/issues", {"operationId": "IssuesController_findAll", "responses": LIST}, "find-issues"),
        ("get", "/issues/{id}", {"operationId": "retrieveAnIssue"}, "get-issue"),
        ("delete", "/issues/{id}", {"operationId": "issue.destroy"}, "delete-issue"),
        ("post", "/archive", {"operationId": "conversations.archive"}, "archive-conversation"),
        ("post", "/chat.post", {"operationId": "chat_postMessage"}, "post-message"),
        ("get", "/items/{item_id}", {"operationId": "read_item_items__item_id__get"}, "get-item"),
        ("get", "/users", {"operationId": "listUsersUsingGET_1"}, "list-users"),
        ("post", "/v1/pages", {"operationId": "post-page"}, "create-page"),
        ("get", "/v1/pages", {"operationId": "get-pages", "responses": LIST}, "list-pages"),
        ("patch", "/v1/block/{id}/x", {"operationId": "patch-block-children"}, "update-block-children"),
        ("delete", "/keys/{id}", {"operationId": "repos/delete-deploy-key"}, "delete-deploy-key"),
        ("get", "/user", {"operationId": "users/get-authenticated", "tags": ["users"]}, "get-authenticated-user"),
        ("post", "/pulls", {"operationId": "pulls/create", "summary": "Create a pull request"}, "create-pull-request"),
        # without a usable operationId the method and the nouns of the path, or a summary that is a name
        ("get", "/projects/{id}/tasks", {"responses": LIST}, "list-project-tasks"),
        ("post", "/projects/{id}/tasks", {}, "create-project-task"),
        ("get", "/api/v2/tasks/{id}", {}, "get-task"),
        ("put", "/categories/{id}", {}, "update-category"),
        ("delete", "/boxes/{id}", {}, "delete-box"),
        ("post", "/tasks/{id}/close", {}, "close-task"),
        ("get", "/tasks", {"operationId": "op_17"}, "list-tasks"),
        ("get", "/tasks", {"summary": "Count the open tasks"}, "count-open-tasks"),
        ("get", "/", {}, "get-root"),
    ],
)
def test_a_name(method: str, path: str, operation: dict[str, Any], name: str) -> None:
    """A name is a verb and its nouns, whatever way of writing the operationId has."""
    assert [name] == names((method, path, operation))


def called(method: str, path: str, identifier: str, **more: Any) -> tuple[str, str, dict[str, Any]]:
    """Return an operation with its operationId."""
    return method, path, {"operationId": identifier, **more}


OF_ONE = called("get", "/blocks/{email}/x", "GetBlock", responses=LIST)
OF_ALL = called("get", "/blocks", "ListBlock", responses=LIST)
SECRETS = [called("get", f"/{kind}/secrets", f"{kind}/list-secrets") for kind in ("actions", "codespaces")]
THINGS = [called("get", path, "getThing") for path in ("/c/{x}", "/c/{x}/")]
BATCHES = [
    called("get", f"/apis/batch/v1{beta}", f"getBatchV1{beta}APIResources", tags=[f"batch_v1{beta}"])
    for beta in ("", "beta1")
]
PUT, PATCH = called("put", "/pets/{id}", "update_pet"), called("patch", "/pets/{id}", "patch_pet")


@pytest.mark.parametrize(
    ("operations", "expected"),
    [
        # both say what they belong to; where even that is the same, they are counted
        (SECRETS, ["list-action-secrets", "list-codespace-secrets"]),
        (THINGS, ["get-c-thing", "get-c-thing-2"]),
        # a thing can be both replaced and changed in part
        ([PUT, PATCH], ["replace-pet", "update-pet"]),
        # a `get…` that answers a list is a list, unless there is one of the same things
        ([OF_ONE], ["list-block"]),
        ([OF_ONE, OF_ALL], ["get-block", "list-block"]),
        # what differs by its version alone says which one
        (BATCHES, ["get-apis-batch-resources-v1", "get-apis-batch-resources-v1beta1"]),
    ],
)
def test_names_are_told_apart(operations: list[tuple[str, str, dict[str, Any]]], expected: list[str]) -> None:
    """Two operations that would have one name say what tells them apart, rather than a number that says nothing."""
    assert expected == names(*operations)


def test_names_are_short_enough() -> None:
    """With the app's name before it no name has more than 64 characters; small words go first."""
    identifier = "listTheVeryLongNamesOfThingsForTheOrganizationInWhichTheAuthenticatedPersonIsAMember"
    [name] = names(("get", "/x", {"operationId": identifier}))

    assert len(f"acme-{name}") <= 64
    assert name.startswith("list-")
    assert "-of-" not in name
