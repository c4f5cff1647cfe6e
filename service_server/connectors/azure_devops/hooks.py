"""What Azure DevOps needs beyond data: changes of fields as operations, Git's names of branches, and conditions."""

from typing import Any

from service_server.catalog.hooks import InvalidRequest

_HEADS = "refs/heads/"
_FIELDS = {
    "title": "System.Title",
    "description": "System.Description",
    "state": "System.State",
    "assigned_to": "System.AssignedTo",
    "iteration": "System.IterationPath",
    "priority": "Microsoft.VSTS.Common.Priority",
}
_TAGS = "System.Tags"
_CONDITIONS = {
    "project": "System.TeamProject",
    "type": "System.WorkItemType",
    "state": "System.State",
    "assigned_to": "System.AssignedTo",
}


def work_item_search(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the conditions of a search, each a list of what a field may be; none where nothing is given."""
    filters = {field: [arguments[name]] for name, field in _CONDITIONS.items() if name in arguments}
    return {"filters": filters} if filters else {}


def changes(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write an operation for each field that is given."""
    operations = [_set(field, arguments[name]) for name, field in _FIELDS.items() if name in arguments]
    if "tags" in arguments:
        operations.append(_set(_TAGS, "; ".join(arguments["tags"])))
    return {"changes": operations}


def changes_of_work_item(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Write the operations as for a new one, but for tags: those that it has stay, but for the ones to take off."""
    operations = changes({name: value for name, value in arguments.items() if name != "tags"})["changes"]
    if "tags" in arguments or "remove_tags" in arguments:
        operations = [{"op": "test", "path": "/rev", "value": before["version"]}, *operations]
        operations.append(_tags(arguments, before.get("tags") or ""))
    if not operations:
        raise InvalidRequest("title", "or something else has to be given")
    return {"changes": operations}


def comment(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the operation that adds a comment."""
    return {"changes": [_set("System.History", arguments["text"])]}


def branches(body: Any) -> Any:
    """Return the branches with their names as people say them."""
    refs = body.get("value", [])
    return {"branches": [{**ref, "branch": ref.get("name", "").removeprefix(_HEADS)} for ref in refs]}


def branch_found(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the last commit of a branch, among the branches whose names begin with its own."""
    name = "from" if "from" in arguments else "branch"
    for ref in before["refs"]:
        if ref["name"] == _ref(arguments[name]):
            return {"commit": ref["objectId"]}
    raise InvalidRequest(name, "is no branch of the repository")


def pull_request(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the branches, and the work items, whose numbers Azure DevOps takes as texts."""
    prepared: dict[str, Any] = {"source": _ref(arguments["source"]), "target": _ref(arguments["target"])}
    if "work_items" in arguments:
        prepared["work_items"] = [{"id": f"{number:.0f}"} for number in arguments["work_items"]]
    return prepared


def run(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write the branch to run, none where none is given."""
    return {"branch": _ref(arguments["branch"])} if "branch" in arguments else {}


def _ref(branch: str) -> str:
    return branch if branch.startswith("refs/") else _HEADS + branch


def _tags(arguments: dict[str, Any], there: str) -> dict[str, Any]:
    """Write what becomes of the tags; only "replace" takes any off, and it wants some to be there."""
    tags = [tag.strip() for tag in there.split(";") if tag.strip()]
    leaving = {tag.casefold() for tag in arguments.get("remove_tags") or []}
    staying = [tag for tag in tags if tag.casefold() not in leaving]
    known = {tag.casefold() for tag in staying}
    text = "; ".join([*staying, *(tag for tag in arguments.get("tags") or [] if tag.casefold() not in known)])
    return {**_set(_TAGS, text), "op": "add" if staying == tags else "replace"}


def _set(field: str, value: Any) -> dict[str, Any]:
    return {"op": "add", "path": f"/fields/{field}", "value": value}
