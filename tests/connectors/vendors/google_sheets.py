"""Google Sheets by Google's own discovery documents: its own, and that of Google Drive, which lists spreadsheets."""

from tests.connectors.descriptions.discovery import DiscoveryDocuments

CHECK = DiscoveryDocuments("sheets.v4", "drive.v3")
