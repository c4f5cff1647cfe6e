"""Microsoft Graph's client for Python as a description."""

from collections.abc import Iterator, Mapping

from attrs import evolve

from tests.connectors.descriptions.clients import ClientSources, Operation, operations
from tests.connectors.descriptions.packages import pypi

_MINE = {"/users/{}": "/me", "/drives/{}": "/me/drive"}
_read = operations(r'"\{\+baseurl\}(?P<path>/[^"]*)"', method=r"RequestInformation\(Method\.(\w+)")


def graph_client(
    *folders: str,
    bodies: tuple[str, ...] | None = None,
    free: frozenset[str] = frozenset(),
    extra: frozenset[str] = frozenset(),
) -> ClientSources:
    """
    Return the client's request builders below folders such as `users/item/events`, with the models' names.

    `bodies` are the folders below which actions have bodies of their own, all of them where nothing is said.
    """
    return ClientSources(
        pypi(
            "msgraph-sdk==1.65.0",
            "sha256:543975b8ea5c6c94ac443be03a6f2429a6a6d7c1c4b90f08c382f211937f3dc1",
        ),
        base_url="https://graph.microsoft.com/v1.0",
        sources=(
            "msgraph/generated/users/item/user_item_request_builder.py",
            *(f"msgraph/generated/{folder}/*request_builder.py" for folder in folders),
        ),
        types=(
            "msgraph/generated/models/*.py",
            *(f"msgraph/generated/{folder}/*_body.py" for folder in bodies or folders),
        ),
        reader=_builders,
        free=free,
        extra=extra,
    )


def _builders(sources: Mapping[str, str]) -> Iterator[Operation]:
    for described in _read(sources):
        # Where a query is required, it stands in the path.
        operation = evolve(described, path=described.path.partition("?")[0])
        yield operation
        # The client has no `/me`: it sends what is below a user, or a drive, there.
        for anyones, mine in _MINE.items():
            if operation.path.startswith(anyones):
                yield evolve(operation, path=f"{mine}{operation.path.removeprefix(anyones)}")
