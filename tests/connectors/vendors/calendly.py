"""Calendly's API by the components for it that Pipedream publishes; Calendly itself publishes no package."""

from collections.abc import Iterator, Mapping

from tests.connectors.descriptions.clients import ClientSources, Operation, operations
from tests.connectors.descriptions.packages import npm


def _calls(sources: Mapping[str, str]) -> Iterator[Operation]:
    """Read `path: …` with the method before or behind it, GET where there is none."""
    path = r"path: (?P<quote>[`\"])(?P<path>/[^\n]*?)(?P=quote)"
    yield from operations(rf"method: \"(?P<method>\w+)\",\s*{path}", names="file")(sources)
    yield from operations(rf"{path},\s*method: \"(?P<method>\w+)\"", names="file")(sources)
    yield from operations(rf"(?<!\",\n        ){path},\n(?!\s*method)", always="GET", names="file")(sources)


CHECK = ClientSources(
    npm(
        "@pipedream/calendly_v2@1.4.1",
        "sha512-mHgGezdeeZSInfZoXmxpzvsw06K/xxDHugbOM2CiaEWSGt3yHDDge65Xx4KXotxSwMpL5r2/dMM4qK8tTyGbFg==",
    ),
    base_url="https://api.calendly.com",
    sources=("calendly_v2.app.mjs", "actions/create-invitee-no-show/*.mjs"),
    reader=_calls,
    types=("actions/*.mjs",),
)

_DOCUMENTATION = "https://developer.calendly.com"
_AVAILABILITY = f"{_DOCUMENTATION}/docs/api-guides/view-event-type-and-user-calendar-availability-data"
UNDESCRIBED = {
    "get-event-type": f"{_DOCUMENTATION}/docs/authentication/scopes",
    "list-available-times": f"{_DOCUMENTATION}/api-docs/calendly-api/event-types/list-event-type-available-times",
    "list-busy-times": _AVAILABILITY,
}
