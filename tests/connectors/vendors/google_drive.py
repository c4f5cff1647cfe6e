"""Google Drive by Google's own discovery document."""

from tests.connectors.descriptions.discovery import discovery_documents
from tests.connectors.descriptions.running_software import RunningSoftware

# The document calls the address of a permission read-only, while Google's guide on sharing has it written.
CHECK = discovery_documents("drive.v3", excepted=frozenset({"emailAddress"}))

RUN = RunningSoftware("emulate 0.12, an emulator", ("tests/emulators/test_emulated_google.py",))
