"""Kinto 26 is run by the tests."""

from tests.connectors.descriptions.running_software import RunningSoftware

RUN = RunningSoftware("Kinto 26", ("tests/real_apps/test_kinto_*.py", "tests/real_apps/kinto_world.py"))
