"""SharePoint's sites, lists and libraries in Microsoft Graph."""

from tests.connectors.descriptions.microsoft_graph import graph_client

CHECK = graph_client("body.*", "body.fields.*")

UNDESCRIBED = {
    "upload-file": "the client has no paths by name; https://learn.microsoft.com/en-us/graph/api/driveitem-put-content"
}
