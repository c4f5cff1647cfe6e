"""OneDrive's files in Microsoft Graph by Microsoft's own client for Python."""

from tests.connectors.descriptions.microsoft_graph import graph_client

CHECK = graph_client(
    "users/item/drive",
    "drives/item/items/item",
    bodies=("drives/item/items/item",),
    # What a new folder does where there is one of its name; the client takes it among what it doesn't know.
    extra=frozenset({"@microsoft.graph.conflictBehavior"}),
)

UNDESCRIBED = {
    "upload-file": "the client has no paths by name; https://learn.microsoft.com/en-us/graph/api/driveitem-put-content",
}
