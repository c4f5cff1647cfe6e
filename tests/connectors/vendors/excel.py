"""Excel's workbooks in Microsoft Graph."""

from tests.connectors.descriptions.microsoft_graph import graph_client

# Cells hold values of any type.
CHECK = graph_client("body.values", "body.sourceData")

UNDESCRIBED = {"update-cells": "the client only reads ranges; https://learn.microsoft.com/en-us/graph/api/range-update"}
