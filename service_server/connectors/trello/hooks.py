"""Hooks of the Trello connector."""

from typing import Any


def open_cards(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return a query for open cards, with the words of `search` where there are any."""
    return {"query": f"is:open {arguments.get('search', '')}".strip()}


def joined_ids(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the ids of labels and members as texts with commas, each only where it is given."""
    return {name: ",".join(arguments[name]) for name in ("labels", "members") if name in arguments}


def ids_with_those_there(arguments: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return the ids as `joined_ids` does, behind those of the labels and members that a card has."""
    given = {name: arguments[name] for name in ("labels", "members") if name in arguments}
    return joined_ids({name: dict.fromkeys([*before[name], *ids]) for name, ids in given.items()})


def lists_with_boards(body: Any) -> Any:
    """Return the lists of all boards, each under the name of its board and its own."""
    if not isinstance(body, list):
        return body
    return [
        {**column, "name": f"{board.get('name')} / {column.get('name')}", "board": board.get("name")}
        for board in body
        for column in board.get("lists", [])
    ]
