"""Google Docs by Google's own discovery documents: its own, and that of Google Drive, which lists documents."""

from tests.connectors.descriptions.discovery import discovery_documents

CHECK = discovery_documents("docs.v1", "drive.v3")
