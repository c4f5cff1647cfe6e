"""SharePoint's sites, lists and libraries in Microsoft Graph by Microsoft's own client for Python."""

from tests.connectors.descriptions.microsoft_graph import graph_client

CHECK = graph_client(
    "sites",
    "drives/item/items/item",
    # A list's columns have the names that people gave them.
    free=frozenset({"fields"}),
    # See OneDrive; and sites are found by this, which the client has no name for.
    extra=frozenset({"@microsoft.graph.conflictBehavior", "search"}),
)

UNDESCRIBED = {
    "upload-file": "the client has no paths by name; https://learn.microsoft.com/en-us/graph/api/driveitem-put-content",
}
