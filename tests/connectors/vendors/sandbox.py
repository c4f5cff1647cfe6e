"""The example app of this repository is run by the tests."""

from tests.connectors.descriptions.running_software import RunningSoftware

RUN = RunningSoftware("examples/sandbox", ("tests/connectors/test_sandbox_connector.py", "tests/service_server/*/*.py"))
