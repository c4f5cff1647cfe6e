"""Azure DevOps' REST API by Microsoft's own client for extensions, and its search by Microsoft's server for agents."""

import re
from collections.abc import Iterator, Mapping

from tests.connectors.descriptions.compiled_types import amended, compiled_client
from tests.connectors.descriptions.configured_calls import ConfiguredCalls, assigned, behind, nothing, of_class
from tests.connectors.descriptions.description import any_of
from tests.connectors.descriptions.packages import npm
from tests.connectors.descriptions.zod_tools import HEAD, ZOD, given

_query = behind(r"const queryValues = ")
_body = behind(r"\bbody: ")
_asked = behind(r"const requestBody = ")
_conditions = assigned(r"filters(?:\.(\w+)|\[\"([^\"]+)\"\]) = ")


def _paths(written: str) -> Iterator[str]:
    """Projects, teams and a last parameter can be left out, as in the calls that give them no value."""
    paths = {written.replace("{*", "{")}
    for left_out in (r"^\{project\}/", r"\{team\}/", r"/\{\w+\}$"):
        paths |= {re.sub(left_out, "", path) for path in paths}
    yield from sorted(paths)


def _queried(text: str) -> str | None:
    """A list that comes in pages takes these two, as the vendor documents it; the client leaves them out of some."""
    found = _around("dotted", _query(text))
    # Of comments the client has a version that knew no pages yet.
    in_pages = "returnRawResponse: true" in text or "workItems/{id}/comments/" in text
    return f"paged({found})" if found is not None and in_pages else found


def _searched(text: str) -> str | None:
    """What is searched for, with the conditions that are set one by one."""
    asked, conditions = _asked(text), _conditions(text)
    return f"{{ ...({asked}), filters: maybe({conditions}) }}" if asked is not None else None


def _around(function: str, text: str | None) -> str | None:
    return None if text is None else f"{function}({text})"


def _as_sent(texts: Mapping[str, str]) -> dict[str, str]:
    """The client has enumerations as numbers; in requests they may be, and by us are, what these are called."""
    return {
        file: re.sub(
            r"^(    )(\w)(\w*) = \d+(?=,?$)",
            lambda match: f'{match[1]}{match[2]}{match[3]} = "{match[2].lower()}{match[3]}"',
            text,
            flags=re.MULTILINE,
        )
        for file, text in texts.items()
    }


# The client declares the list as empty.
_PATCHES = amended(
    (
        "export interface JsonPatchDocument {\n}",
        "export interface JsonPatchDocument extends Array<JsonPatchOperation> {\n}",
    )
)

_FOLDERS = ("Core", "Git", "Pipelines", "WorkItemTracking", "Build", "Work", "Locations")

CHECK = any_of(
    compiled_client(
        npm("azure-devops-extension-api@5.276.0"),
        base_url="https://dev.azure.com/*",
        sources=tuple(f"{folder}/{folder}Client.js" for folder in _FOLDERS),
        reader=ConfiguredCalls(
            r"^    (?P<name>\w+)\((?P<outer>[^)]*)\) \{\n        return __awaiter",
            of_class(),
            query=_queried,
            body=lambda text: _around("partly", _body(text)),
            url=r"routeTemplate: (?P<quote>\")(?P<path>[^\"]+)\"",
            otherwise="GET",
            paths=_paths,
        ),
        head="""
            // The conditions of a search are sent by their names behind dots.
            declare function dotted<T>(query: T): Omit<T, "searchCriteria"> & Conditions<T>;
            type Conditions<T> = T extends { searchCriteria: infer S }
              ? { [K in keyof S & string as `searchCriteria.${K}`]?: S[K] } : {};
            declare function paged<T>(query: T): T & { "$top"?: number; continuationToken?: string };
            // What answers hold is required of requests by the types, since they are the same.
            declare function partly<T>(body: T): Partly<T>;
            type Partly<T> = T extends string | number | boolean | Date | null | undefined ? T
              : T extends (infer I)[] ? Partly<I>[] : { [K in keyof T]?: Partly<T[K]> };
        """,
        types=("*.d.ts",),
        # What a field of a work item may hold differs by field.
        untyped=("body.value",),
        left_out="which keys of bodies are required",
        rewrite=lambda texts: _PATCHES(_as_sent(texts)),
    ),
    compiled_client(
        npm("@azure-devops/mcp@2.10.0"),
        base_url="https://almsearch.dev.azure.com/*",
        sources=("dist/tools/search.js",),
        reader=ConfiguredCalls(
            r'server\.tool\(SEARCH_TOOLS\.(?P<name>\w+), "[^"]*", ',
            given,
            query=nothing,
            body=_searched,
            url=r"almsearch\.dev\.azure\.com/\$\{orgName\}(?P<path>/[^?]+)",
            method=r"method: \"(\w+)\"",
        ),
        head=HEAD + "declare function maybe<T>(value: T): T | undefined;",
        beside=(ZOD,),
    ),
)
