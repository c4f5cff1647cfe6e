"""Stripe's API by the vendor's own client."""

from tests.connectors.descriptions.packages import npm
from tests.connectors.descriptions.running_software import RunningSoftware
from tests.connectors.descriptions.typed_clients import TypedClient

CHECK = TypedClient(
    npm(
        "stripe@23.1.0",
        "sha512-fVUfMSfTPoukfoV//MUKAx2+YxyKmYaYtnAL9VkfnHfaPNQylFdWZMD+zgUFerI8rjbaiER8Vzj2XEUQ2AhAsQ==",
    ),
    base_url="https://api.stripe.com",
    modules="cjs/resources/*",
    call=r"^    (?P<name>\w+)\([^)]*\) \{\s+return this\._makeRequest\('(?P<method>\w+)', [`'](?P<path>[^`']+)[`']",
    declaration=r"^    (?P<name>\w+)\([^)]*\bparams\??: (?P<type>[\w.]+)",
    types=("cjs/shared.d.ts",),
)

RUN = RunningSoftware("localstripe 1.15, an emulator", ("tests/emulators/test_emulated_stripe.py",))
