"""Microsoft Graph by the types of Microsoft's own client, which are made of its OpenAPI document."""

from collections.abc import Iterator, Mapping

from attrs import evolve

from tests.connectors.descriptions.compiled_types import Call, amended, compiled_client
from tests.connectors.descriptions.description import Description
from tests.connectors.descriptions.openapi_typescript import HEAD, openapi_typescript_calls
from tests.connectors.descriptions.packages import npm

_TYPES = "dist/types/types.d.ts"
_below_roots = openapi_typescript_calls(_TYPES, "/me", "/teams", "/chats", "/drives", "/sites")


def _read(sources: Mapping[str, str]) -> Iterator[Call]:
    """The document has a user's own drive only among all drives."""
    for call in _below_roots(sources):
        yield call
        if call.path.startswith("/drives/{}"):
            yield evolve(call, path=f"/me/drive{call.path.removeprefix('/drives/{}')}")


def graph_client(*untyped: str) -> Description:
    """Return the calls for a user's own things, teams, chats, drives and sites; see `compiled_client` for `untyped`."""
    return compiled_client(
        npm("@microsoft/teams.graph-endpoints@2.1.0"),
        base_url="https://graph.microsoft.com/v1.0",
        sources=(_TYPES,),
        reader=_read,
        head="""
            import type { paths } from "./dist/types/types.js";
            // At learn.microsoft.com/graph/api: site-search, driveitem-get-content-format.
            interface Documented {
              "get /sites": { search?: string };
              "get /drives/{drive-id}/items/{driveItem-id}/content": { format?: string };
            }
        """
        + HEAD,
        commas=True,
        untyped=untyped,
        left_out="the key @odata.type, which the document requires of all objects and Graph doesn't",
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
