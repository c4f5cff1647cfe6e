"""Google Forms by Google's own discovery documents: its own, and that of Google Drive, which lists forms."""

from tests.connectors.descriptions.discovery import discovery_documents

CHECK = discovery_documents("forms.v1", "drive.v3")
