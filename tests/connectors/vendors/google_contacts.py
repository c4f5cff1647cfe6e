"""Google Contacts by Google's own discovery document."""

from tests.connectors.descriptions.discovery import discovery_documents

CHECK = discovery_documents("people.v1")
