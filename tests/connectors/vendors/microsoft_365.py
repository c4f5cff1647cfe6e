"""Mail and calendars of Microsoft Graph by Microsoft's own client for Python."""

from tests.connectors.descriptions.microsoft_graph import graph_client

CHECK = graph_client(
    "users/item/messages",
    "users/item/send_mail",
    "users/item/mail_folders",
    "users/item/calendar*",
    "users/item/events",
)
