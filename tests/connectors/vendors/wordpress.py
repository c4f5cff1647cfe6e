"""WordPress 6 (Debian) is run by the tests."""

from tests.connectors.descriptions.running_software import RunningSoftware

RUN = RunningSoftware(
    "WordPress 6 (Debian)", ("tests/real_apps/test_wordpress_*.py", "tests/connectors/test_wordpress_*.py")
)
