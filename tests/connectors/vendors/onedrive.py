"""OneDrive's files in Microsoft Graph."""

from tests.connectors.descriptions.microsoft_graph import graph_client

CHECK = graph_client()

UNDESCRIBED = {
    "upload-file": "the client has no paths by name; https://learn.microsoft.com/en-us/graph/api/driveitem-put-content"
}
