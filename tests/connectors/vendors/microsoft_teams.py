"""Teams, chats and online meetings in Microsoft Graph."""

from tests.connectors.descriptions.microsoft_graph import graph_client

CHECK = graph_client()

UNDESCRIBED = {
    "start-chat": "the client has members of no kind in particular; https://learn.microsoft.com/en-us/graph/api/chat-post"
}
