"""Google Drive by Google's own discovery document."""

from tests.connectors.descriptions.discovery import DiscoveryDocuments

# The document calls the address of a permission read-only, while Google's guide on sharing has it written.
CHECK = DiscoveryDocuments("drive.v3", excepted=frozenset({"emailAddress"}))
