"""Synapse 1.163 is run by the tests."""

from tests.connectors.descriptions.running_software import RunningSoftware

RUN = RunningSoftware("Synapse 1.163", ("tests/real_apps/test_matrix_*.py", "tests/connectors/test_matrix_*.py"))
