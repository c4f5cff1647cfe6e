"""Excel's workbooks in Microsoft Graph by Microsoft's own client for Python."""

from tests.connectors.descriptions.microsoft_graph import graph_client

CHECK = graph_client(
    "drives/item/items/item/search_with_q",
    "drives/item/items/item/workbook",
    bodies=("drives/item/items/item/workbook",),
    # A value of any type, which the client leaves out of what it sends.
    extra=frozenset({"sourceData"}),
)

UNDESCRIBED = {
    "update-cells": "the client only reads ranges; https://learn.microsoft.com/en-us/graph/api/range-update",
}
