"""Teams, chats and online meetings in Microsoft Graph."""

from tests.connectors.descriptions.microsoft_graph import graph_client

CHECK = graph_client()

UNDESCRIBED = {
    **dict.fromkeys(
        ("add-team-member", "add-chat-member"),
        "as start-chat; https://learn.microsoft.com/en-us/graph/api/team-post-members",
    ),
    "pin-chat-message": "the client has no references; https://learn.microsoft.com/en-us/graph/api/chat-post-pinnedmessages",
    "start-chat": "the client has members of no kind in particular; https://learn.microsoft.com/en-us/graph/api/chat-post",
}
