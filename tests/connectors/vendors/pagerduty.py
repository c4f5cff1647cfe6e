"""PagerDuty's REST API by the vendor's own server for agents, and beside it by the paths of its own client."""

from collections.abc import Iterator, Mapping

from tests.connectors.descriptions.clients import ClientSources, Operation, operations
from tests.connectors.descriptions.packages import pypi


def _read(sources: Mapping[str, str]) -> Iterator[Operation]:
    """Read calls of a path, and lists, which are asked for by their name."""
    yield from operations(r"\.r?(?P<method>get|post|put|delete)\(\s*f?\"(?P<path>/[^\"]*)\"", names="file")(sources)
    yield from operations(r"entity=\"(?P<path>\w+)\"", always="GET", names="file")(sources)


CHECK = ClientSources(
    pypi(
        "pagerduty-mcp==1.1.0",
        "sha256:f2e3012e5c7b233ce855ec9bfaa41e160ef18a6af64753d858bf8b5d9e13fa05",
    ),
    base_url="https://api.pagerduty.com",
    sources=("pagerduty_mcp/tools/*.py",),
    reader=_read,
    types=("pagerduty_mcp/models/*.py",),
    # The server leaves paging to the client.
    extra=frozenset({"offset"}),
)

_CLIENT = "the vendor's client pagerduty 7.2 has the path, its documentation the rest"
UNDESCRIBED = dict.fromkeys(
    (
        "list-incident-alerts",
        "list-incident-log-entries",
        "snooze-incident",
        "merge-incidents",
        "send-status-update",
        "list-maintenance-windows",
        "create-maintenance-window",
    ),
    _CLIENT,
)
