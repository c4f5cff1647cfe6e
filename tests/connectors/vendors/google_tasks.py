"""Google Tasks by Google's own discovery documents: its own, and that of the sign-in, which tells who signed in."""

from tests.connectors.descriptions.discovery import discovery_documents

CHECK = discovery_documents("tasks.v1", "oauth2.v2")
