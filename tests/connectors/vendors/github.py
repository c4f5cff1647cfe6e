"""GitHub's REST API by its own OpenAPI document."""

from tests.connectors.descriptions.openapi import openapi_documents
from tests.connectors.descriptions.packages import npm
from tests.connectors.descriptions.running_software import RunningSoftware

CHECK = openapi_documents(npm("@octokit/openapi@23.0.2").keeping("generated/api.github.com.json"))

UNDESCRIBED = {
    "delete-branch": "a branch is one part of the path there, and has a / in it: https://docs.github.com/en/rest/git/refs"
}

RUN = RunningSoftware("emulate 0.12, an emulator", ("tests/emulators/test_emulated_github.py",))
