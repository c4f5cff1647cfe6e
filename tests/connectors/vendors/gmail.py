"""Gmail by Google's own discovery document."""

from tests.connectors.descriptions.discovery import DiscoveryDocuments
from tests.connectors.descriptions.running_software import RunningSoftware

CHECK = DiscoveryDocuments("gmail.v1")

RUN = RunningSoftware("emulate 0.12, an emulator", ("tests/emulators/test_emulated_google.py",))
