"""Microsoft Graph by the types of Microsoft's own client, which are made of its OpenAPI document."""

import re
from collections.abc import Iterator, Mapping

from tests.connectors.descriptions.compiled_types import Call, CompiledClient, amended
from tests.connectors.descriptions.packages import npm
from tests.connectors.descriptions.paths import template

_TYPES = "dist/types/types.d.ts"
_ROOTS = ("/me", "/teams", "/chats", "/drives", "/sites")
_PATH = re.compile(
    r"^    (?P<quote>['\"])(?P<path>/.*)(?P=quote): \{$|^        (?P<method>\w+): operations\['(?P<name>[^']+)'\];$",
    re.MULTILINE,
)


def graph_client(*untyped: str) -> CompiledClient:
    """Return the calls for a user's own things, teams, chats, drives and sites; see `CompiledClient` for `untyped`."""
    return CompiledClient(
        npm(
            "@microsoft/teams.graph-endpoints@2.1.0",
            "sha512-kB+/sBbkNzLCxt8elpZxAmnSB54BE8GtnLhU4FoIqwGjipEN1lAsXpqCzpkJkz5CK9XPGYo+h4k07mRWlooOuQ==",
        ),
        base_url="https://graph.microsoft.com/v1.0",
        sources=(_TYPES,),
        reader=_read,
        head="""
            import type { operations } from "./dist/types/types.js";
            // What the document lacks, at learn.microsoft.com/graph/api: site-search, driveitem-get-content-format.
            interface Documented {
              "sites.site.ListSite": { search?: string };
              "drives.GetItemsContent": { format?: string };
            }
            type Query<K extends keyof operations> = operations[K]["parameters"]["query"]
              & (K extends keyof Documented ? Documented[K] : unknown);
            type Body<K extends keyof operations> = operations[K] extends { requestBody: { content: infer C } }
              ? (C extends { "application/json": infer T } ? T : unknown) : undefined;
        """,
        commas=True,
        untyped=frozenset(untyped),
        but_for="the key @odata.type, which the document requires of all objects and Graph doesn't",
        rewrite=amended(
            ("'@odata.type': ", "'@odata.type'?: "),
            # What a new folder does where there is one of its name: an annotation, which the document leaves out.
            (
                "'microsoft.graph.driveItem': ",
                "'microsoft.graph.driveItem': "
                "{ '@microsoft.graph.conflictBehavior'?: 'fail' | 'replace' | 'rename' } & ",
            ),
            # A list's columns have the names that people gave them.
            ("'microsoft.graph.fieldValueSet': ", "'microsoft.graph.fieldValueSet': Record<string, unknown> & "),
        ),
    )


def _read(sources: Mapping[str, str]) -> Iterator[Call]:
    path = ""
    for match in _PATH.finditer(sources[_TYPES]):
        path = match["path"] or path
        if match["name"] and path.startswith(_ROOTS):
            query, body = (f'{place}<"{match["name"]}">' for place in ("Query", "Body"))
            method, written = match["method"].upper(), template(path)
            yield Call(method, written, query, body)
            # The document has a user's own drive only among all drives.
            if written.startswith("/drives/{}"):
                yield Call(method, f"/me/drive{written.removeprefix('/drives/{}')}", query, body)
