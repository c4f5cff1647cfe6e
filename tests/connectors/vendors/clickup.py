"""ClickUp's API by the client clickup.js: its paths and methods; it takes queries and bodies of any names."""

import re
from collections.abc import Iterator, Mapping

from tests.connectors.descriptions.clients import ClientSources, Operation, operations
from tests.connectors.descriptions.packages import npm

_READING = operations(r"request\(\{\s*path: `(?P<path>[^`]+)`", always="GET")
_OTHERS = operations(r"request\(\{\s*method: \"(?P<method>\w+)\",\s*path: `(?P<path>[^`]+)`")


def _read(sources: Mapping[str, str]) -> Iterator[Operation]:
    """Read class by class: each has its own first part of the path."""
    for text in sources.values():
        for part in re.split(r"^class ", text, flags=re.MULTILINE):
            route = re.search(r'route: "(\w+)"', part)
            plain = part.replace("${this.version}", "v2").replace("${this.route}", route[1] if route else "")
            yield from _READING({"": plain})
            yield from _OTHERS({"": plain})


CHECK = ClientSources(
    npm(
        "clickup.js@4.0.2",
        "sha512-gzS3z1po54azqZb/BZD2blEVFqik9cXWgqGSdcILFYY+PKfU39Sk7YarMaimzw5oD1iRyRoS24uuC1mzoaw8lw==",
    ),
    base_url="https://api.clickup.com/api",
    sources=("dist/index.mjs",),
    reader=_read,
    # As the vendor's OpenAPI document has them, which comes in no package.
    extra=frozenset(
        [
            "archived",
            "assignee",
            "assignees",
            "comment_text",
            "custom_fields",
            "date_updated_gt",
            "due_date",
            "due_date_gt",
            "due_date_lt",
            "due_date_time",
            "id",
            "include_closed",
            "include_markdown_description",
            "include_subtasks",
            "list_ids",
            "markdown_content",
            "name",
            "notify_all",
            "order_by",
            "page",
            "parent",
            "priority",
            "rem",
            "reverse",
            "space_ids",
            "start_date",
            "start_date_time",
            "status",
            "statuses",
            "subtasks",
            "tags",
            "time_estimate",
            "value",
            "add",
        ]
    ),
)
