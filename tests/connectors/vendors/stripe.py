"""Stripe's API by the vendor's own client."""

from tests.connectors.descriptions.clients import ClientSources, operations
from tests.connectors.descriptions.packages import npm
from tests.connectors.descriptions.running_software import RunningSoftware

CHECK = ClientSources(
    npm(
        "stripe@23.1.0",
        "sha512-fVUfMSfTPoukfoV//MUKAx2+YxyKmYaYtnAL9VkfnHfaPNQylFdWZMD+zgUFerI8rjbaiER8Vzj2XEUQ2AhAsQ==",
    ),
    base_url="https://api.stripe.com",
    sources=("cjs/resources/*.js",),
    reader=operations(r"_makeRequest\('(?P<method>\w+)', [`'](?P<path>[^`']+)[`']", names="file"),
    types=("cjs/resources/*.d.ts",),
    free=frozenset({"metadata"}),
)

RUN = RunningSoftware("localstripe 1.15, an emulator", ("tests/emulators/test_emulated_stripe.py",))
