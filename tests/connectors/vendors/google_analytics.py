"""Google Analytics by Google's own discovery documents: for data, for properties, and for who signed in."""

from tests.connectors.descriptions.discovery import discovery_documents

CHECK = discovery_documents("analyticsdata.v1beta", "analyticsadmin.v1beta", "oauth2.v2")
