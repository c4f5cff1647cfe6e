"""Teams, chats and online meetings of Microsoft Graph by Microsoft's own client for Python."""

from tests.connectors.descriptions.microsoft_graph import graph_client

CHECK = graph_client(
    "users/item/joined_teams",
    "users/item/chats",
    "users/item/online_meetings",
    "chats/item",
    "teams/item/channels",
    "teams/item/members",
)
