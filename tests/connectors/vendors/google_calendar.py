"""Google Calendar by Google's own discovery document."""

from tests.connectors.descriptions.discovery import DiscoveryDocuments

CHECK = DiscoveryDocuments("calendar.v3")
