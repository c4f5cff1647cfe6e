"""Redmine 5 (Debian) is run by the tests."""

from tests.connectors.descriptions.running_software import RunningSoftware

RUN = RunningSoftware("Redmine 5 (Debian)", ("tests/real_apps/test_redmine_*.py", "tests/connectors/test_redmine_*.py"))
