"""Google Contacts by Google's own discovery document."""

from tests.connectors.descriptions.discovery import DiscoveryDocuments

CHECK = DiscoveryDocuments("people.v1")
