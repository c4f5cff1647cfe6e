"""Jira Cloud's API, version 2, by the client jira.js."""

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
    "myself",
    "projectVersions",
    "projects",
    "userSearch",
)

CHECK = compiled_client(
    npm("jira.js@5.4.0"),
    base_url="https://*.atlassian.net",
    sources=tuple(f"src/version2/{module}.ts" for module in _MODULES),
    reader=ConfiguredCalls(
        r"^  async (?P<name>\w+)<[^;{]*?parameters\??: (?P<type>[\w.]+)(?:(?!;\n)[^{])*\{$",
        lambda _, __, match: f"parameters: {match['type']}",
    ),
    head="""
        import type * as Parameters from "./src/version2/parameters";
        import { paramSerializer } from "./src/paramSerializer";
        declare const avatar: unknown, formData: { file: string }, range: unknown;
    """,
    types=("src/paramSerializer.ts", "src/version2/parameters/*.ts", "src/version2/models/*.ts"),
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
