"""Linear's GraphQL API by the types in the vendor's own client."""

from tests.connectors.descriptions.graphql_schema import graphql_endpoint
from tests.connectors.descriptions.graphql_types import generated_types
from tests.connectors.descriptions.packages import npm
from tests.connectors.descriptions.running_software import RunningSoftware

CHECK = graphql_endpoint(
    "https://api.linear.app/graphql",
    npm("@linear/sdk@98.0.0").keeping("dist/index-*.d.mts"),
    generated_types,
)

RUN = RunningSoftware("emulate 0.12, an emulator", ("tests/emulators/test_emulated_linear.py",))
