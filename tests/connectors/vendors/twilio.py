"""Twilio by its own client for Node: each host has a part of the API."""

from tests.connectors.descriptions.clients import ClientSources, operations
from tests.connectors.descriptions.description import AnyOf
from tests.connectors.descriptions.packages import npm
from tests.connectors.descriptions.running_software import RunningSoftware


def _part(base_url: str, *sources: str) -> ClientSources:
    return ClientSources(
        npm(
            "twilio@6.2.0",
            "sha512-zuwVhRa8gGIvaTjXIkRNcf7cPPQCeghMukMcG9WnhWmm7SLnregVpdIoYOSrOvlqMUYf6xP9A2ivsJNf6URoSg==",
        ),
        base_url=base_url,
        sources=tuple(f"lib/rest/{source}" for source in sources),
        reader=operations(r"_uri = `(?P<path>/[^`]+)`", method=r'method: "(\w+)"'),
    )


CHECK = AnyOf(
    _part("https://api.twilio.com/2010-04-01", "api/v2010/account/*.js"),
    _part("https://messaging.twilio.com/v1", "messaging/v1/service.js"),
    _part("https://lookups.twilio.com/v2", "lookups/v2/phoneNumber.js"),
)

RUN = RunningSoftware("emulate 0.12, an emulator", ("tests/emulators/test_emulated_twilio.py",))
