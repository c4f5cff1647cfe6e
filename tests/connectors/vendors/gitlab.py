"""GitLab's API by the client gitbeaker."""

from collections.abc import Iterator, Mapping

from tests.connectors.descriptions.clients import ClientSources, Operation, operations
from tests.connectors.descriptions.packages import npm

_READERS = (
    operations(r"RequestHelper\.(?P<method>\w+)\(\)\(\s*this,\s*(?:endpoint)?[`\"'](?P<path>(?!\$)[^`\"']+)"),
    # What projects and groups have alike is written once, with the path of either in front.
    operations(
        r"RequestHelper\.(?P<method>\w+)\(\)\(\s*this,\s*"
        r"endpoint`(?P<path>\$\{resourceId\}/(?:\$\{[^}]*\}/)*[a-z_][^`]*)",
        prefix="projects/",
    ),
    operations(r"RequestHelper\.(?P<method>\w+)\(\)\(this, `\$\{prefix\}(?P<path>\w+)`", prefix="projects/{id}/"),
    operations(
        r"url\d+ = (?:projectId \? )?endpoint`(?P<path>projects/(?:(?!\$\{url)[^`])+)`"
        r".{0,200}?RequestHelper\.(?P<method>\w+)\(\)\(this, url"
    ),
)


def _read(sources: Mapping[str, str]) -> Iterator[Operation]:
    for reader in _READERS:
        yield from reader(sources)


CHECK = ClientSources(
    npm(
        "@gitbeaker/core@43.8.0",
        "sha512-H+LfKuf4dExBinb79c+CXViRBvTVQNf5BYLNSizm2SiqdED5JruhKX88payefleY0szp7G/mySlFSXPyGRH1dQ==",
    ),
    base_url="https://*/api/v4",
    sources=("dist/index.mjs",),
    reader=_read,
    types=("dist/index.d.ts",),
    snake_case=True,
)

UNDESCRIBED = {
    "list-members": "the client puts the path together of parts; GitLab documents it at docs.gitlab.com/api/members",
}
