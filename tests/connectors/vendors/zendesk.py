"""Zendesk's Support API by the client that most of its users of Node take."""

from collections.abc import Iterator, Mapping

from attrs import evolve

from tests.connectors.descriptions.clients import Operation, operations
from tests.connectors.descriptions.compiled_types import Call, compiled_client
from tests.connectors.descriptions.packages import npm

_BODIES = {
    ("POST", "/tickets"): "Required<CreateOrUpdateTicket>",
    ("PUT", "/tickets/{}"): "Required<CreateOrUpdateTicket>",
    ("PUT", "/tickets/{}/tags"): "{ tags: string[] }",
    ("POST", "/tickets/{}/merge"): "Merge",
    ("POST", "/users"): "{ user: RecursivePartial<User> & { name: string } }",
    ("PUT", "/users/{}"): "{ user: RecursivePartial<User> }",
    ("POST", "/organizations"): "{ organization: Organization }",
    ("PUT", "/organizations/{}"): "{ organization: Partial<Organization> }",
}
_QUERIES = {
    "/tickets": "Sorted",
    "/users": "InPages & { role?: Role | Role[] }",
    "/search": "Search",
    "/users/search": "Found",
}


def _operations(sources: Mapping[str, str]) -> Iterator[Operation]:
    """Read the calls of a minified client: `this.getAll(["tickets",e,"comments"])`."""
    path = r"(?P<path>\[[^\]{]*)"
    yield from operations(rf"this\.(?:get|getAll)\({path}", always="GET")(sources)
    yield from operations(rf"(?:this|super)\.(?P<method>post|put|delete)\({path}")(sources)
    yield from operations(rf'this\.requestAll\("(?P<method>PUT|DELETE)",{path}')(sources)


def _read(sources: Mapping[str, str]) -> Iterator[Call]:
    """Add what is sent; a search for users is given its whole query at once."""
    for each in _operations(sources):
        each = evolve(each, path=each.path.replace("/users/search/{}", "/users/search"))
        query = _QUERIES.get(each.path, "InPages | undefined") if each.method == "GET" else None
        yield Call(each.method, each.path, query, _BODIES.get((each.method, each.path)))


UNDESCRIBED = {
    **dict.fromkeys(
        ("list-deleted-tickets", "restore-ticket", "mark-as-spam"),
        "https://developer.zendesk.com/api-reference/ticketing/tickets/tickets",
    ),
    "remove-tags": "the documentation of tickets' tags: the client adds and replaces them, and takes none off",
}

CHECK = compiled_client(
    npm("node-zendesk@6.0.1"),
    base_url="https://*.zendesk.com/api/v2",
    sources=("dist/index.js",),
    reader=_read,
    head="""
        import type { CreateOrUpdateTicket, RecursivePartial } from "./dist/types/clients/core/tickets";
        import type { User } from "./dist/types/clients/core/users";
        type Role = "end-user" | "agent" | "admin";
        interface InPages { page?: { size?: number; after?: string; before?: string } }
        interface Sorted extends InPages {
          sort?: "updated_at" | "id" | "status" | "-updated_at" | "-id" | "-status";
        }
        interface Found { query: string; page?: number; per_page?: number }
        interface Search extends Found {
          sort_by?: "updated_at" | "created_at" | "priority" | "status" | "ticket_type"; sort_order?: "asc" | "desc";
        }
        interface Merge {
          ids: number[]; target_comment?: string; source_comment?: string;
          target_comment_is_public?: boolean; source_comment_is_public?: boolean;
        }
        interface Organization {
          name: string; domain_names?: string[]; details?: string; notes?: string; tags?: string[]; group_id?: number;
          shared_tickets?: boolean; shared_comments?: boolean; external_id?: string;
          organization_fields?: Record<string, string | number | boolean>;
        }
    """,
    types=("dist/types/clients/core/*.d.ts",),
    left_out="queries, organizations and what is merged, which are as the vendor documents them",
)
