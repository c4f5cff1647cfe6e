"""Stripe's API by the vendor's own client."""

import re

from tests.connectors.descriptions.compiled_types import amended, compiled_client
from tests.connectors.descriptions.configured_calls import ConfiguredCalls, Written, of_class
from tests.connectors.descriptions.packages import npm
from tests.connectors.descriptions.running_software import RunningSoftware


def _sent_by(methods: str) -> Written:
    """Parameters are sent in a query or in a body, as the method has it."""
    call = re.compile(rf"_makeRequest\('(?:{methods})', [^,]+, params\b")
    return lambda text: "params" if call.search(text) else None


CHECK = compiled_client(
    npm("stripe@23.1.0"),
    base_url="https://api.stripe.com",
    sources=("cjs/resources/*.js",),
    reader=ConfiguredCalls(
        r"^    (?P<name>\w+)\((?P<outer>[^)]*)\) \{$",
        of_class(),
        query=_sent_by("GET|DELETE"),
        body=_sent_by("POST"),
        url=r"_makeRequest\('\w+', (?P<quote>[`'])(?P<path>[^`']+)",
        method=r"_makeRequest\('(\w+)'",
    ),
    head="",
    types=("cjs/*.d.ts",),
    # Nothing goes with what deletes, while TypeScript lets an object without declared keys hold any.
    rewrite=amended(("DeleteParams {\n}", "DeleteParams {\n    expand?: never;\n}")),
)

RUN = RunningSoftware("localstripe 1.15, an emulator", ("tests/emulators/test_emulated_stripe.py",))
