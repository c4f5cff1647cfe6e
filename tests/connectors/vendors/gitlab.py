"""GitLab's API by the client gitbeaker."""

import re
from collections.abc import Iterator, Mapping

from attrs import evolve

from tests.connectors.descriptions.compiled_types import Call, amended, compiled_client
from tests.connectors.descriptions.configured_calls import ConfiguredCalls, Written, behind, of_class
from tests.connectors.descriptions.packages import npm

_USED = (
    "Branches",
    "Commits",
    "IssueNotes",
    "Issues",
    "Jobs",
    "MergeRequestApprovals",
    "MergeRequests",
    "Pipelines",
    "ProjectReleases",
    "Projects",
    "Repositories",
    "ResourceLabels",
    "ResourceMembers",
    "ResourceMilestones",
    "ResourceNotes",
    "Tags",
    "Users",
)


_parameters = of_class(r"^var (\w+) = class")


def _given(file: str, text: str, match: re.Match[str]) -> str:
    """What may be left out as a whole is there where a part of it is sent."""
    return _parameters(file, text, match).replace(": Parameters", ": Given")


def _third(methods: str) -> Written:
    """Read what a request is given behind its path."""
    read = behind(rf"RequestHelper\.(?:{methods})\(\)\(\s*this,\s*(?:(?:endpoint)?`[^`]*`|\"[^\"]*\"|\w+),\s*")

    def reader(text: str) -> str | None:
        found = read(text)
        return None if found is None else f"sent({found})"

    return reader


_beside = behind(r"searchParams: ")


def _query(text: str) -> str | None:
    """Read the query of what fetches something, or the one that stands beside a body."""
    beside = _beside(text)
    return _third("get")(text) if beside is None else f"sent({beside})"


def _paths(written: str) -> Iterator[str]:
    """What projects and groups have alike is written once, without the path of either; members come inherited, too."""
    path = re.sub(r"^\$\{(?:resourceId|prefix)\}/?", "projects/{id}/", written)
    yield path
    if path == "projects/{id}/members":
        yield f"{path}/all"


_CALLS = ConfiguredCalls(
    r"^  (?P<name>\w+)\((?P<outer>[^)]*)\) \{$",
    _given,
    query=_query,
    body=_third("post|put|del"),
    # Where a path depends on what is given, the one of a project comes first, or the one of a user.
    url=r"(?:this,\s*|(?:uri|url\d+) = (?:\w+ \? )?)(?:endpoint)?"
    r"(?P<quote>[`\"])(?P<path>(?!users/)[^`\"]+)(?P=quote)",
    method=r"RequestHelper\.(\w+)\(\)",
    paths=_paths,
)


def _read(sources: Mapping[str, str]) -> Iterator[Call]:
    """
    Read the calls of the classes that we use.

    Left out are those that send pictures, or a query beside a body, which new tags alone have of ours, and the rules of
    approvals, which the client declares once for a project and once for a merge request.
    """
    for call in _CALLS(sources):
        given = f"{call.parameters} {call.body}"
        beside_body = "searchParams" in given and ".Tags[" not in given
        if (
            not beside_body
            and not re.search(r"avatar|\{\s*mergerequestIId", given)
            and any(f".{owner}[" in given for owner in _USED)
        ):
            yield evolve(call, method=call.method.replace("DEL", "DELETE"))


CHECK = compiled_client(
    npm("@gitbeaker/core@43.8.0"),
    base_url="https://*/api/v4",
    sources=("dist/index.mjs",),
    reader=_read,
    head="""
        type Given<F extends (...given: any) => unknown> = Required<Parameters<F>>;
        // The client writes names in camel case, and sends them in snake case but for those that are its own.
        declare function sent<T>(options: T): Sent<T>;
        type Sent<T> = keyof Omit<T, Own> extends never ? undefined
          : { [K in keyof T as K extends Own ? never : Snake<K & string>]: T[K] };
        type Own = "sudo" | "showExpanded" | "maxPages" | "asStream" | "isForm" | "searchParams";
        type Snake<S extends string> = S extends `${infer H}${infer T}` ? `${Small<H>}${Snake<T>}` : S;
        type Small<H extends string> = H extends Lowercase<H> ? H : `_${Lowercase<H>}`;
    """,
    types=("dist/index.d.ts",),
    left_out="what a release is made of, which GitLab documents and the client leaves open",
    rewrite=amended(
        # So any name would do.
        ("    [Key in string]?: any;\n", ""),
        # As merge requests have it; GitLab splits the texts of a list as it splits one text.
        ("labels?: string;", "labels?: string | string[];"),
        ("addLabels?: string;", "addLabels?: string | string[];"),
        ("removeLabels?: string;", "removeLabels?: string | string[];"),
        # The client takes whatever there is; see https://docs.gitlab.com/api/releases/#create-a-release
        (
            "create<E extends boolean = false>(projectId: string | number, options?: BaseRequestOptions<E>)"
            ": Promise<GitlabAPIResponse<ReleaseSchema, C, E, void>>;",
            "create(projectId: string | number, options: { tagName: string; ref?: string; name?: string;"
            " description?: string; milestones?: string[]; releasedAt?: string }): void;",
        ),
        # By its newer name, since the client's is deprecated; see https://docs.gitlab.com/api/milestones/
        ("includeParentMilestones?: boolean;", "includeAncestors?: boolean;"),
        # The client takes it, but forgets it here.
        ("type AllProjectsOptions = {", "type AllProjectsOptions = { starredOnly?: boolean;"),
    ),
)
