"""Gmail by Google's own discovery document."""

from tests.connectors.descriptions.discovery import DiscoveryDocuments

CHECK = DiscoveryDocuments("gmail.v1")
