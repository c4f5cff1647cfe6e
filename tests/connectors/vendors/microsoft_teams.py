"""Teams, chats and online meetings in Microsoft Graph."""

from tests.connectors.descriptions.microsoft_graph import graph_client

CHECK = graph_client()
