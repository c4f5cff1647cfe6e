"""Google Sheets by Google's own discovery documents: its own, and that of Google Drive, which lists spreadsheets."""

from tests.connectors.descriptions.discovery import discovery_documents

CHECK = discovery_documents("sheets.v4", "drive.v3")
