"""Outlook's mail and calendars in Microsoft Graph."""

from tests.connectors.descriptions.microsoft_graph import graph_client

CHECK = graph_client()
