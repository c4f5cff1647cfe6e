"""Gmail by Google's own discovery document."""

from tests.connectors.descriptions.discovery import discovery_documents
from tests.connectors.descriptions.running_software import RunningSoftware

CHECK = discovery_documents("gmail.v1")

RUN = RunningSoftware("emulate 0.12, an emulator", ("tests/emulators/test_emulated_google.py",))
