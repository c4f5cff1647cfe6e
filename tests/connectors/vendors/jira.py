"""Jira Cloud's API, version 2, and that of its boards and sprints, by the client jira.js."""

import re

from tests.connectors.descriptions.compiled_types import amended, compiled_client
from tests.connectors.descriptions.configured_calls import ConfiguredCalls
from tests.connectors.descriptions.packages import npm

_MODULES = (
    "issueAttachments",
    "issueComments",
    "issueLinkTypes",
    "issueLinks",
    "issuePriorities",
    "issueSearch",
    "issueWatchers",
    "issueWorklogs",
    "issues",
    "labels",
    "myself",
    "projectVersions",
    "projects",
    "userSearch",
)

_AGILE = ("backlog", "board", "sprint")


def _given(file: str, _: str, match: re.Match[str]) -> str:
    """The two APIs have parameters of their own, by the same names."""
    given = match["type"]
    return f"parameters: {given.replace('Parameters.', 'Agile.') if '/agile/' in file else given}"


CHECK = compiled_client(
    npm("jira.js@5.4.0"),
    base_url="https://*.atlassian.net",
    sources=(
        *(f"src/version2/{module}.ts" for module in _MODULES),
        *(f"src/agile/{module}.ts" for module in _AGILE),
    ),
    reader=ConfiguredCalls(
        r"^  async (?P<name>\w+)<[^;{]*?parameters\??: (?P<type>[\w.]+)(?:(?!;\n)[^{])*\{$",
        _given,
    ),
    head="""
        import type * as Parameters from "./src/version2/parameters";
        import type * as Agile from "./src/agile/parameters";
        import { paramSerializer } from "./src/paramSerializer";
        declare const avatar: unknown, formData: { file: string }, range: unknown;
    """,
    types=(
        "src/paramSerializer.ts",
        "src/version2/parameters/*.ts",
        "src/version2/models/*.ts",
        "src/agile/parameters/*.ts",
        "src/agile/models/*.ts",
    ),
    # The client leaves the fields of an issue that changes as `any`; they are those of a new one. So does it leave
    # what is added or taken off; that is as the vendor documents it.
    rewrite=amended(
        (
            "export interface EditIssue extends IssueUpdateDetails {",
            "import type { CreateIssue } from './createIssue';\n"
            "export interface EditIssue extends IssueUpdateDetails { fields?: Partial<CreateIssue['fields']>;\n"
            "update?: { labels?: ({ add: string } | { remove: string })[] };",
        ),
        # Whose a version is doesn't change.
        ("export interface UpdateVersion extends Version", "export interface UpdateVersion extends Partial<Version>"),
    ),
)

UNDESCRIBED = {
    "list-link-types": "the client's call takes nothing, so there is no type to read; it has this very address"
}
